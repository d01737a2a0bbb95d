//! What `#[derive(Retryable)]` says about the values of error types.

// The derive adds no lint of its own to a user's strictest settings.
#![forbid(unsafe_code)]
#![deny(
    unused,
    deprecated,
    unreachable_patterns,
    unused_qualifications,
    single_use_lifetimes,
    rust_2018_idioms
)]
#![deny(clippy::pedantic, clippy::nursery)]

mod classes;
mod cuts;
mod forwards;
mod generics;
mod names;

use std::time::Duration;

use stormless::{Classification, Retryable};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn assert_class<E: Retryable>(error: &E, class: Classification, label: &str) {
    assert_eq!(error.classify(), class, "classification of {label}");
    assert_eq!(error.label(), label);
}

/// Classes that others forward to, spelled as users spell them.
#[derive(Debug, thiserror::Error, Retryable)]
enum Inner {
    #[error("refused")]
    #[retryable(transient)]
    Refused,
    #[error("no such row")]
    #[retryable(permanent, executed)]
    NoSuchRow,
}
