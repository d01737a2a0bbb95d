//! What the retries of all calls together come to.

use std::time::Duration;

use retry_runtime::{Bound, Budget, Policy};

use super::Circumstances;
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

/// Retries a second that one process wants while all its calls fail.
pub(super) fn wanted(policy: &Policy, around: &Circumstances) -> Option<f64> {
    let retries = f64::from(policy.max_attempts()? - 1);
    Some(around.rps * retries).filter(|wanted| *wanted > 0.0 && wanted.is_finite())
}

/// Retries in reserve that pay for all of one process during the blackout.
pub(super) fn burst_needed(policy: &Policy, around: &Circumstances) -> Option<f64> {
    Some((wanted(policy, around)? * around.blackout?.as_secs_f64()).ceil())
}

/// For how long every retry is paid for while nothing is answered.
pub(super) fn ridden_out(
    policy: &Policy,
    bound: Option<&Bound>,
    around: &Circumstances,
) -> Option<Duration> {
    let bound = bound?;
    // Those that come by time do not run out.
    if bound.per_second() > 0.0 {
        return None;
    }
    let burst = bound.burst()? / f64::from(bound.processes());
    Duration::try_from_secs_f64(burst / wanted(policy, around)?).ok()
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
