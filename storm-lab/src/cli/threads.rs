//! How many simulations run side by side.

use std::{num::NonZero, thread};

use clap::Args;

/// More threads than any machine has.
const MOST: i64 = 1_024;

/// What `run` and `check` ask in common.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Threads {
    /// How many simulations run at once [default: one on each core]
    #[arg(long = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST))]
    given: Option<u16>,
}

impl Threads {
    pub(super) fn count(self) -> NonZero<usize> {
        self.given
            .and_then(|given| NonZero::new(usize::from(given)))
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN)
    }
}
