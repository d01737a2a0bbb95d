//! `async-nats` 0.51.

use std::error::Error as StdError;
use std::fmt::{Debug, Display};
use std::io;
use std::iter::successors;
use std::time::Duration;

use async_nats::ConnectErrorKind;
use async_nats::client::{FlushErrorKind, PublishErrorKind, RequestErrorKind, SubscribeErrorKind};
use async_nats::error::Error;
use async_nats::jetstream::{self, context};

use bytes::Bytes;
use stormless::{Budget, Classification, Cut, Retryable, budget, retry};

/// What an error of `async-nats` means for a retry: of connecting, of core NATS, or of `JetStream`.
pub fn classify<K: Class>(error: &Error<K>) -> Classification {
    error.kind().class().unwrap_or_else(|| by_cause(error))
}

/// A kind of errors. The crate has some 45; more of them are added like these.
pub trait Class: Clone + Debug + Display + PartialEq + 'static {
    /// `None` where the kind says too little and the errors below decide.
    fn class(&self) -> Option<Classification>;
}

impl Class for ConnectErrorKind {
    fn class(&self) -> Option<Classification> {
        Some(match self {
            Self::Dns | Self::Io => Classification::transient(),
            Self::TimedOut => Classification::timeout().not_executed(),
            Self::AuthorizationViolation => Classification::permanent().executed(),
            // Addresses, credentials, TLS, and a client that has given up reconnecting.
            _ => Classification::permanent(),
        })
    }
}

impl Class for RequestErrorKind {
    fn class(&self) -> Option<Classification> {
        match self {
            Self::TimedOut => Some(Classification::timeout()),
            Self::NoResponders => Some(Classification::transient()),
            Self::InvalidSubject | Self::MaxPayloadExceeded => Some(Classification::permanent()),
            Self::Other => None,
        }
    }
}

impl Class for PublishErrorKind {
    fn class(&self) -> Option<Classification> {
        match self {
            // `Send`: this client is closed, and stays closed.
            Self::Send | Self::MaxPayloadExceeded | Self::InvalidSubject => {
                Some(Classification::permanent())
            }
        }
    }
}

impl Class for SubscribeErrorKind {
    fn class(&self) -> Option<Classification> {
        // `Other`: this client is closed, and stays closed.
        Some(Classification::permanent())
    }
}

impl Class for FlushErrorKind {
    fn class(&self) -> Option<Classification> {
        match self {
            // What was published before may have left.
            Self::FlushError => Some(Classification::transient().maybe_executed()),
            // This client is closed, and stays closed.
            Self::SendError => Some(Classification::permanent()),
        }
    }
}

impl Class for context::PublishErrorKind {
    fn class(&self) -> Option<Classification> {
        match self {
            // Stored perhaps, and the acknowledgement lost. With a message id the server drops the copy.
            Self::TimedOut => Some(Classification::timeout()),
            Self::BrokenPipe => Some(Classification::transient().maybe_executed()),
            // Too many acknowledgements are outstanding in this process.
            Self::MaxAckPending => Some(Classification::throttled().local()),
            // Nobody listens: no stream, or no leader until a new one is elected. NATS' ADR-22 waits for 250 ms.
            Self::StreamNotFound => {
                Some(Classification::transient().base(Duration::from_millis(250)))
            }
            Self::WrongLastMessageId | Self::WrongLastSequence => {
                Some(Classification::permanent().executed())
            }
            Self::MaxPayloadExceeded => Some(Classification::permanent()),
            Self::Other => None,
        }
    }
}

impl Class for context::RequestErrorKind {
    fn class(&self) -> Option<Classification> {
        match self {
            Self::TimedOut => Some(Classification::timeout()),
            Self::NoResponders => Some(Classification::transient()),
            Self::InvalidSubject => Some(Classification::permanent()),
            Self::Other => None,
        }
    }
}

/// `JetStream`'s own answers carry the codes of HTTP. A dropped answer is a connection that was lost.
fn by_cause(error: &(dyn StdError + 'static)) -> Classification {
    let causes = successors(Some(error), |&error| error.source()).take(16);
    for error in causes {
        if let Some(error) = error.downcast_ref::<jetstream::Error>() {
            return Classification::from_status(u16::try_from(error.code()).unwrap_or(u16::MAX));
        }
        if error.is::<tokio::sync::oneshot::error::RecvError>() {
            return Classification::transient().maybe_executed();
        }
        // A cut of stormless is one of these, too.
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return error.classify();
        }
    }
    Classification::permanent()
}

budget! { static PAYMENTS: Budget = Budget::new("payments"); }

/// Publishes into a stream. The id makes a copy harmless: the server drops the second message with the same
/// `Nats-Msg-Id` within the stream's `duplicate_window`.
///
/// # Errors
///
/// What `JetStream` says, or a cut at the deadline.
#[retry(classify = classify, cut_error = cut, deadline = "10s", budget = PAYMENTS, clone(payment), idempotent)]
pub async fn publish(
    stream: &jetstream::Context,
    id: &str,
    payment: Bytes,
) -> Result<u64, context::PublishError> {
    let message = jetstream::message::PublishMessage::build().message_id(id).payload(payment);
    let ack = stream.send_publish("payments", message).await?.await?;
    Ok(ack.sequence)
}

fn cut(cut: Cut) -> context::PublishError {
    Error::with_source(context::PublishErrorKind::Other, io::Error::other(cut))
}

#[cfg(test)]
mod tests;
