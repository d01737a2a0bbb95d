//! A dependency for the tests to call.
#![forbid(unsafe_code)]

pub use runtimes::{Dependency, Failure};
