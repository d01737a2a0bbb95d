//! What the retries of all calls together come to.

use std::time::Duration;

use retry_runtime::{Bound, Budget, Policy};

use super::{Circumstances, due::Due};
use crate::attribute::Payer;
use crate::budget::BudgetSpec;

/// What the budget that pays promises, over all processes.
pub(super) fn bound(
    payer: &Payer,
    spec: Option<&BudgetSpec>,
    around: &Circumstances,
) -> Option<Bound> {
    let name = match payer {
        Payer::None => return None,
        Payer::Own => "own",
        Payer::Named(name) => name,
    };
    let budget = spec.map_or_else(|| Budget::dynamic(name), |spec| spec.build(name.to_owned()));
    Some(budget.bound().for_processes(around.processes))
}

/// Attempts per call in the long run at worst: as many as the budget pays for, but no more than the policy makes.
pub(super) fn amplification(policy: &Policy, bound: Option<&Bound>) -> f64 {
    let attempts = policy.max_attempts().map_or(f64::INFINITY, f64::from);
    bound.map_or(attempts, |bound| bound.worst_amplification().min(attempts))
}

/// Retries in reserve that pay for all that one process asks for during the blackout.
pub(super) fn burst_needed(due: &Due, around: &Circumstances) -> Option<f64> {
    due.within(around.blackout?, rate(around)?).map(f64::ceil)
}

/// Retries that one process asks for after the blackout, for attempts that began in it.
pub(super) fn asked_after(due: &Due, around: &Circumstances) -> Option<f64> {
    due.after(around.blackout?, rate(around)?).map(f64::ceil)
}

/// For how long every retry is paid for while nothing is answered.
pub(super) fn ridden_out(
    due: &Due,
    bound: Option<&Bound>,
    around: &Circumstances,
) -> Option<Duration> {
    let bound = bound?;
    // Those that come by time do not run out.
    if bound.per_second() > 0.0 {
        return None;
    }
    due.used_up(bound.burst()? / f64::from(bound.processes()), rate(around)?)
}

/// Calls a second of one process.
fn rate(around: &Circumstances) -> Option<f64> {
    Some(around.rps).filter(|rate| *rate > 0.0 && rate.is_finite())
}

/// First attempts a second, over all processes.
pub(super) fn offered(around: &Circumstances) -> Option<f64> {
    let offered = around.rps * f64::from(around.processes.max(1));
    Some(offered).filter(|offered| *offered > 0.0 && offered.is_finite())
}

/// Attempts a second in the long run at worst, over all processes.
pub(super) fn long_run(policy: &Policy, bound: Option<&Bound>, offered: f64) -> f64 {
    let all = policy.max_attempts().map_or(f64::INFINITY, |attempts| offered * f64::from(attempts));
    let Some(bound) = bound else { return all };
    // Of a window the larger of the two holds.
    let exempt = bound.window().filter(|_| bound.per_second() == 0.0).map_or(0.0, |window| {
        let retries = u32::try_from(bound.exempt()).unwrap_or(u32::MAX);
        f64::from(retries) / window.as_secs_f64()
    });
    let retries = (offered * bound.steady_share()).max(exempt) + bound.per_second();
    all.min(offered + retries)
}
