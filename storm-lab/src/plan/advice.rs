//! What is likely not meant, and what is good to know.

use std::time::Duration;

use super::figures::{number, percent, time};
use super::{Circumstances, Plan, load, named};
use crate::attribute::{Attribute, Payer};
use crate::budget::BudgetSpec;

/// A burst that takes longer than this to work off is felt.
const FELT: f64 = 1.0;
/// What happens to fewer calls is left to chance.
const SOME: f64 = 0.05;

pub(super) fn warnings(plan: &Plan, attribute: &Attribute, around: &Circumstances) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(deadline) = plan.deadline {
        within_deadline(plan, attribute, deadline, &mut warnings);
    }
    cramped(plan, attribute, &mut warnings);
    never_paid(plan, &mut warnings);
    blackout(plan, attribute, around, &mut warnings);
    capacity(plan, attribute, around, &mut warnings);
    warnings
}

fn within_deadline(
    plan: &Plan,
    attribute: &Attribute,
    deadline: Duration,
    warnings: &mut Vec<String>,
) {
    let policy = &attribute.policy;
    let (allowed, remaining) = (policy.attempts_within(deadline), policy.least_remaining());
    if allowed == 0 || deadline <= remaining {
        warnings.push(format!(
            "the deadline of {} leaves no time for a first attempt: every call ends before it",
            time(deadline)
        ));
        return;
    }
    let fits = |start: Duration| start < deadline.saturating_sub(remaining);
    let mut rows = plan.rows.iter();
    let unreachable = rows.find(|row| row.attempt > allowed || !fits(row.start.least));
    if let Some(row) = unreachable {
        let first = row.attempt;
        let which = match plan.attempts {
            Some(most) if most == first => format!("attempt {first} never starts"),
            Some(most) => format!("attempts {first} to {most} never start"),
            None => format!("attempt {first} and all later ones never start"),
        };
        warnings.push(format!(
            "{which} before the deadline of {}: write `attempts = {}`, shorter delays, or a longer deadline",
            time(deadline),
            first - 1
        ));
    }
    let reachable = unreachable.is_none_or(|row| row.attempt > 2);
    if let Some(first) = plan.rows.first().filter(|first| reachable && !fits(first.start.p50)) {
        warnings.push(format!(
            "half of the first retries would start later than {}, and the deadline is {}: write a shorter `base` or a longer deadline",
            time(first.start.p50),
            time(deadline)
        ));
    }
}

/// Attempts that start in time, and end when the deadline does.
fn cramped(plan: &Plan, attribute: &Attribute, warnings: &mut Vec<String>) {
    let (Some(deadline), Some(share)) = (plan.deadline, plan.cramped) else { return };
    // Where no attempt starts at all there is another warning.
    if share >= SOME && deadline > attribute.policy.least_remaining() {
        let remedy = if deadline < plan.attempt {
            "write a shorter `attempt_timeout` or a longer deadline"
        } else {
            "write a `min_remaining`, a shorter `attempt_timeout`, fewer `attempts`, or a longer deadline"
        };
        warnings.push(format!(
            "in {} of calls whose attempts all fail the last one to start has less than the {} left that it takes to \
             fail, as the deadline is {}: {remedy}",
            percent(share),
            time(plan.attempt),
            time(deadline)
        ));
    }
}

/// Whether the blackout that was given is ridden out, and if not, what is in the way: the schedule or the burst.
fn blackout(
    plan: &Plan,
    attribute: &Attribute,
    around: &Circumstances,
    warnings: &mut Vec<String>,
) {
    let (Some(blackout), Some(last)) = (around.blackout, plan.rows.last()) else { return };
    let latest = plan.deadline.map_or(last.start.most, |deadline| deadline.min(last.start.most));
    // Of more retries than are shown nothing is known here but the first.
    let all_shown = plan.attempts == Some(last.attempt);
    if latest < blackout && (all_shown || plan.deadline == Some(latest)) {
        warnings.push(format!(
            "a blackout of {} outlasts every call: no attempt starts later than {} after its call, so calls that \
             begin in its first {} fail, whatever the budget pays for: write more `attempts`, longer delays, or \
             leave it to the callers",
            time(blackout),
            time(latest),
            time(blackout.saturating_sub(latest))
        ));
    } else if let (Some(ridden), Some(needed)) = (plan.ridden_out, plan.burst_needed)
        && ridden < blackout
    {
        warnings.push(format!(
            "at {} calls a second a total failure uses up the burst of {} in {}, and the blackout lasts {}: \
             `burst={needed}` would pay for all of it",
            number(around.rps),
            named(&attribute.budget),
            time(ridden),
            time(blackout)
        ));
    }
}

