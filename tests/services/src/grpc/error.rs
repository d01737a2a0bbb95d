//! What a status means for a retry.

use std::{error::Error, time::Duration};

use stormless::{Classification, Retryable};
use tonic::{Code, Status};

/// A call of the warehouse that failed.
#[derive(Debug, thiserror::Error, Retryable)]
pub enum WarehouseError {
    /// The server, or the way to it, says no.
    #[error("{}: {}", .0.code(), .0.message())]
    #[retryable(with = Self::by_code)]
    Status(#[from] Status),
    /// A stream ended before it said what it was opened for.
    #[error("the stream ended early")]
    #[retryable(transient)]
    EndOfStream,
    /// One attempt took too long.
    #[error("too slow")]
    #[retryable(attempt_timeout)]
    TooSlow,
    /// The call as a whole took too long.
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

impl WarehouseError {
    fn by_code(&self) -> Classification {
        let Self::Status(status) = self else { return Classification::permanent() };
        let class = match status.code() {
            // Without a cause it is what the server said before it began.
            Code::Unavailable if status.source().is_none() => Classification::transient(),
            // A broken connection; tonic says which request was written as little as the socket does.
            Code::Unavailable | Code::Unknown | Code::Internal => {
                Classification::transient().maybe_executed()
            }
            Code::ResourceExhausted => Classification::throttled(),
            Code::Aborted => Classification::conflict(),
            Code::DeadlineExceeded => Classification::timeout(),
            Code::Cancelled => Classification::cancelled(),
            Code::NotFound
            | Code::AlreadyExists
            | Code::InvalidArgument
            | Code::FailedPrecondition
            | Code::OutOfRange
            | Code::PermissionDenied
            | Code::Unauthenticated
            | Code::Unimplemented => Classification::permanent().executed(),
            Code::Ok | Code::DataLoss => Classification::permanent(),
        };
        match pushback(status) {
            Some(Pushback::After(wait)) => class.retry_after(wait),
            Some(Pushback::Never) => class.do_not_retry(),
            None => class,
        }
    }
}

enum Pushback {
    After(Duration),
    Never,
}

/// What the server asks for, as of gRPC's retry design (A6): milliseconds, and anything else means "never".
fn pushback(status: &Status) -> Option<Pushback> {
    let value = status.metadata().get("grpc-retry-pushback-ms")?;
    let wait = value.to_str().ok().and_then(|text| text.parse().ok());
    Some(wait.map_or(Pushback::Never, |millis| Pushback::After(Duration::from_millis(millis))))
}
