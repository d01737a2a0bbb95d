//! What there is for tonic 0.14.

pub use crate::{
    adapters::tonic::*,
    wire::tonic::{inject, mark_do_not_retry},
};
