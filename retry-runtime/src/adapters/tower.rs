//! Errors of tower's own middlewares, and boxed ones.

use std::error::Error;

use ::tower::{load_shed::error::Overloaded, timeout::error::Elapsed};

use super::{any, labelled};
use crate::{Classification, Retryable};

/// A timeout of `tower::timeout`: what it has stopped may have been carried out.
impl Retryable for Elapsed {
    fn classify(&self) -> Classification {
        Classification::timeout()
    }
    fn label(&self) -> &'static str {
        "timeout"
    }
}

/// `tower::load_shed` did not call the service: throttled, not executed, and by this process itself.
impl Retryable for Overloaded {
    fn classify(&self) -> Classification {
        Classification::throttled().not_executed().local()
    }
    fn label(&self) -> &'static str {
        "overloaded"
    }
}

/// Classifies a boxed error, as most of tower's middlewares make them, by the first error of its chain of
/// causes that stormless knows: for [`RetryLayer::classify`](crate::tower::RetryLayer::classify) and
/// `classify = stormless::tower::classify`.
///
/// | error | class |
/// |---|---|
/// | `tower::timeout::error::Elapsed`, tokio's `Elapsed` | timeout |
/// | `tower::load_shed::error::Overloaded` | throttled, not executed, local |
/// | what `tower::buffer` wraps | as the error inside |
/// | stormless' own cuts | as [`Cut`](crate::Cut) |
/// | with their features on: the errors of h2, hyper, hyper-util, reqwest, reqwest-middleware, tonic, sqlx, tokio-postgres and redis | as their own `classify` |
/// | `std::io::Error` | as its own, but a host or network that cannot be reached may have executed |
/// | an `SdkError` of AWS: generic over the operation, so that it cannot be found here | as what is below it, such as an `io::Error` |
/// | others, such as that a buffer's worker is gone | permanent, may have executed |
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, tower::classify};
///
/// let boxed: Box<dyn std::error::Error + Send + Sync> = tower::load_shed::error::Overloaded::new().into();
/// assert_eq!(classify(&boxed).kind(), Kind::Throttled);
/// ```
#[expect(clippy::borrowed_box, reason = "that is what services fail with")]
pub fn classify(error: &Box<dyn Error + Send + Sync>) -> Classification {
    labelled(any::verdict(&**error))
}
