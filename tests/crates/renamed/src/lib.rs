//! What the macros write, in a crate that knows stormless as `retries`.
#![cfg(test)]
#![forbid(unsafe_code)]

mod attribute;
mod derive;
mod forms;
