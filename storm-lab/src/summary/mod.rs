//! What several seeds of several policies come to: medians, ranges, and ratios to the first policy.

mod measure;
mod note;
mod value;

pub use measure::{Measure, Unit};
pub use note::Note;
pub use value::{Spread, Value};

use std::collections::BTreeMap;

use crate::{outcome::Outcome, scenario::Scenario};

/// A row for each policy, as declared.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The first policy, by which the others' figures are divided.
    pub first: String,
    /// One for each policy of the scenario, also where nothing of it was finished.
    pub rows: Vec<Row>,
}

/// What one policy came to.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub policy: String,
    /// The seeds that were finished, as declared.
    pub seeds: Vec<u64>,
    /// One for each of [`Measure::ALL`], in that order.
    figures: Vec<Figure>,
    /// In the scenario's order.
    pub tiers: Vec<TierRow>,
    /// How many calls of a seed were not retried any more, by why.
    pub stops: BTreeMap<&'static str, Spread>,
    /// What the reader must know, and of which seeds.
    pub notes: Vec<Note>,
}

/// One measure of one policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Over the seeds.
    pub value: Spread,
    /// Each seed's figure divided by that of the first policy with the same seed, over the seeds; `None` for the
    /// first policy itself.
    pub ratio: Option<Spread>,
}

/// One tier of one policy, over the seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct TierRow {
    /// Its name.
    pub name: String,
    /// Attempts at it for each logical call of the clients.
    pub attempts: Spread,
    /// The share of its workers' time in which they served.
    pub utilisation: Spread,
    /// Of the requests that were served to their end, the share whose client had given up.
    pub wasted: Spread,
    /// Retries that a budget has granted.
    pub granted: Spread,
    /// Retries that a budget has refused.
    pub refused: Spread,
}

impl Summary {
    /// Of the outcomes of one scenario, in any order.
    pub fn of(scenario: &Scenario, outcomes: &[Outcome]) -> Self {
        let mut policies: Vec<&str> =
            scenario.policies.iter().map(|policy| policy.name.as_str()).collect();
        for outcome in outcomes {
            if !policies.contains(&outcome.policy.as_str()) {
                policies.push(&outcome.policy);
            }
        }
        let of = |policy: &str| -> Vec<&Outcome> {
            outcomes.iter().filter(|outcome| outcome.policy == policy).collect()
        };
        let first = policies.first().map_or_else(Vec::new, |policy| of(policy));
        let rows = policies
            .iter()
            .enumerate()
            .map(|(at, policy)| Row::of(scenario, policy, &of(policy), (at > 0).then_some(&first)))
            .collect();
        Self { first: policies.first().copied().unwrap_or_default().to_owned(), rows }
    }

    /// The row of this policy.
    pub fn row(&self, policy: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.policy == policy)
    }
}

impl Row {
    fn of(
        scenario: &Scenario,
        policy: &str,
        outcomes: &[&Outcome],
        first: Option<&Vec<&Outcome>>,
    ) -> Self {
        let figure = |measure: &Measure| {
            let value = |outcome: &Outcome| measure.of(scenario, outcome);
            let over = |outcome: &&Outcome, first: &[&Outcome]| {
                let base = first.iter().find(|base| base.seed == outcome.seed);
                base.map_or(Value::Undefined, |base| value(outcome).over(value(base)))
            };
            Figure {
                value: Spread::of(outcomes.iter().map(|outcome| value(outcome))),
                ratio: first
                    .map(|first| Spread::of(outcomes.iter().map(|outcome| over(outcome, first)))),
            }
        };
        Self {
            policy: policy.to_owned(),
            seeds: outcomes.iter().map(|outcome| outcome.seed).collect(),
            figures: Measure::ALL.iter().map(figure).collect(),
            tiers: tiers(scenario, outcomes),
            stops: stops(outcomes),
            notes: Note::group(outcomes),
        }
    }

    /// One measure of it.
    pub fn figure(&self, measure: Measure) -> Figure {
        let undefined = Figure { value: Spread::UNDEFINED, ratio: None };
        self.figures.get(measure as usize).copied().unwrap_or(undefined)
    }

    /// All measures of it, in the order of [`Measure::ALL`].
    pub fn figures(&self) -> impl Iterator<Item = (Measure, Figure)> {
        Measure::ALL.iter().copied().zip(self.figures.iter().copied())
    }
}

fn tiers(scenario: &Scenario, outcomes: &[&Outcome]) -> Vec<TierRow> {
    let Some(names) = outcomes.first().map(|outcome| &outcome.tiers) else { return Vec::new() };
    let row = |(at, name): (usize, &crate::outcome::TierOutcome)| {
        let over = |value: fn(&Outcome, &crate::outcome::TierOutcome) -> Value| {
            Spread::of(outcomes.iter().map(|outcome| {
                outcome.tiers.get(at).map_or(Value::Undefined, |tier| value(outcome, tier))
            }))
        };
        TierRow {
            name: name.name.clone(),
            attempts: over(|outcome, tier| Value::share(tier.attempts, outcome.calls)),
            utilisation: if measure::has_server(scenario, at) {
                over(|_, tier| Value::number(tier.utilisation))
            } else {
                Spread::UNDEFINED
            },
            wasted: over(|_, tier| Value::share(tier.wasted, tier.served)),
            granted: over(|_, tier| Value::count(tier.granted)),
            refused: over(|_, tier| Value::count(tier.refused)),
        }
    };
    names.iter().enumerate().map(row).collect()
}

fn stops(outcomes: &[&Outcome]) -> BTreeMap<&'static str, Spread> {
    let mut labels: Vec<_> =
        outcomes.iter().flat_map(|outcome| outcome.stops.keys().copied()).collect();
    labels.sort_unstable();
    labels.dedup();
    let count =
        |label, outcome: &Outcome| Value::count(outcome.stops.get(label).copied().unwrap_or(0));
    labels
        .into_iter()
        .map(|label| (label, Spread::of(outcomes.iter().map(|outcome| count(label, outcome)))))
        .collect()
}
