//! `tungstenite` 0.30 and `tokio-tungstenite` 0.30, which has the same errors.

use std::io;

use stormless::{Budget, Classification, Cut, RetryAfter, Retryable, budget, retry};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError, UrlError};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// What an error of `tungstenite` means for a retry of a function that connects anew. A connection that
/// failed is of no more use, and repeating a `send` on it fails again.
pub fn classify(error: &Error) -> Classification {
    match error {
        // The server has refused the upgrade.
        Error::Http(response) => {
            let class = Classification::from_status(response.status().as_u16());
            RetryAfter::from_headers(response.headers())
                .map_or(class, |wait| class.retry_after(wait))
        }
        // A cut of stormless is one of these, too.
        Error::Io(error) => error.classify(),
        // What was sent last may have been read.
        Error::ConnectionClosed
        | Error::Protocol(
            ProtocolError::ResetWithoutClosingHandshake | ProtocolError::HandshakeIncomplete,
        ) => Classification::transient().maybe_executed(),
        // Nothing was sent: the connection was closed before, or there is none.
        Error::AlreadyClosed
        | Error::Protocol(ProtocolError::SendAfterClosing)
        | Error::Url(UrlError::UnableToConnect(_)) => Classification::transient(),
        // The peer reads too slowly, and the message is still in this process.
        Error::WriteBufferFull(_) => Classification::throttled().local(),
        // Sizes, text that is none, certificates, URLs, and whoever does not speak the protocol.
        _ => Classification::permanent(),
    }
}

/// A connection that `connect_async` made.
pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

budget! { static FEED: Budget = Budget::new("feed"); }

/// Connects to the feed. An open connection that nobody uses does no harm.
///
/// # Errors
///
/// What the server says to the upgrade, or a cut: tungstenite itself waits without end.
#[retry(
    classify = classify,
    cut_error = cut,
    attempt_timeout = "2s",
    deadline = "10s",
    budget = FEED,
    idempotent
)]
pub async fn connect(url: &str) -> Result<Socket, Error> {
    let (socket, _response) = connect_async(url).await?;
    Ok(socket)
}

fn cut(cut: Cut) -> Error {
    io::Error::other(cut).into()
}

#[cfg(test)]
mod tests;
