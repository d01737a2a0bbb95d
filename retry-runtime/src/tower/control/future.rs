//! The wait for a document.

use std::{
    convert::Infallible,
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Buf;
use http::Response;
use http_body::Body;
use pin_project_lite::pin_project;

use super::{Answer, ControlBody, answer::LIMIT, set};
use crate::Context as Ambient;

pin_project! {
    /// The answer of [`ControlService`](super::ControlService).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use http::{Request, StatusCode};
    /// use stormless::tower::{ControlFuture, ControlService};
    /// use tower_service::Service;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let request = Request::get("/nowhere").body(String::new()).unwrap();
    /// let answering: ControlFuture<String> = ControlService::new().call(request);
    /// assert_eq!(answering.await.unwrap().status(), StatusCode::NOT_FOUND);
    /// # }
    /// ```
    #[must_use = "futures do nothing unless polled"]
    pub struct ControlFuture<B> {
        #[pin]
        state: State<B>,
    }
}

pin_project! {
    #[project = StatePinned]
    enum State<B> {
        Ready { answer: Option<Answer> },
        Reading { #[pin] body: B, read: Vec<u8>, context: Ambient },
    }
}

impl<B> ControlFuture<B> {
    pub(super) const fn ready(answer: Answer) -> Self {
        Self { state: State::Ready { answer: Some(answer) } }
    }

    pub(super) const fn reading(body: B, context: Ambient) -> Self {
        Self { state: State::Reading { body, read: Vec::new(), context } }
    }
}

impl<B> fmt::Debug for ControlFuture<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = matches!(self.state, State::Reading { .. });
        f.debug_struct("ControlFuture").field("reading", &reading).finish()
    }
}

impl<B: Body> Future for ControlFuture<B> {
    type Output = Result<Response<ControlBody>, Infallible>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.project().state;
        let answer = match state.as_mut().project() {
            StatePinned::Ready { answer } => match answer.take() {
                Some(answer) => answer,
                // It has answered.
                None => return Poll::Pending,
            },
            StatePinned::Reading { body, read, context } => {
                let document = ready!(poll_document(body, read, task));
                document
                    .map_or_else(|answer| answer, |document| context.clone().run(|| set(&document)))
            }
        };
        // The body is not asked again after its end, and nothing is set twice.
        state.set(State::Ready { answer: None });
        Poll::Ready(Ok(answer.response()))
    }
}

/// All of a body, as text.
fn poll_document<B: Body>(
    mut body: Pin<&mut B>,
    read: &mut Vec<u8>,
    task: &mut Context<'_>,
) -> Poll<Result<String, Answer>> {
    while let Some(frame) = ready!(body.as_mut().poll_frame(task)) {
        let Ok(frame) = frame else {
            return Poll::Ready(Err(Answer::bad(
                "the document ends before its end: send it again",
            )));
        };
        // Trailers are none of it.
        let Ok(mut data) = frame.into_data() else { continue };
        if read.len().saturating_add(data.remaining()) > LIMIT {
            return Poll::Ready(Err(Answer::too_large()));
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            read.extend_from_slice(chunk);
            let length = chunk.len();
            data.advance(length);
        }
    }
    let text = String::from_utf8(std::mem::take(read));
    Poll::Ready(
        text.map_err(|_| Answer::bad("the document is not UTF-8: send it in that encoding")),
    )
}
