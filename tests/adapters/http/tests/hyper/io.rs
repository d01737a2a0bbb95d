//! Sockets that fail as they are told.

use std::{
    error::Error,
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use adapters_http::{Cyclic, KINDS, row};
use hyper::{
    client::conn::http1,
    rt::{Read, ReadBufCursor, Write},
};
use stormless::{Execution, Kind};

use crate::post;

/// Takes a request, and then fails.
struct Broken {
    failure: Option<io::Error>,
    asked: bool,
    waiting: Option<Waker>,
}

impl Read for Broken {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        _: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let asked = self.asked;
        if let Some(failure) = self.failure.take_if(|_| asked) {
            return Poll::Ready(Err(failure));
        }
        self.waiting = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Write for Broken {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.asked = true;
        self.waiting.take().inspect(Waker::wake_by_ref);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

async fn failing(failure: io::Error) -> hyper::Error {
    let socket = Broken { failure: Some(failure), asked: false, waiting: None };
    let (mut sender, connection) = http1::handshake(socket).await.unwrap();
    tokio::spawn(connection);
    sender.send_request(post("/")).await.unwrap_err()
}

// R128
#[tokio::test]
async fn kinds_decide_and_texts_do_not() {
    for (kind, expected) in KINDS {
        // Linux reports these from `recv`, too, whatever had become of the request.
        let expected = match expected {
            (class, _, "host_unreachable" | "network_unreachable" | "network_down") => {
                (class, Execution::MaybeExecuted, expected.2)
            }
            _ => expected,
        };
        for text in ["connection refused", "timed out", "broken pipe", ""] {
            assert_eq!(row(&failing(io::Error::new(kind, text)).await), expected, "{kind} {text}");
        }
        assert_eq!(row(&failing(kind.into()).await), expected, "{kind}");
    }
}

// R126
#[tokio::test]
async fn a_cause_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    let causes: [Box<dyn Error + Send + Sync>; 2] =
        [Box::new(Cyclic), Box::new(io::Error::other(Cyclic))];
    for cause in causes {
        let (kind, _, label) = row(&failing(io::Error::other(cause)).await);
        assert_eq!((kind, label), (Kind::Permanent, "_OTHER"));
    }
}
