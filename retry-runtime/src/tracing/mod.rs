//! Spans of calls and attempts, and records of what happens, for whoever subscribes through `tracing`.
//!
//! Without the feature `tracing-0-1` all of this is nothing, and folds away.

#[cfg(not(feature = "tracing-0-1"))]
#[path = "off.rs"]
mod imp;
#[cfg(feature = "tracing-0-1")]
mod imp {
    pub(crate) use super::{
        carried::Carried,
        contain::Inside,
        records::{due, gave_up, hears_warnings, tell, wants_warnings},
        silence::Silence,
        spans::{Traced, wants_calls},
    };
}

#[cfg(feature = "tracing-0-1")]
mod carried;
#[cfg(feature = "tracing-0-1")]
mod contain;
#[cfg(feature = "tracing-0-1")]
mod records;
#[cfg(feature = "tracing-0-1")]
mod silence;
#[cfg(feature = "tracing-0-1")]
mod spans;

pub(crate) use imp::*;

/// What all spans and records are filtered by.
#[cfg(feature = "tracing-0-1")]
const TARGET: &str = "stormless";
