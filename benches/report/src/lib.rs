//! What the benchmarks print besides their figures: the machine, the versions, aligned tables.

mod head;
mod options;
mod progress;
mod samples;
mod table;
mod verdict;

pub use head::{head, packages};
pub use options::{count, fail, misused};
pub use progress::Progress;
pub use samples::Samples;
pub use table::Table;
pub use verdict::{figure, held, verdict};
