//! The fields that speak of a retry, whatever the status is that they stand beside.

use std::time::Duration;

use ::http::HeaderMap;

use super::wait;
use crate::structured;

/// Envoy has refused the request, or its cluster is above its limits.
const OVERLOADED: &str = "x-envoy-overloaded";
const RATELIMITED: &str = "x-envoy-ratelimited";
/// What a server that runs stormless too answers with where a retry would do harm.
const DO_NOT_RETRY: &str = "stormless-do-not-retry";

/// What the fields of an answer say, of HTTP or of gRPC.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Fields {
    /// No retry, whatever else is asked for.
    pub(in super::super) never: bool,
    /// A limit of Envoy's has refused the request.
    pub(in super::super) limited: bool,
    /// Envoy has dropped the request.
    pub(in super::super) overloaded: bool,
    /// How long to stay away.
    pub(in super::super) wait: Option<Duration>,
}

impl Fields {
    pub(in super::super) fn of(headers: &HeaderMap) -> Self {
        let limited = headers.contains_key(RATELIMITED);
        Self {
            never: says_true(headers, DO_NOT_RETRY),
            limited,
            overloaded: headers.contains_key(OVERLOADED),
            wait: wait::asked(headers).or(limited.then_some(wait::FINEST_PERIOD)),
        }
    }
}

/// Whether one line of a field says "true". Each hop may have added a line, or joined those that it found, and
/// one that is malformed does not take back what another one says.
fn says_true(headers: &HeaderMap, name: &str) -> bool {
    let mut lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.any(structured::says_true)
}
