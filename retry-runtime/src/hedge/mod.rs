//! Hedging, as a function of what is known: who is in flight, and whether one more may start.
//!
//! After a delay without an answer a second attempt starts beside the first, and the first answer wins.
//! No clock, no timer and no future here: `call` drives it.

mod delay;
mod race;

use std::time::Duration;

use crate::{
    Classification, Moment, StopReason,
    machine::{self, Purse, Situation},
};

pub use delay::{Hedge, HedgeDelay};
pub(crate) use race::{End, Next, Race};

/// Whether an attempt may start beside those in flight, of which [`Situation::attempt`] is the last: the
/// order of every decision, without a failure to classify and without a delay. What it costs is taken last.
///
/// # Errors
///
/// Why not; then nothing was taken.
pub(crate) fn decide(situation: &Situation<'_>, purse: &mut dyn Purse) -> Result<(), StopReason> {
    if !situation.policy.is_idempotent() {
        return Err(StopReason::MaybeExecuted);
    }
    machine::attempts_left(situation)?;
    // What is in flight has not failed, so that a suppressed call has nothing to yield for.
    machine::switches(&Classification::transient(), situation)?;
    machine::fits(Duration::ZERO, situation)?;
    if situation.breaker_open {
        return Err(StopReason::BreakerOpen);
    }
    if purse.withdraw(1) { Ok(()) } else { Err(StopReason::BudgetExhausted) }
}

#[cfg(test)]
mod tests;
