//! What goes back to a client.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, CACHE_CONTROL,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY, RETRY_AFTER, VARY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{Response, StatusCode};

/// What a page of this server may do: run its own script and ask this server.
const PAGE_POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                           connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A status, headers and a body.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

impl Reply {
    /// No body.
    pub(crate) fn empty(status: StatusCode) -> Reply {
        Reply { status, headers: Vec::new(), body: Bytes::new() }
    }

    /// JSON, ready made.
    pub(crate) fn json(status: StatusCode, body: String) -> Reply {
        Reply { body: body.into(), ..Reply::empty(status) }.with(CONTENT_TYPE, "application/json")
    }

    /// A page.
    pub(crate) fn page(body: String) -> Reply {
        Reply { body: body.into(), ..Reply::empty(StatusCode::OK) }
            .with(CONTENT_TYPE, "text/html; charset=utf-8")
            .with(CONTENT_SECURITY_POLICY, PAGE_POLICY)
            .with(X_FRAME_OPTIONS, "DENY")
    }

    /// `{"error": "..."}`
    pub(crate) fn error(status: StatusCode, words: &str) -> Reply {
        let body = serde_json::json!({ "error": words }).to_string() + "\n";
        let reply = Reply::json(status, body);
        if status == StatusCode::SERVICE_UNAVAILABLE { reply.with(RETRY_AFTER, "1") } else { reply }
    }

    /// The path knows only these methods.
    pub(crate) fn wrong_method(path: &str, methods: &[&str], found: &str) -> Reply {
        let words = format!("expected {} for {path}, found {found}", methods.join(" or "));
        let mut reply = Reply::error(StatusCode::METHOD_NOT_ALLOWED, &words);
        let allowed = HeaderValue::from_str(&methods.join(", ")).expect("names of methods fit into a header");
        reply.headers.push((ALLOW, allowed));
        reply
    }

    /// With another header.
    pub(crate) fn with(mut self, name: HeaderName, value: &'static str) -> Reply {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    /// Readable by pages of an origin.
    pub(crate) fn shared_with(mut self, origin: HeaderValue) -> Reply {
        self.headers.push((ACCESS_CONTROL_ALLOW_ORIGIN, origin));
        self.with(ACCESS_CONTROL_ALLOW_METHODS, "GET, POST").with(ACCESS_CONTROL_ALLOW_HEADERS, "content-type")
    }

    /// As hyper sends it.
    pub(crate) fn into_response(self) -> Response<Full<Bytes>> {
        let all = self
            .with(CACHE_CONTROL, "no-store")
            .with(X_CONTENT_TYPE_OPTIONS, "nosniff")
            .with(REFERRER_POLICY, "no-referrer")
            .with(HeaderName::from_static("cross-origin-resource-policy"), "same-site")
            .with(VARY, "origin");
        let mut response = Response::new(Full::new(all.body));
        *response.status_mut() = all.status;
        response.headers_mut().extend(all.headers);
        response
    }

    /// As bytes, for a client that has sent nothing that hyper could answer.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let (status, length) = (self.status, self.body.len());
        let mut text = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n");
        for (name, value) in &self.headers {
            text += &format!("{name}: {}\r\n", value.to_str().unwrap_or_default());
        }
        text += "\r\n";
        [text.as_bytes(), &self.body].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_json_on_one_line_and_names_what_is_wrong() {
        let text = String::from_utf8(Reply::error(StatusCode::BAD_REQUEST, "a \"b\"\n").into_bytes()).unwrap();
        let expected = "HTTP/1.1 400 Bad Request\r\ncontent-length: 22\r\nconnection: close\r\n\
                        content-type: application/json\r\n\r\n{\"error\":\"a \\\"b\\\"\\n\"}\n";
        assert_eq!(text, expected);
    }
}
