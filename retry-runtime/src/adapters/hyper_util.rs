//! The pooled client of hyper-util.

use ::hyper_util::client::legacy::{Builder, Error};

use super::{Verdict, hyper, labelled, transport};
use crate::{Classification, Retryable};

/// A connection that could not be made is never executed; the first error below says whether it is worth
/// another try (refused, unreachable and names that do not resolve are transient, a timeout is a timeout, a
/// certificate that rustls does not trust is permanent). All other failures are hyper's, and judged as those are. One
/// without a cause is a request that the client refuses to send: permanent.
///
/// The client sends by itself what it could not write to a connection from its pool: see [`unretried`].
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
}

/// For `classify = stormless::hyper_util::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use hyper_util::client::legacy::Error;
/// use stormless::{Kind, hyper_util::classify};
///
/// fn is_worth_another(error: &Error) -> bool {
///     classify(error).kind() != Kind::Permanent
/// }
/// # let _: fn(&Error) -> bool = is_worth_another;
/// ```
pub fn classify(error: &Error) -> Classification {
    labelled(verdict(error))
}

fn verdict(error: &Error) -> Verdict {
    if !transport::ends(error) {
        return hyper::UNKNOWN;
    }
    let below = transport::verdict(error);
    if error.is_connect() {
        return transport::connecting(below);
    }
    below.unwrap_or((Classification::permanent(), "misused"))
}

/// A client that sends each request once, so that attempts and budgets count what reaches the server.
///
/// By default it sends again, as often as it takes and at once, what it could not write to a connection
/// from its pool.
///
/// ```
/// # use retry_runtime as stormless;
/// use hyper_util::client::legacy::{Builder, Client};
/// # fn client(builder: &mut Builder) {
/// // In place of `builder.build(connector)`:
/// stormless::hyper_util::unretried(builder);
/// # }
/// ```
pub fn unretried(builder: &mut Builder) -> &mut Builder {
    builder.retry_canceled_requests(false)
}
