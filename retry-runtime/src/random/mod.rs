//! Where jitter comes from.

mod generator;
mod seed;
#[cfg(feature = "simulation")]
pub(crate) mod simulated;

pub use generator::Generator;
pub(crate) use seed::{Stream, word_of_this_process};

/// A source of uniform whole numbers.
///
/// The engine takes one as an argument; production hands it a seeded [`Generator`], tests may hand
/// it one that always yields the lowest or the highest value.
pub trait Uniform {
    /// A number drawn uniformly from `0..=top`.
    fn up_to(&mut self, top: u64) -> u64;
}
