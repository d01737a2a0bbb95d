//! Cuts as errors of the SDK, which an enclosing call knows again by their source.

use aws_smithy_runtime_api::client::result::{ConnectorError, SdkError};

use crate::{AttemptTimeout, BreakerOpen, DeadlineExceeded};

/// `TimeoutError`
impl<E, R> From<AttemptTimeout> for SdkError<E, R> {
    fn from(cut: AttemptTimeout) -> Self {
        Self::timeout_error(cut)
    }
}

/// `TimeoutError`
impl<E, R> From<DeadlineExceeded> for SdkError<E, R> {
    fn from(cut: DeadlineExceeded) -> Self {
        Self::timeout_error(cut)
    }
}

/// `DispatchFailure`, of a request that met no connection.
impl<E, R> From<BreakerOpen> for SdkError<E, R> {
    fn from(cut: BreakerOpen) -> Self {
        Self::dispatch_failure(ConnectorError::other(cut.into(), None).never_connected())
    }
}
