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
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Backoff, Classification, engine::{DelayInput, Steps, Uniform}};
/// use std::time::Duration;
///
/// struct Middle;
///
/// impl Uniform for Middle {
///     fn up_to(&mut self, top: u64) -> u64 {
///         top / 2
///     }
/// }
///
/// let steps = Steps::new(Duration::from_secs(1), Duration::from_secs(20), 2.0);
/// let failure = Classification::transient();
/// let delay = Backoff::FullJitter.delay(&DelayInput::new(&steps, 0, &failure), &mut Middle);
/// assert_eq!(delay, Duration::from_millis(500));
/// ```
pub trait Uniform {
    /// A number drawn uniformly from `0..=top`.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::{Generator, Uniform};
    ///
    /// assert!(Generator::seeded(42, 0).up_to(9) <= 9);
    /// ```
    fn up_to(&mut self, top: u64) -> u64;
}
