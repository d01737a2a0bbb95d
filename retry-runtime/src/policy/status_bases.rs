//! Delays whose base depends on the status that a server answered with.

use std::time::Duration;

use super::Policy;
use crate::{Backoff, Classification, status::classify_status};

/// Added to each delay, drawn anew: from zero to this.
const JITTER: Duration = Duration::from_millis(100);
const MAX: Duration = Duration::from_secs(30);
/// Of all failures that have none of their own: the shortest there is.
const BASE: Duration = TOO_MANY_REQUESTS;
const TOO_MANY_REQUESTS: Duration = Duration::from_millis(100);
const GATEWAY_TIMEOUT: Duration = Duration::from_millis(300);
const SERVICE_UNAVAILABLE: Duration = Duration::from_millis(500);

impl Policy {
    /// Exponential delays that start where the failure says, and up to a tenth of a second on top:
    /// `min(base · 2^k + U(0, 0.1 s), 30 s)`, k = 0 for the first retry; three attempts.
    ///
    /// The base comes with the classification, as [`Classification::from_status_with_base`] and the functions
    /// of `stormless::http` that end in `_with_base` (feature `http-1`) give it: 100 ms after a 429, 300 ms
    /// after a 504, 500 ms after a 503. It is 100 ms after all other failures, those of the network among
    /// them. What a server asks for is a floor, as always.
    ///
    /// The jitter does not grow with the delay, and at 30 s there is none: for more than a few callers of one
    /// server prefer [`Policy::new`], whose delays are spread all the way.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, Policy};
    ///
    /// const ORDERS: Policy = Policy::with_status_bases().attempts(5);
    /// assert!(ORDERS.check().is_ok());
    /// ```
    pub const fn with_status_bases() -> Self {
        Self::new().backoff(Backoff::exponential_plus(JITTER)).base(BASE).max(MAX)
    }
}

impl Classification {
    /// [`from_status`](Self::from_status), with the base delay that suits the status: 100 ms for 429, as a
    /// rate limit frees up piece by piece; 300 ms for 504; 500 ms for 503, as a server takes its time to
    /// recover. All others start from the policy's base. [`Policy::with_status_bases`] belongs to it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    /// use std::time::Duration;
    ///
    /// let unavailable = Classification::from_status_with_base(503);
    /// assert_eq!(unavailable.base_override(), Some(Duration::from_millis(500)));
    /// assert_eq!(Classification::from_status_with_base(404), Classification::from_status(404));
    /// ```
    pub const fn from_status_with_base(code: u16) -> Self {
        let class = classify_status(code);
        match code {
            429 => class.base(TOO_MANY_REQUESTS),
            503 => class.base(SERVICE_UNAVAILABLE),
            504 => class.base(GATEWAY_TIMEOUT),
            _ => class,
        }
    }
}
