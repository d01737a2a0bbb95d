//! What is answered.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, StatusCode, header};

use super::ControlBody;

/// The most that a document may have, in bytes. It is read and applied where the answers of the host are made.
pub(super) const LIMIT: usize = 64 * 1024;

/// An answer that is whole.
#[derive(Debug)]
pub(super) struct Answer {
    status: StatusCode,
    kind: &'static str,
    allow: Option<&'static str>,
    text: String,
}

impl Answer {
    const fn of(status: StatusCode, kind: &'static str, text: String) -> Self {
        Self { status, kind, allow: None, text }
    }

    pub(super) const fn text(status: StatusCode, text: String) -> Self {
        Self::of(status, "text/plain; charset=utf-8", text)
    }

    pub(super) const fn html(text: String) -> Self {
        Self::of(StatusCode::OK, "text/html; charset=utf-8", text)
    }

    pub(super) const fn json(text: String) -> Self {
        Self::of(StatusCode::OK, "application/json", text)
    }

    pub(super) fn not_allowed(methods: &'static str) -> Self {
        let text = format!("the methods are {methods}\n");
        Self { allow: Some(methods), ..Self::text(StatusCode::METHOD_NOT_ALLOWED, text) }
    }

    pub(super) fn not_found(text: &str) -> Self {
        Self::text(StatusCode::NOT_FOUND, format!("{text}\n"))
    }

    pub(super) fn too_large() -> Self {
        let text = format!("a document of overrides has at most {LIMIT} bytes here\n");
        Self::text(StatusCode::PAYLOAD_TOO_LARGE, text)
    }

    pub(super) fn bad(text: &str) -> Self {
        Self::text(StatusCode::BAD_REQUEST, format!("{text}\n"))
    }

    pub(super) fn response(self) -> Response<ControlBody> {
        let mut response = Response::new(ControlBody::new(Bytes::from(self.text)));
        *response.status_mut() = self.status;
        let fields: [(HeaderName, &'static str); 3] = [
            (header::CONTENT_TYPE, self.kind),
            // It is about now.
            (header::CACHE_CONTROL, "no-store"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ];
        let allow = self.allow.map(|methods| (header::ALLOW, methods));
        for (name, value) in fields.into_iter().chain(allow) {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}