/// Attempts for which a single process cannot pay while nothing is answered, however few calls there are.
fn never_paid(plan: &Plan, warnings: &mut Vec<String>) {
    let Some(bound) = plan.bound.filter(|bound| bound.per_second() <= 0.0) else { return };
    let Some(burst) = bound.burst() else { return };
    let burst = (burst / f64::from(bound.processes())).floor();
    let retries = plan.attempts.map_or(f64::INFINITY, |attempts| f64::from(attempts) - 1.0);
    if burst >= retries {
        return;
    }
    let first = burst + 2.0;
    let which = match plan.attempts {
        Some(last) if f64::from(last) > first => format!("attempts {first} to {last} never start"),
        Some(_) => format!("attempt {first} never starts"),
        None => format!("attempt {first} and all later ones never start"),
    };
    warnings.push(format!(
        "while nothing is answered, {which}: the burst of a process pays for {}: write `attempts = {}` or \
         a larger `burst`",
        if burst < 2.0 { "1 retry".to_owned() } else { format!("{burst} retries") },
        first - 1.0
    ));
}

fn capacity(
    plan: &Plan,
    attribute: &Attribute,
    around: &Circumstances,
    warnings: &mut Vec<String>,
) {
    let known = around.capacity.filter(|capacity| *capacity > 0.0 && capacity.is_finite());
    let (Some(capacity), Some(offered)) = (known, load::offered(around)) else { return };
    let (load, limit) = (number(offered), number(capacity));
    if offered >= capacity {
        warnings.push(format!(
            "first attempts alone come to {load} a second, and the capacity is {limit}: no policy makes up for that"
        ));
        return;
    }
    let most = load::long_run(&attribute.policy, plan.bound.as_ref(), offered);
    if most > capacity {
        let remedy = match attribute.budget {
            Payer::None => "write a `budget`",
            Payer::Own | Payer::Named(_) => "write a smaller `ratio`, or fewer `attempts`",
        };
        let most = if most.is_finite() { number(most) } else { "any number of".to_owned() };
        warnings.push(format!(
            "in the long run there may be {most} attempts a second, and the capacity is {limit}: {remedy}"
        ));
    }
    let Some(burst) = plan.bound.and_then(|bound| bound.burst()) else { return };
    let seconds = burst / (capacity - offered);
    if seconds > FELT {
        let (all, processes) = (number(burst), around.processes.max(1));
        warnings.push(format!(
            "{processes} processes may send {all} retries at once, which takes {} s of what the capacity of {limit} leaves beside {load} a second: write a smaller `burst`",
            number(seconds)
        ));
    }
}

/// How soon a total failure uses up the burst, where nothing was said about a blackout.
fn spent(plan: &Plan, attribute: &Attribute, around: &Circumstances) -> Option<String> {
    let (ridden, last) = (plan.ridden_out?, plan.rows.last()?);
    (around.blackout.is_none() && ridden < last.start.p50).then(|| {
        format!(
            "at {} calls a second a total failure uses up the burst of {} in {}, sooner than one call goes through \
             its schedule ({}). From then on calls fail without a retry until something is answered, which spares \
             the dependency. Whether a certain blackout is ridden out is told with `--blackout`",
            number(around.rps),
            named(&attribute.budget),
            time(ridden),
            time(last.start.p50)
        )
    })
}

pub(super) fn notes(
    plan: &Plan,
    attribute: &Attribute,
    spec: Option<&BudgetSpec>,
    around: &Circumstances,
) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |text: &str| notes.push(text.to_owned());
    if plan.rows.is_empty() {
        note("with one attempt there are no retries");
        return notes;
    }
    if !attribute.policy.is_idempotent() {
        note(
            "without `idempotent` timeouts are never retried, nor is anything else that may have been carried out",
        );
    }
    match (&attribute.budget, spec) {
        (Payer::None, Some(_)) => {
            note("the policy says `budget = none`: the budget that was given pays for nothing");
        }
        (Payer::None, None) => {
            note("with `budget = none` nothing limits the retries of all calls together");
        }
        (Payer::Named(name), None) => {
            note(&format!(
                "nothing was said about budget \"{name}\": it is taken for the default bucket"
            ));
        }
        (Payer::Own | Payer::Named(_), _) => {}
    }
    if around.attempt.is_none() {
        note(
            "how long an attempt takes is not known, and it is taken to fail at once: say it with `--attempt`",
        );
    }
    if let Some(text) = spent(plan, attribute, around) {
        note(&text);
    }
    if attribute.breaker.is_some() {
        note("the breaker is not looked at here: while it is open there are fewer attempts");
    }
    notes
}
