//! Boxed errors whose chain of causes never ends.

use std::{error::Error, fmt, io, sync::Arc};

use stormless::{Classification, Retryable, tower::classify};
use tonic::Status;
use tower::{BoxError, Layer, ServiceExt, buffer::BufferLayer};

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

/// A middleware of reqwest's takes no boxed error.
#[derive(Debug)]
struct Boxed(BoxError);

impl fmt::Display for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("boxed")
    }
}

impl Error for Boxed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

const HOPELESS: Classification = Classification::permanent().maybe_executed();

fn all() -> [BoxError; 3] {
    let mut status = Status::unavailable("");
    status.set_source(Arc::new(Cyclic));
    [Cyclic.into(), io::Error::other(Cyclic).into(), status.into()]
}

// R126
#[test]
fn a_cause_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    for error in all() {
        assert_eq!(classify(&error).kind(), HOPELESS.kind(), "{error}");
    }
}

// R126
#[tokio::test]
async fn so_it_is_below_a_buffer() {
    let fails = tower::service_fn(|_: u32| async { Err::<u32, _>(BoxError::from(Cyclic)) });
    let buffered = BufferLayer::new(1).layer(fails);
    let error = buffered.oneshot(1).await.unwrap_err();
    assert_eq!(classify(&error), HOPELESS);
}

// R126
#[test]
fn so_it_is_below_a_middleware_of_reqwest() {
    for error in all() {
        let error = reqwest_middleware::Error::middleware(Boxed(error));
        assert_eq!(error.classify().kind(), HOPELESS.kind(), "{error:?}");
    }
}
