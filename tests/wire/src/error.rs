//! How a call of the next service fails.

use stormless::{Classification, Retryable, wire};
use tonic::Code;

/// How a call of the next service fails.
#[derive(Debug, PartialEq, Eq, Retryable)]
pub enum CallError {
    /// The service behind does not answer, or says that it cannot.
    #[retryable(transient)]
    Unavailable,
    /// Its answer did not arrive whole: who knows what it has done.
    #[retryable(transient, maybe_executed)]
    Cut,
    /// It asks not to be called again.
    #[retryable(with = refused)]
    Refused,
    /// The deadline passed.
    #[retryable(deadline_exceeded)]
    Late,
}

fn refused(_: &CallError) -> Classification {
    Classification::throttled().do_not_retry()
}

impl CallError {
    /// What a response means.
    ///
    /// # Errors
    ///
    /// It is not a success.
    pub fn of(response: &reqwest::Response) -> Result<(), Self> {
        if response.status().is_success() {
            Ok(())
        } else if wire::says_do_not_retry(response.headers()) {
            Err(Self::Refused)
        } else {
            Err(Self::Unavailable)
        }
    }
}

impl From<reqwest::Error> for CallError {
    fn from(_: reqwest::Error) -> Self {
        Self::Unavailable
    }
}

impl From<tonic::Status> for CallError {
    fn from(status: tonic::Status) -> Self {
        let pushback = status.metadata().get(wire::grpc::PUSHBACK);
        if pushback.is_some_and(|value| value == "-1") {
            Self::Refused
        } else if matches!(status.code(), Code::Unknown | Code::Internal) {
            // C says neither: it is the client of tonic that does.
            Self::Cut
        } else {
            Self::Unavailable
        }
    }
}
