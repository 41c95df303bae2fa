//! Who may ask. A page of another site must not use the server of the person who looks at it.

use std::net::IpAddr;

use hyper::HeaderMap;
use hyper::header::{HOST, HeaderName, HeaderValue, ORIGIN};

/// A browser says with it where a request comes from, also for requests that name no origin.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What a request may have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The answer.
    Own,
    /// The answer, and pages of this origin may read it.
    Shared(HeaderValue),
    /// Nothing. The words say why.
    None(String),
}

/// What a request with these headers may have. `opens_page` is true for what a person may follow a link to.
pub(crate) fn access(headers: &HeaderMap, allowed_origins: &[String], opens_page: bool) -> Access {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
    // Programs may leave it out; a browser does not.
    let host = text(HOST);
    if let Some(host) = host.filter(|host| !is_own(host, allowed_origins)) {
        return Access::None(format!(
            "expected an IP address or localhost as host, found {host}: allow another name with --allow-origin http://{host}"
        ));
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let words = text(ORIGIN).unwrap_or_default();
        if host.is_some_and(|host| words.strip_prefix("http://") == Some(host)) {
            return Access::Own;
        }
        if allowed_origins.iter().any(|allowed| allowed == words) {
            return Access::Shared(origin.clone());
        }
        // A file or a sandbox has the origin null, which cannot be told from any other.
        let hint = if words == "null" { String::new() } else { format!(": allow it with --allow-origin {words}") };
        return Access::None(format!("expected a request from this server's own page, found one from {words}{hint}"));
    }
    match text(FETCH_SITE) {
        Some("cross-site" | "same-site") if !opens_page => {
            Access::None("expected a request from this server's own page, found one from another site".to_owned())
        }
        _ => Access::Own,
    }
}

/// Is this host an address? Then no name was looked up, so that no other site can have had its name lead
/// here. Names are those of allowed origins.
fn is_own(host: &str, allowed_origins: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_allowed = |origin: &String| origin.split_once("://").is_some_and(|(_, allowed)| allowed == host);
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok() || allowed_origins.iter().any(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&'static str, &'static str)], opens_page: bool) -> Access {
        let map = headers.iter().map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        access(&map.collect(), &["https://friend.example".to_owned()], opens_page)
    }

    #[test]
    fn programs_and_the_own_page_may_ask() {
        for headers in [
            &[][..],
            &[("host", "127.0.0.1:19989")],
            &[("host", "localhost")],
            &[("host", "[::1]:80")],
            &[("host", "192.168.0.7:80")],
            &[("host", "localhost:80"), ("origin", "http://localhost:80"), ("sec-fetch-site", "same-origin")],
            &[("host", "127.0.0.1:80"), ("sec-fetch-site", "none")],
        ] {
            assert_eq!(asked(headers, false), Access::Own, "{headers:?}");
        }
        let friend = HeaderValue::from_static("https://friend.example");
        assert_eq!(
            asked(&[("host", "127.0.0.1:80"), ("origin", "https://friend.example")], false),
            Access::Shared(friend)
        );
        assert_eq!(asked(&[("host", "friend.example")], false), Access::Own);
        // A link to the page.
        assert_eq!(asked(&[("host", "127.0.0.1:80"), ("sec-fetch-site", "cross-site")], true), Access::Own);
    }

    #[test]
    fn pages_of_others_may_not() {
        for headers in [
            &[("host", "evil.example:19989")][..],
            &[("host", "127.0.0.1.evil.example")],
            &[("host", "friend.example:81")],
            &[("host", "127.0.0.1:80"), ("origin", "http://evil.example")],
            &[("host", "127.0.0.1:80"), ("origin", "http://127.0.0.1:81")],
            &[("host", "127.0.0.1:80"), ("origin", "https://127.0.0.1:80")],
            &[("host", "127.0.0.1:80"), ("origin", "null")],
            &[("host", "127.0.0.1:80"), ("origin", "http://friend.example")],
            &[("host", "127.0.0.1:80"), ("sec-fetch-site", "cross-site")],
            &[("host", "127.0.0.1:80"), ("sec-fetch-site", "same-site")],
        ] {
            assert!(matches!(asked(headers, false), Access::None(_)), "{headers:?}");
        }
        let words = |origin| match asked(&[("origin", origin)], false) {
            Access::None(words) => words,
            other => panic!("{other:?}"),
        };
        assert!(words("http://evil.example").ends_with("allow it with --allow-origin http://evil.example"));
        assert!(words("null").ends_with("found one from null"));
        // A link to the page is no excuse for a name or another origin.
        assert!(matches!(asked(&[("host", "evil.example")], true), Access::None(_)));
        assert!(matches!(asked(&[("host", "127.0.0.1:80"), ("origin", "null")], true), Access::None(_)));
    }
}
