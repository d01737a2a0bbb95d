//! What there is for reqwest 0.13.

pub use crate::{adapters::reqwest::*, wire::reqwest::inject};
