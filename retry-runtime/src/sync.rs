//! The atomics of the lock-free parts, named once so that a model can put others in their place.

pub(crate) use std::sync::{
    Mutex, MutexGuard, OnceLock, PoisonError,
    atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence},
};
