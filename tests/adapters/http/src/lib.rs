//! What the tables of the adapters are checked with.

#![forbid(unsafe_code)]

use std::{
    error::Error,
    fmt, io,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use faults::Server;
use hyper::body::{Body, Frame};
use stormless::{Execution, Kind, Retryable};

/// The examples of the page are compiled like every other.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/adapters/http.md")]
struct Page;

/// A row of a table: kind, execution, label.
pub type Row = (Kind, Execution, &'static str);

/// Likely to pass, and certainly not carried out.
#[must_use]
pub const fn unsent(label: &'static str) -> Row {
    (Kind::Transient, Execution::NotExecuted, label)
}

/// Likely to pass, and perhaps carried out.
#[must_use]
pub const fn lost(label: &'static str) -> Row {
    (Kind::Transient, Execution::MaybeExecuted, label)
}

/// Too late.
#[must_use]
pub const fn late(label: &'static str) -> Row {
    (Kind::Timeout, Execution::MaybeExecuted, label)
}

/// Hopeless, although it may have been carried out.
#[must_use]
pub const fn hopeless(label: &'static str) -> Row {
    (Kind::Permanent, Execution::MaybeExecuted, label)
}

/// What an adapter makes of an error. An error alone never carries a hint, and none of these is local.
///
/// # Panics
///
/// It does.
#[must_use]
pub fn row<E: Retryable>(error: &E) -> Row {
    let class = error.classify();
    assert_eq!((class.hint(), class.is_local()), (None, false));
    (class.kind(), class.execution(), error.label())
}

/// Lets the server close a connection that waits in a client's pool, so that the client finds out only when
/// it uses it. On a runtime of one thread, and after all that there was to read has been read.
///
/// # Panics
///
/// The server does not close it.
pub async fn close_unnoticed(server: &Server) {
    // Whatever still moves between the connection and its pool comes to rest.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    server.release();
    assert!(server.wait(|hits| hits.closed == 1));
    // The runtime learns of the end, and the connection has no turn before the caller goes on.
    tokio::task::yield_now().await;
}

/// An error that names itself as its own cause.
#[derive(Debug)]
pub struct Cyclic;

impl fmt::Display for Cyclic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round and round")
    }
}

impl Error for Cyclic {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

/// The kinds that networks fail with, and what each says of itself, whatever its text says.
pub const KINDS: [(io::ErrorKind, Row); 14] = [
    (io::ErrorKind::ConnectionRefused, unsent("connection_refused")),
    (io::ErrorKind::HostUnreachable, unsent("host_unreachable")),
    (io::ErrorKind::NetworkUnreachable, unsent("network_unreachable")),
    (io::ErrorKind::Interrupted, unsent("interrupted")),
    (io::ErrorKind::ConnectionReset, lost("connection_reset")),
    (io::ErrorKind::ConnectionAborted, lost("connection_aborted")),
    (io::ErrorKind::BrokenPipe, lost("broken_pipe")),
    (io::ErrorKind::UnexpectedEof, lost("unexpected_eof")),
    (io::ErrorKind::TimedOut, late("timed_out")),
    (io::ErrorKind::NotFound, (Kind::Permanent, Execution::NotExecuted, "not_found")),
    (
        io::ErrorKind::PermissionDenied,
        (Kind::Permanent, Execution::NotExecuted, "permission_denied"),
    ),
    (io::ErrorKind::InvalidInput, (Kind::Permanent, Execution::NotExecuted, "invalid_input")),
    (io::ErrorKind::InvalidData, (Kind::Permanent, Execution::NotExecuted, "invalid_data")),
    (io::ErrorKind::AlreadyExists, (Kind::Permanent, Execution::NotExecuted, "already_exists")),
];

/// A body that breaks off with an error that would be transient if it were the connection's.
#[derive(Debug)]
pub struct Failing;

impl Body for Failing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into())))
    }
}
