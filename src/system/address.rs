//! Addresses of TCP ports, as people type them.

use std::net::SocketAddr;

/// `127.0.0.1:19989`, `localhost:19989`, `[::1]:19989`, or a port of 127.0.0.1 alone.
pub(crate) fn address(text: &str) -> Option<SocketAddr> {
    let port = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
    let local = text.strip_prefix("localhost:").unwrap_or(text);
    local.parse().map(port).or_else(|_| text.parse()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_a_port() {
        for (text, expected) in
            [("80", "127.0.0.1:80"), ("localhost:7", "127.0.0.1:7"), ("0.0.0.0:1", "0.0.0.0:1"), ("[::1]:9", "[::1]:9")]
        {
            assert_eq!(address(text), Some(expected.parse().expect("an address")), "{text}");
        }
        for text in ["", "70000", "127.0.0.1", "example.org:80", "localhost"] {
            assert_eq!(address(text), None, "{text}");
        }
    }
}
