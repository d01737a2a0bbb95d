//! What the benchmarks of many calls share: the body, the counting allocator, the process's figures.

pub mod heap;
pub mod process;
pub mod work;
