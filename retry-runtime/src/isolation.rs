//! Whose buckets, counters, switches and seeds are in force: the process's, or an isolated test's.
//!
//! Without the feature `testing` there is only the process, and all of this folds away.

#[cfg(not(feature = "testing"))]
#[path = "isolation/process.rs"]
mod imp;
#[cfg(feature = "testing")]
#[path = "isolation/test.rs"]
mod imp;

pub(crate) use imp::*;
