//! What there is for reqwest 0.13.

pub use crate::wire::reqwest::inject;
