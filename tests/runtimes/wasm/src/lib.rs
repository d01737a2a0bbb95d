//! A dependency for the tests to call.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]
#![forbid(unsafe_code)]

pub use runtimes::{Dependency, Failure};
