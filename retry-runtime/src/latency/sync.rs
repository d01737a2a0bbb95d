//! The atomics of the sketch, named once so that a model can put others in their place.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
