//! From what children say to what came of a policy.

mod outcome;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, time::Duration};

use super::{
    functions::Function,
    protocol::{Called, Served, Steps},
};
use crate::outcome::Series;

/// How long after the last call anything may still happen.
const AFTER: Duration = Duration::from_secs(30);

/// What was heard so far about one policy.
#[derive(Debug)]
pub(super) struct Tally {
    function: Function,
    /// Steps above it are not believed.
    last_step: u32,
    pub(super) series: Series,
    pub(super) failed: Vec<u32>,
    pub(super) attempts_of_calls: Vec<u32>,
    took: Vec<(u32, u32)>,
    failed_after: Vec<(u32, u32)>,
    stops: BTreeMap<String, u64>,
    pub(super) failures: BTreeMap<String, u64>,
    pub(super) served: Served,
    /// What only grows, by client.
    clients: BTreeMap<usize, Called>,
    /// Sums and numbers of budget levels, by second.
    budget: Vec<(f64, u32)>,
    latest: Duration,
}

impl Tally {
    pub(super) fn new(function: Function, length: Duration) -> Self {
        let last_step = u32::try_from(Series::step(length + AFTER)).unwrap_or(u32::MAX);
        Self {
            function,
            last_step,
            series: Series::default(),
            failed: Vec::new(),
            attempts_of_calls: Vec::new(),
            took: Vec::new(),
            failed_after: Vec::new(),
            stops: BTreeMap::new(),
            failures: BTreeMap::new(),
            served: Served::default(),
            clients: BTreeMap::new(),
            budget: Vec::new(),
            latest: Duration::ZERO,
        }
    }

    /// `false`: it speaks of times that cannot be.
    pub(super) fn called(&mut self, client: usize, called: Called) -> bool {
        let steps = [
            &called.calls,
            &called.succeeded,
            &called.failed,
            &called.attempts,
            &called.attempts_of_calls,
            &called.retries,
        ];
        let took = called.took.iter().chain(&called.failed_after);
        if steps.into_iter().any(|steps| !self.believes(steps))
            || took.into_iter().any(|(step, _)| *step > self.last_step)
        {
            return false;
        }
        add(&mut self.series.calls, &called.calls);
        add(&mut self.series.succeeded, &called.succeeded);
        add(&mut self.series.attempts, &called.attempts);
        add(&mut self.series.offered, &called.attempts);
        add(&mut self.series.retries, &called.retries);
        add(&mut self.failed, &called.failed);
        add(&mut self.attempts_of_calls, &called.attempts_of_calls);
        self.took.extend(&called.took);
        self.failed_after.extend(&called.failed_after);
        for (all, new) in [(&mut self.stops, &called.stops), (&mut self.failures, &called.failures)]
        {
            for (label, count) in new {
                *all.entry(label.clone()).or_default() += count;
            }
        }
        self.latest = self.latest.max(Duration::from_micros(called.latest_us));
        if let Some(level) = called.budget {
            let second = usize::try_from(called.at_us / 1_000_000).unwrap_or(usize::MAX);
            if second <= self.last_step as usize / 100 {
                self.budget.resize(self.budget.len().max(second + 1), (0.0, 0));
                self.budget[second].0 += level;
                self.budget[second].1 += 1;
            }
        }
        self.clients.insert(client, called);
        true
    }

    /// `false`: it speaks of times that cannot be.
    pub(super) fn served(&mut self, served: &Served) -> bool {
        if !self.believes(&served.in_time) {
            return false;
        }
        add(&mut self.series.served, &served.in_time);
        let all = &mut self.served;
        for (all, new) in [
            (&mut all.arrived, served.arrived),
            (&mut all.served, served.served),
            (&mut all.wasted, served.wasted),
            (&mut all.lost, served.lost),
            (&mut all.unanswered, served.unanswered),
            (&mut all.failed, served.failed),
            (&mut all.refused, served.refused),
            (&mut all.busy_us, served.busy_us),
        ] {
            *all = all.saturating_add(new);
        }
        all.waiting = served.waiting;
        true
    }

    fn believes(&self, steps: &Steps) -> bool {
        steps.last_key_value().is_none_or(|(last, _)| *last <= self.last_step)
    }
}

fn add(series: &mut Vec<u32>, steps: &Steps) {
    if let Some((last, _)) = steps.last_key_value() {
        series.resize(series.len().max(*last as usize + 1), 0);
    }
    for (step, count) in steps {
        series[*step as usize] = series[*step as usize].saturating_add(*count);
    }
}

pub(super) fn sum(series: &[u32]) -> u64 {
    series.iter().copied().map(u64::from).sum()
}
