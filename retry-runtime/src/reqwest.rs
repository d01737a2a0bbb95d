//! What there is for reqwest 0.13.

#[cfg(feature = "tower-0-5")]
pub use crate::tower::reqwest::by_method;
pub use crate::{adapters::reqwest::*, wire::reqwest::inject};
