//! What happens, second by second, and what it comes to.

use stormless::{StopReason, breakers, budgets, sites, verify};

use crate::{
    dependency::Phase,
    shop::{ORDERS, PAYMENTS_BREAKER},
};

/// Counts of all functions together, since the process began.
#[derive(Clone, Copy, Default)]
pub struct Totals {
    calls: u64,
    recovered: u64,
    failed: u64,
    attempts: u64,
    /// Failed calls that a retry might have cured, if the budget had paid for it.
    unpaid: u64,
    refused_by_breaker: u64,
}

impl Totals {
    pub fn now() -> Self {
        let mut sum = Self::default();
        for site in sites().iter() {
            let outcomes = site.outcomes();
            sum.calls += outcomes.calls();
            sum.recovered += outcomes.success_after_retry;
            sum.failed += outcomes.failure + outcomes.failure_after_retry;
            sum.attempts += site.attempts();
            sum.unpaid += site.stops(StopReason::BudgetExhausted);
            sum.refused_by_breaker += site.stops(StopReason::BreakerOpen);
        }
        sum
    }

    const fn since(self, earlier: Self) -> Self {
        Self {
            calls: self.calls - earlier.calls,
            recovered: self.recovered - earlier.recovered,
            failed: self.failed - earlier.failed,
            attempts: self.attempts - earlier.attempts,
            unpaid: self.unpaid - earlier.unpaid,
            refused_by_breaker: self.refused_by_breaker - earlier.refused_by_breaker,
        }
    }
}

pub fn print_heading() {
    println!(
        "second  dependencies  calls  saved by a retry  failed  attempts/call  budget refused  \
         `orders` holds  breaker"
    );
}

pub fn print_second(second: u64, phase: Phase, earlier: Totals, now: Totals) {
    let Totals { calls, recovered, failed, attempts, unpaid, .. } = now.since(earlier);
    let each = ratio(attempts, calls);
    let (left, state) = (ORDERS.balance(), PAYMENTS_BREAKER.state());
    println!(
        "{second:>6}  {phase:<12}  {calls:>5}  {recovered:>16}  {failed:>6}  {each:>13.2}  \
         {unpaid:>14}  {left:>14.1}  {state}"
    );
}

/// The tables of the process, and what follows from them.
pub fn print_conclusions() {
    println!("\n{}\n\n{}\n\n{}\n", sites(), budgets(), breakers());
    let Totals { calls, recovered, failed, attempts, unpaid, refused_by_breaker } = Totals::now();
    println!("What the numbers say:");
    println!("- Of {calls} calls {failed} failed, and {recovered} more would have without retries.");
    println!(
        "- All in all there were {:.2} attempts per call. {unpaid} failed calls were not retried \
         because their budget was used up: each of them could have become three attempts, just when \
         the dependencies could not answer.",
        ratio(attempts, calls)
    );
    println!(
        "- {refused_by_breaker} calls did not go on because the breaker was open: they cost their \
         callers no time, and the payments no work."
    );
    match verify() {
        Ok(_) => println!("- `verify()` finds nothing wrong."),
        Err(found) => println!("- `verify()` would not have let this process start: {found}"),
    }
}

#[allow(clippy::cast_precision_loss)] // Counts of a demonstration.
fn ratio(of: u64, to: u64) -> f64 {
    if to == 0 { 0.0 } else { of as f64 / to as f64 }
}
