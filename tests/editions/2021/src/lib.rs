//! What the macros write, in a crate of edition 2021 that knows stormless as `again`.
#![cfg(test)]
#![forbid(unsafe_code)]

mod attribute;
mod derive;
