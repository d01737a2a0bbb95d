//! What crosses from one process to another: how often a request was sent already, how often it may be sent
//! yet, and how much time is left for it.
//!
//! The caller writes that to its request with [`inject`], from within an attempt; the callee reads it with
//! [`extract`] and answers inside of [`Incoming::scope`]. There annotated functions know what they would
//! know if the caller had called them directly: they run once where the caller retries, and none of them
//! goes on past the caller's deadline. So three services of three attempts make 3 calls and not 27.
//!
//! Whatever can carry text by name is a [`Carrier`]: maps of strings, and with their features
//! `http::HeaderMap` and tonic's `MetadataMap`. Most programs need none of this by hand, but the layers of
//! `stormless::tower`.
//!
//! ```
//! # use retry_runtime as stormless;
//! use std::{collections::HashMap, time::Duration};
//! use stormless::{deadline, wire};
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
//! // As a caller sends it: its second attempt of three, with 800 ms left.
//! let mut headers = HashMap::new();
//! headers.insert("stormless-attempt".to_owned(), "2;max=3;remaining=800".to_owned());
//!
//! // In the callee.
//! let incoming = wire::extract(&headers);
//! assert!(incoming.is_retry());
//! let left = incoming.scope(async { deadline::remaining() }).await;
//! assert_eq!(left, Some(Duration::from_millis(800)));
//! # }
//! ```

pub mod aws;
mod carrier;
mod digits;
pub mod envoy;
mod facts;
pub mod grpc;
mod incoming;
mod inject;
mod refuse;

#[cfg(feature = "http-1")]
mod http;
#[cfg(feature = "reqwest-0-13")]
pub(crate) mod reqwest;
#[cfg(feature = "tonic-0-14")]
pub(crate) mod tonic;

pub use carrier::Carrier;
pub use facts::Facts;
pub use incoming::{Incoming, IncomingScope, extract};
pub use inject::{Inject, inject};
pub use refuse::{mark_do_not_retry, says_do_not_retry};

/// The request header, or metadata key, in which callers tell callees about the attempt:
/// `2;max=3;remaining=1837`.
pub const ATTEMPT: &str = "stormless-attempt";

/// The response header in which callees tell callers not to retry: `?1`.
pub const DO_NOT_RETRY: &str = "stormless-do-not-retry";

/// The request header of the key by which a callee knows a repetition.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
