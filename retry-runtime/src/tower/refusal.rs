//! What a server answers in place of the service behind it.

use http::{HeaderMap, HeaderValue, Response, StatusCode, header};

use crate::wire::{self, Carrier, grpc};

/// Whether the answer is to be one of gRPC's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http,
    Grpc,
}

impl Protocol {
    /// By the content type: `application/grpc`, and what begins with `application/grpc+` or has parameters.
    /// gRPC-Web has answers of another form, and is not of these.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
        let rest = kind.and_then(|kind| kind.strip_prefix(b"application/grpc"));
        match rest.map(<[u8]>::first) {
            Some(None | Some(b'+' | b';')) => Self::Grpc,
            Some(Some(_)) | None => Self::Http,
        }
    }

    /// There is no room for retries, and this is one.
    pub(super) fn shed<B: Default>(self) -> Response<B> {
        match self {
            Self::Http => {
                let mut response = http(StatusCode::SERVICE_UNAVAILABLE);
                wire::mark_do_not_retry(response.headers_mut());
                response
            }
            // `RESOURCE_EXHAUSTED`, as tonic's own load shedding has it.
            Self::Grpc => {
                let mut response = trailers_only("8", "retries%20are%20shed");
                response.headers_mut().set(grpc::PUSHBACK, "-1");
                response
            }
        }
    }

    /// The caller's deadline has passed.
    pub(super) fn late<B: Default>(self) -> Response<B> {
        match self {
            Self::Http => http(StatusCode::GATEWAY_TIMEOUT),
            // `DEADLINE_EXCEEDED`.
            Self::Grpc => trailers_only("4", "the%20caller's%20deadline%20passed"),
        }
    }
}

fn http<B: Default>(status: StatusCode) -> Response<B> {
    let mut response = Response::new(B::default());
    *response.status_mut() = status;
    response
}

/// A status without a message before it: in the headers, and with nothing after them.
fn trailers_only<B: Default>(status: &'static str, message: &'static str) -> Response<B> {
    let mut response = Response::new(B::default());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert("grpc-status", HeaderValue::from_static(status));
    headers.insert("grpc-message", HeaderValue::from_static(message));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grpc_is_told_by_its_content_type() {
        let of = |kind: &'static str| {
            let kind = HeaderValue::from_static(kind);
            Protocol::of(&HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]))
        };
        for kind in ["application/grpc", "application/grpc+proto", "application/grpc; x=y"] {
            assert_eq!(of(kind), Protocol::Grpc, "{kind}");
        }
        for kind in ["application/grpc-web", "application/json", "", "application/grpcx"] {
            assert_eq!(of(kind), Protocol::Http, "{kind}");
        }
        assert_eq!(Protocol::of(&HeaderMap::new()), Protocol::Http);
    }
}
