//! Tries a policy against a storm before it is shipped.

#![forbid(unsafe_code)]

pub mod attribute;
pub mod budget;
pub mod plan;
