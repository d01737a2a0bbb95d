//! Metadata of tonic.

use tonic::{
    Request, Status,
    metadata::{AsciiMetadataKey, AsciiMetadataValue, MetadataMap},
    service::Interceptor,
};

use super::{Carrier, Inject, grpc};

impl Carrier for MetadataMap {
    fn get(&self, name: &'static str) -> Option<&str> {
        let mut values = self.get_all(name).into_iter();
        let only = values.next().filter(|_| values.next().is_none());
        only?.to_str().ok()
    }

    fn set(&mut self, name: &'static str, value: &str) {
        if let (Ok(name), Ok(value)) =
            (AsciiMetadataKey::from_bytes(name.as_bytes()), AsciiMetadataValue::try_from(value))
        {
            self.insert(name, value);
        }
    }
}

/// The interceptor of a client: each request tells of the attempt and of the time that is left, in this
/// crate's words and in gRPC's own (`grpc-timeout`, `grpc-previous-rpc-attempts`), which servers keep to
/// that do not know this crate.
///
/// ```
/// # use retry_runtime as stormless;
/// # use tonic::service::interceptor::InterceptedService;
/// # fn with_interceptor<S, I: tonic::service::Interceptor>(channel: S, interceptor: I) -> InterceptedService<S, I> {
/// #     InterceptedService::new(channel, interceptor)
/// # }
/// # let channel = ();
/// // As a generated client's `with_interceptor`.
/// let client = with_interceptor(channel, stormless::tonic::inject);
/// ```
///
/// An [`Inject`] is an interceptor too, for those who want something else to be written.
///
/// # Errors
///
/// None: it refuses no request.
pub fn inject(request: Request<()>) -> Result<Request<()>, Status> {
    Inject::new().grpc_timeout().grpc_previous_attempts().call(request)
}

impl Interceptor for Inject {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        self.write(request.metadata_mut());
        Ok(request)
    }
}

/// Marks a status so that its caller does not retry, whatever its code: `grpc-retry-pushback-ms: -1`.
///
/// ```
/// # use retry_runtime as stormless;
/// let mut status = tonic::Status::unavailable("the warehouse burns");
/// stormless::tonic::mark_do_not_retry(&mut status);
/// ```
pub fn mark_do_not_retry(status: &mut Status) {
    Carrier::set(status.metadata_mut(), grpc::PUSHBACK, "-1");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{ATTEMPT, extract};

    #[test]
    fn metadata_carries_the_same_as_headers() {
        let mut metadata = MetadataMap::new();
        Carrier::set(&mut metadata, ATTEMPT, "2;max=3");
        assert_eq!(extract(&metadata).attempt(), Some(2));
        metadata.append(ATTEMPT, AsciiMetadataValue::from_static("2;max=3"));
        assert!(extract(&metadata).is_empty());
    }

    #[test]
    fn the_mark_is_grpc_s_own() {
        let mut status = Status::unavailable("");
        mark_do_not_retry(&mut status);
        assert_eq!(Carrier::get(status.metadata(), grpc::PUSHBACK), Some("-1"));
    }
}
