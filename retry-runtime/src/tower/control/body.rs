//! The body of an answer.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// The body of an answer of [`ControlService`](super::ControlService): all of it at once.
///
/// ```
/// # use retry_runtime as stormless;
/// use http::{Request, StatusCode};
/// use http_body::Body;
/// use stormless::tower::{ControlBody, ControlService};
/// use tower_service::Service;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let request = Request::get("/text").body(String::new()).unwrap();
/// let answer = ControlService::new().call(request).await.unwrap();
/// assert_eq!(answer.status(), StatusCode::OK);
/// let body: ControlBody = answer.into_body();
/// assert!(body.size_hint().exact() > Some(0));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ControlBody(Option<Bytes>);

impl ControlBody {
    pub(super) fn new(bytes: Bytes) -> Self {
        Self(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }
}

impl Body for ControlBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let length = self.0.as_ref().map_or(0, Bytes::len);
        u64::try_from(length).map_or_else(|_| SizeHint::default(), SizeHint::with_exact)
    }
}
