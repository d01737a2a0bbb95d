//! The outcomes of one scenario, by policy and seed.

use std::time::Duration;

use super::{Bound, Verdict};
use crate::{
    outcome::{Outcome, Recovery},
    scenario::{PolicySpec, Scenario, Work},
};

/// A figure of one outcome.
pub(super) type Figure = fn(&Outcome) -> f64;

pub(super) struct Runs<'a> {
    scenario: &'a Scenario,
    outcomes: &'a [Outcome],
}

impl<'a> Runs<'a> {
    pub(super) const fn new(scenario: &'a Scenario, outcomes: &'a [Outcome]) -> Self {
        Self { scenario, outcomes }
    }

    pub(super) fn of(&self, policy: &str) -> impl Iterator<Item = &'a Outcome> {
        self.outcomes.iter().filter(move |outcome| outcome.policy == policy)
    }

    /// One for each seed.
    pub(super) fn each(&self, policy: &str, what: &str, figure: Figure, bound: Bound) -> Verdict {
        let observed = self.of(policy).map(figure).collect();
        Verdict { what: format!("{policy}: {what}"), bound, observed }
    }

    /// The middle one of all seeds.
    pub(super) fn median(&self, policy: &str, what: &str, figure: Figure, bound: Bound) -> Verdict {
        let mut all: Vec<f64> = self.of(policy).map(figure).collect();
        all.sort_unstable_by(f64::total_cmp);
        let (lower, upper) = (all.get(all.len().saturating_sub(1) / 2), all.get(all.len() / 2));
        // Twice the same if there is one in the middle; never stays never.
        let observed = lower.zip(upper).map(|(lower, upper)| f64::midpoint(*lower, *upper));
        let observed = observed.into_iter().collect();
        Verdict { what: format!("{policy}: {what}, median"), bound, observed }
    }

    /// The mean of all seeds.
    pub(super) fn mean(&self, policy: &str, figure: Figure) -> f64 {
        let all: Vec<f64> = self.of(policy).map(figure).collect();
        #[expect(clippy::cast_precision_loss, reason = "a hundred seeds")]
        let many = all.len() as f64;
        all.iter().sum::<f64>() / many
    }

    /// Each seed's figure divided by that of another policy with the same seed.
    pub(super) fn over(
        &self,
        policy: &str,
        base: &str,
        what: &str,
        figure: Figure,
        bound: Bound,
    ) -> Verdict {
        let observed =
            self.pairs(policy, base).map(|(one, base)| figure(one) / figure(base)).collect();
        Verdict { what: format!("{policy} / {base}: {what}"), bound, observed }
    }

    /// [`over`](Self::over) the first policy.
    pub(super) fn ratio(&self, policy: &str, what: &str, figure: Figure, bound: Bound) -> Verdict {
        let first = self.scenario.policies.first().map_or("", |policy| policy.name.as_str());
        self.over(policy, first, what, figure, bound)
    }

    /// Outcomes of two policies with the same seed.
    pub(super) fn pairs(
        &self,
        one: &str,
        other: &str,
    ) -> impl Iterator<Item = (&'a Outcome, &'a Outcome)> {
        let others: Vec<&Outcome> = self.of(other).collect();
        self.of(one).filter_map(move |outcome| {
            let other = others.iter().find(|other| other.seed == outcome.seed)?;
            Some((outcome, *other))
        })
    }

    pub(super) fn policy(&self, name: &str) -> Option<&'a PolicySpec> {
        self.scenario.policies.iter().find(|policy| policy.name == name)
    }

    pub(super) const fn processes(&self) -> u32 {
        match &self.scenario.work {
            Work::Services(topology) => topology.clients.processes,
            Work::Row(contention) => contention.clients,
        }
    }
}

pub(super) fn amplification(outcome: &Outcome) -> f64 {
    outcome.amplification()
}

pub(super) fn success(outcome: &Outcome) -> f64 {
    outcome.success()
}

pub(super) fn failures(outcome: &Outcome) -> f64 {
    1.0 - outcome.success()
}

pub(super) fn peak_1s(outcome: &Outcome) -> f64 {
    outcome.peak_1s()
}

pub(super) fn peak_10ms(outcome: &Outcome) -> f64 {
    outcome.peak_10ms()
}

pub(super) fn peak_1ms(outcome: &Outcome) -> f64 {
    outcome.peak_1ms.map_or(f64::NAN, f64::from)
}

pub(super) fn p95(outcome: &Outcome) -> f64 {
    outcome.percentile(0.95)
}

pub(super) fn utilisation(outcome: &Outcome) -> f64 {
    outcome.watched().map_or(f64::NAN, |tier| tier.utilisation)
}

/// In seconds; infinite for never.
pub(super) fn recovery(outcome: &Outcome) -> f64 {
    match outcome.recovery {
        Recovery::NoTrigger => f64::NAN,
        Recovery::After(time) => time.as_secs_f64(),
        Recovery::Never => f64::INFINITY,
    }
}

/// In seconds; not a number where nothing was asked.
pub(super) fn too_early(outcome: &Outcome) -> f64 {
    outcome.too_early.as_ref().map_or(f64::NAN, Duration::as_secs_f64)
}

/// Attempts at the watched tier.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(super) fn attempts(outcome: &Outcome) -> f64 {
    outcome.watched().map_or(f64::NAN, |tier| tier.attempts as f64)
}

/// Until the last call had succeeded, in milliseconds.
pub(super) fn last_success(outcome: &Outcome) -> f64 {
    outcome.percentile(1.0)
}

/// Requests beyond the first one of each logical call.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(super) fn beyond_first(outcome: &Outcome) -> f64 {
    attempts(outcome) - outcome.calls as f64
}

/// 1 where some remark of an outcome says this of a budget.
pub(super) fn says_inactive(outcome: &Outcome) -> f64 {
    f64::from(u8::from(outcome.notes.iter().any(|note| note.contains("was inactive"))))
}
