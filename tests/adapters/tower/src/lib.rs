//! A service that watches over those who use it.

#![forbid(unsafe_code)]

mod probe;

pub use probe::{Call, Failure, Probe, Step};

/// The examples of the page are compiled like every other.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/tower.md")]
struct Page;
