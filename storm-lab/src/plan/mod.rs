//! What a policy and its budget come to, by arithmetic: nothing is simulated but the policy's own delays.

mod advice;
mod draws;
mod due;
mod figures;
mod json;
mod load;
mod shown;

use std::time::Duration;

use retry_runtime::Bound;

use crate::attribute::{Attribute, Payer};
use crate::budget::BudgetSpec;

/// How many calls are drawn.
pub const DRAWS: u64 = 10_000;
/// What the draws begin with: the same plan has the same figures everywhere.
pub const SEED: u64 = 1;
/// The default bucket, in the words of [`BudgetSpec`].
const DEFAULT_BUDGET: &str = "burst=10,ratio=0.1";
/// The most retries that the schedule shows.
pub const ROWS: u32 = 20;

/// Under what a policy is to work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circumstances {
    /// Calls a second that one process makes. What is not above zero counts as unknown.
    pub rps: f64,
    /// How many processes there are. Zero acts like one.
    pub processes: u32,
    /// Requests a second that the dependency can answer, if that is known.
    pub capacity: Option<f64>,
    /// How long an attempt takes until it has failed; as good as nothing if that is not known. An attempt timeout
    /// ends it earlier.
    pub attempt: Option<Duration>,
    /// A deadline that callers set, beside the function's own.
    pub deadline: Option<Duration>,
    /// For how long nothing may be answered without a call failing for want of budget, if that is wanted.
    pub blackout: Option<Duration>,
}

/// What a policy comes to. The `Display` form is [`shown`](Self::shown) 100 columns wide and without colours.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The policy as it was written.
    pub policy: String,
    /// What pays, as [`BudgetSpec`] writes it, and with `(the default)` behind it if nothing was said; `None` for
    /// nothing.
    pub budget: Option<String>,
    /// Under what it was worked out.
    pub around: Circumstances,
    /// The most attempts; `None` if unlimited.
    pub attempts: Option<u32>,
    /// How long an attempt was taken to fail.
    pub attempt: Duration,
    /// How long an attempt takes at most: its timeout, else what was said; `None` if neither is known.
    pub longest_attempt: Option<Duration>,
    /// The schedule of calls whose attempts all fail: a row for each retry, the first [`ROWS`] if there are more.
    pub rows: Vec<Row>,
    /// How long such a call lasts at most if nothing but the attempts ends it: all delays at their longest, and
    /// every attempt as long as its timeout lets it be. `None` if attempts are unlimited.
    pub worst_total: Option<Duration>,
    /// The deadline that holds: the earlier of the function's own and its callers'.
    pub deadline: Option<Duration>,
    /// The share of such calls that the deadline keeps from their last attempt, from 0 to 1; of more than a hundred
    /// retries, from the hundredth.
    pub cut: Option<f64>,
    /// The share of such calls in which an attempt, which is then the last, starts with less time to the deadline than
    /// it takes, from 0 to 1.
    pub cramped: Option<f64>,
    /// What the budget promises, for all processes; `None` where nothing pays.
    pub bound: Option<Bound>,
    /// Attempts per call in the long run at worst, whatever the dependency does.
    pub worst_amplification: f64,
    /// For how long the budget pays for every retry once all calls fail, if they begin evenly; `None` if that has no
    /// end or is not known. A retry is paid for when the attempt before it has failed.
    pub ridden_out: Option<Duration>,
    /// Retries that each process needs in reserve, so that all that are asked for during the blackout that was given are
    /// paid for; `None` if none was given, or nothing is known.
    pub burst_needed: Option<f64>,
    /// Retries of each process that are asked for when the blackout is over, because attempts that begin in it fail
    /// after it; `None` as before.
    pub asked_after: Option<f64>,
    /// Attempts a second in the long run at worst, over all processes; `None` if the calls a second are not known.
    pub long_run: Option<f64>,
    /// What is likely not meant.
    pub warnings: Vec<String>,
    /// What is good to know.
    pub notes: Vec<String>,
}

