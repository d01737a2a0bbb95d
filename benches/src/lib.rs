//! What the benchmarks share: the subjects, the ways to measure them, and the tables.
//!
//! Every question is one binary, see `docs/performance.md`. Nothing here is built with tokio's
//! `test-util` but the failure path, which needs paused time and has the feature `paused` for it.

pub mod allocations;
pub mod callgrind;
pub mod drive;
pub mod machine;
pub mod options;
pub mod pair;
#[cfg(feature = "peers")]
pub mod policies;
pub mod rounds;
pub mod subjects;
pub mod work;
