//! What happens, second by second, and what it comes to.

use std::io::{self, Write};

use stormless::{StopReason, breakers, budgets, sites, verify};

use crate::{
    dependency::Phase,
    shop::{ORDERS, PAYMENTS_BREAKER},
};

/// Counts of all functions together, since the process began.
#[derive(Clone, Copy, Default)]
pub(crate) struct Totals {
    calls: u64,
    recovered: u64,
    failed: u64,
    attempts: u64,
    /// Failed calls that a retry might have cured, if the budget had paid for it.
    unpaid: u64,
    refused_by_breaker: u64,
}

impl Totals {
    pub(crate) fn now() -> Self {
        let mut sum = Self::default();
        for site in &sites() {
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

    pub(crate) const fn since(self, earlier: Self) -> Self {
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

pub(crate) fn print_heading(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "second  dependencies  calls  saved  failed  attempts/call  unpaid  left  breaker"
    )
}

/// One line: calls that a retry saved, calls that a retry might have saved if the budget had paid for it, and
/// what is left in the budget `orders`.
pub(crate) fn print_second(
    out: &mut impl Write,
    second: u64,
    phase: Phase,
    counts: Totals,
) -> io::Result<()> {
    let Totals { calls, recovered, failed, attempts, unpaid, .. } = counts;
    let each = ratio(attempts, calls);
    let (left, state) = (ORDERS.balance(), PAYMENTS_BREAKER.state());
    writeln!(
        out,
        "{second:>6}  {phase:<12}  {calls:>5}  {recovered:>5}  {failed:>6}  {each:>13.2}  \
         {unpaid:>6}  {left:>4.1}  {state}"
    )
}

/// The tables of the process, and what follows from them.
pub(crate) fn print_conclusions(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{}\n\n{}\n\n{}\n", sites(), budgets(), breakers())?;
    let Totals { calls, recovered, failed, attempts, unpaid, refused_by_breaker } = Totals::now();
    writeln!(out, "What the numbers say:")?;
    writeln!(
        out,
        "- Of {calls} calls {failed} failed, and {recovered} more would have without retries."
    )?;
    writeln!(out, "- There were {:.2} attempts per call, all in all.", ratio(attempts, calls))?;
    // Three attempts at most: the first was made.
    writeln!(
        out,
        "- {unpaid} calls were not repeated because their budget was used up. Dependencies that could \
         not\n  answer were spared up to {} attempts.",
        2 * unpaid
    )?;
    if refused_by_breaker > 0 {
        writeln!(
            out,
            "- {refused_by_breaker} calls found the breaker open: they cost their callers no time, and the \
             payments no work."
        )?;
    }
    match verify() {
        Ok(_) => writeln!(out, "- `verify()` finds nothing wrong."),
        Err(found) => writeln!(out, "- `verify()` at start-up would have said:\n  {found}"),
    }
}

#[allow(clippy::cast_precision_loss)] // Counts of a demonstration.
fn ratio(of: u64, to: u64) -> f64 {
    if to == 0 { 0.0 } else { of as f64 / to as f64 }
}
