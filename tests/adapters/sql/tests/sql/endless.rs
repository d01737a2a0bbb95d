//! Errors of the drivers whose chain of causes never ends.

use std::{
    error::Error,
    fmt, io,
    pin::Pin,
    task::{Context, Poll},
};

use stormless::{Classification, Kind, Retryable};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{Config, NoTls};

/// An error that names itself as its own cause.
#[derive(Debug)]
struct Cyclic;

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

// R126
#[test]
fn a_cause_of_sqlx_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    for error in [
        sqlx::Error::Io(io::Error::other(Cyclic)),
        sqlx::Error::Tls(Cyclic.into()),
        sqlx::Error::Tls(io::Error::other(Cyclic).into()),
        sqlx::Error::Configuration(Cyclic.into()),
        sqlx::Error::AnyDriverError(Cyclic.into()),
    ] {
        assert_eq!(error.classify().kind(), Kind::Permanent, "{error}");
    }
}

/// A connection that fails like this whatever is done with it.
struct Endless;

impl Endless {
    fn failure<T>() -> Poll<io::Result<T>> {
        Poll::Ready(Err(io::Error::other(Cyclic)))
    }
}

impl AsyncRead for Endless {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Self::failure()
    }
}

impl AsyncWrite for Endless {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Self::failure()
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Self::failure()
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Self::failure()
    }
}

// R126
#[tokio::test]
async fn a_cause_of_tokio_postgres_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    let connected = Config::new().user("nobody").connect_raw(Endless, NoTls).await;
    let error = connected.err().expect("it was to fail");
    let class = Classification::permanent().maybe_executed();
    assert_eq!((error.classify(), error.label()), (class, "_OTHER"));
}
