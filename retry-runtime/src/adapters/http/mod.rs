//! Responses of the crate `http`, and what their fields ask for.
//!
//! A status alone says too little: the fields beside it say when to come back, whether anything was
//! carried out, and whether to come back at all. The functions here read both, and end up in an attribute:
//!
//! ```
//! # use retry_runtime as stormless;
//! use stormless::http::classify_response;
//! use stormless::{Hint, Kind};
//! use std::time::Duration;
//!
//! let busy = http::Response::builder().status(503).header("retry-after", "2").body(())?;
//! let class = classify_response(&busy).unwrap();
//! assert_eq!(class.kind(), Kind::Throttled);
//! assert_eq!(class.hint(), Some(Hint::RetryAfter(Duration::from_secs(2))));
//!
//! // Not a failure: the `Result` around it speaks for itself.
//! assert_eq!(classify_response(&http::Response::new(())), None);
//! # Ok::<(), http::Error>(())
//! ```
//!
//! | field | what it does to a status of 400 or more |
//! |---|---|
//! | `Retry-After` | seconds or a date (see [`RetryAfter`](crate::RetryAfter)) are a hint |
//! | this and all waits below, on a 403 or 413 | the refusal is for now: throttled, not executed. `X-RateLimit-Remaining: 0` says it alone |
//! | `x-amz-retry-after` | milliseconds are a hint; the longer one counts if there is a `Retry-After` too |
//! | `RateLimit` | if neither of these asks for anything: the `t` of a limit whose `r` is 0, of several the longest |
//! | `RateLimit-Reset` | then, where `RateLimit-Remaining` is 0: seconds, as in the drafts that had these fields |
//! | `X-RateLimit-Reset` | then, where `X-RateLimit-Remaining` is 0: a point in time, in seconds since 1970, compared with `Date`. Small numbers are no hint: some servers mean seconds by them, others milliseconds |
//! | `x-envoy-ratelimited` | throttled; where nothing above is a hint, 1 s is: the finest period of Envoy's rate limits |
//! | `x-envoy-overloaded` | on a status of 500 or more: throttled, and not executed |
//! | `stormless-do-not-retry: ?1`, in any of its lines | no retry, whatever else is asked for |
//!
//! A field that is malformed says nothing. `grpc-retry-pushback-ms` is left to gRPC.

mod fields;
mod head;
mod status;
mod wait;

#[cfg(feature = "tonic-0-14")]
pub(super) use fields::Fields;
pub use head::{
    classify_head, classify_head_with_base, classify_response, classify_response_with_base,
    classify_result, classify_result_with_base,
};
#[cfg(feature = "aws-smithy-1")]
pub(super) use wait::{AMAZON, outright};