/// One retry.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the attempt; the first that is a retry is 2.
    pub attempt: u32,
    /// The longest delay that the strategy can give here, before it is rounded up to milliseconds.
    pub cap: Duration,
    /// The delay before it.
    pub delay: Spread,
    /// When it starts, from the beginning of the call.
    pub start: Spread,
    /// The share of calls in which it starts before the deadline, from 0 to 1.
    pub in_time: Option<f64>,
}

/// How a length of time is spread over calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The shortest that there can be, exactly.
    pub least: Duration,
    /// That of one call in twenty is at most so long, as drawn.
    pub p5: Duration,
    /// That of every other call is at most so long, as drawn.
    pub p50: Duration,
    /// That of 19 in 20 calls is at most so long, as drawn.
    pub p95: Duration,
    /// The longest that there can be, exactly.
    pub most: Duration,
}

impl Plan {
    /// Works it out. The budget is the one of the policy's name or the function's own; without one it is the
    /// default bucket.
    ///
    /// ```
    /// use std::time::Duration;
    /// use storm_lab::{attribute, budget::BudgetSpec, plan::{Circumstances, Plan}};
    ///
    /// let policy = attribute::read(r#"base = "50ms", max = "1s", budget = "orders", idempotent"#)?;
    /// let budget = BudgetSpec::read("burst=10,ratio=0.1").unwrap();
    /// let around = Circumstances {
    ///     rps: 300.0,
    ///     processes: 20,
    ///     capacity: None,
    ///     attempt: Some(Duration::from_millis(10)),
    ///     deadline: None,
    ///     blackout: None,
    /// };
    /// let plan = Plan::of(&policy, Some(&budget), &around);
    /// assert_eq!(plan.rows[1].cap, Duration::from_millis(100));
    /// assert_eq!(plan.worst_total, Some(Duration::from_millis(180)));
    /// assert_eq!(plan.bound.and_then(|bound| bound.burst()), Some(200.0));
    /// # Ok::<(), attribute::Mistakes>(())
    /// ```
    pub fn of(attribute: &Attribute, budget: Option<&BudgetSpec>, around: &Circumstances) -> Self {
        let policy = &attribute.policy;
        let taken = around.attempt.unwrap_or_default();
        let attempt = attribute.attempt_timeout.map_or(taken, |timeout| taken.min(timeout));
        let deadline = attribute.deadline.into_iter().chain(around.deadline).min();
        let drawn = draws::draw(policy, attempt, deadline);
        let bound = load::bound(&attribute.budget, budget, around);
        let mut plan = Self {
            policy: attribute.text.clone(),
            budget: written(&attribute.budget, budget),
            around: *around,
            attempts: policy.max_attempts(),
            attempt,
            longest_attempt: attribute.attempt_timeout.or(around.attempt),
            rows: drawn.rows,
            worst_total: draws::worst_total(policy, attribute.attempt_timeout.unwrap_or(taken)),
            deadline,
            cut: drawn.cut,
            cramped: drawn.cramped,
            bound,
            worst_amplification: load::amplification(policy, bound.as_ref()),
            ridden_out: load::ridden_out(&drawn.due, bound.as_ref(), around),
            burst_needed: load::burst_needed(&drawn.due, around).filter(|_| bound.is_some()),
            asked_after: load::asked_after(&drawn.due, around).filter(|_| bound.is_some()),
            long_run: load::offered(around)
                .map(|offered| load::long_run(policy, bound.as_ref(), offered)),
            warnings: Vec::new(),
            notes: Vec::new(),
        };
        plan.warnings = advice::warnings(&plan, attribute, around);
        plan.notes = advice::notes(&plan, attribute, budget, around);
        plan
    }
}

/// The budget as it would be given; the default where nothing was said.
fn written(payer: &Payer, spec: Option<&BudgetSpec>) -> Option<String> {
    match payer {
        Payer::None => None,
        Payer::Own | Payer::Named(_) => Some(
            spec.map_or_else(|| format!("{DEFAULT_BUDGET} (the default)"), ToString::to_string),
        ),
    }
}

/// The name of the budget in sentences.
fn named(payer: &Payer) -> String {
    match payer {
        Payer::Named(name) => format!("budget \"{name}\""),
        Payer::Own | Payer::None => "the function's own bucket".into(),
    }
}

#[cfg(test)]
mod tests;
