//! From what children say to what came of a policy.

use std::{collections::BTreeMap, time::Duration};

use hdrhistogram::{CreationError, Histogram};
use stormless::StopReason;

use super::{
    Settings,
    faults::Schedule,
    functions::Function,
    protocol::{Called, Served, Steps},
};
use crate::{
    outcome::{Outcome, Recovery, Series, TierOutcome, recovery},
    scenario::Window,
};

/// How long after the last call anything may still happen.
const AFTER: Duration = Duration::from_secs(30);
/// The least that a sliding window limits, in attempts a minute.
const MIN_SAMPLES: f64 = 20.0;

/// What was heard so far about one policy.
#[derive(Debug)]
pub(super) struct Tally {
    function: Function,
    /// Steps above it are not believed.
    last_step: u32,
    pub(super) series: Series,
    pub(super) failed: Vec<u32>,
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
        let steps = [&called.calls, &called.succeeded, &called.failed, &called.attempts, &called.retries];
        let took = called.took.iter().chain(&called.failed_after);
        if steps.into_iter().any(|steps| !self.believes(steps)) || took.into_iter().any(|(step, _)| *step > self.last_step) {
            return false;
        }
        add(&mut self.series.calls, &called.calls);
        add(&mut self.series.succeeded, &called.succeeded);
        add(&mut self.series.attempts, &called.attempts);
        add(&mut self.series.offered, &called.attempts);
        add(&mut self.series.retries, &called.retries);
        add(&mut self.failed, &called.failed);
        self.took.extend(&called.took);
        self.failed_after.extend(&called.failed_after);
        for (all, new) in [(&mut self.stops, &called.stops), (&mut self.failures, &called.failures)] {
            new.iter().for_each(|(label, count)| *all.entry(label.clone()).or_default() += count);
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

    /// What came of it, if calls were made for so long.
    ///
    /// # Errors
    ///
    /// If a histogram cannot be made; it can.
    pub(super) fn outcome(
        &self,
        settings: &Settings,
        schedule: &Schedule,
        length: Duration,
    ) -> Result<Outcome, CreationError> {
        let window = Window { from: Duration::ZERO, to: length };
        let (calls, succeeded) = (sum(&self.series.calls), sum(&self.series.succeeded));
        let latency = histogram(&self.took)?;
        let mut latency_all = latency.clone();
        self.failed_after.iter().for_each(|(_, took)| latency_all.saturating_record((*took).into()));
        let (workers, _) = settings.workers();
        let trigger = schedule.trigger().filter(|trigger| trigger.to <= length);
        let recovery = match trigger {
            Some(_) => recovery(&self.series, trigger, schedule.calm_before_trigger(), length),
            None => Recovery::NoTrigger,
        };
        let mut series = self.series.clone();
        series.budget = self.levels();
        Ok(Outcome {
            scenario: "load".to_owned(),
            policy: self.function.to_string(),
            seed: settings.arguments().seed,
            window,
            trigger,
            calls,
            succeeded,
            tiers: vec![self.tier(calls, f64::from(workers) * length.as_secs_f64())],
            latency,
            latency_all,
            stops: StopReason::ALL
                .iter()
                .filter_map(|reason| Some((reason.label(), *self.stops.get(reason.label())?)))
                .collect(),
            recovery,
            series,
            notes: self.notes(settings),
            events: 0,
            most_concurrent: self.clients.values().map(|client| client.most_concurrent).sum(),
        })
    }

    fn tier(&self, calls: u64, worker_seconds: f64) -> TierOutcome {
        #[expect(clippy::cast_precision_loss, reason = "microseconds of minutes")]
        let busy = self.served.busy_us as f64 / 1e6;
        TierOutcome {
            name: "server".to_owned(),
            calls,
            attempts: sum(&self.series.attempts),
            arrived: self.served.arrived,
            served: self.served.served,
            wasted: self.served.wasted,
            utilisation: if worker_seconds > 0.0 { (busy / worker_seconds).min(1.0) } else { 0.0 },
            granted: self.clients.values().map(|client| client.granted).sum(),
            refused: self.clients.values().map(|client| client.refused).sum(),
        }
    }

    /// The mean in each second; where nothing was heard, as in the second before.
    fn levels(&self) -> Vec<f32> {
        let mut last = 1.0;
        let mut level = |(sum, number): &(f64, u32)| {
            if *number > 0 {
                last = sum / f64::from(*number);
            }
            #[expect(clippy::cast_possible_truncation, reason = "a share, for a plot")]
            let level = last as f32;
            level
        };
        self.budget.iter().map(&mut level).collect()
    }

    fn notes(&self, settings: &Settings) -> Vec<String> {
        let mut notes = Vec::new();
        let rate = settings.arguments().rate;
        if self.function == Function::Ratio && rate * 60.0 < MIN_SAMPLES {
            notes.push(format!("the budget was inactive: fewer than {MIN_SAMPLES} calls a minute in each process"));
        }
        if self.latest > Duration::from_millis(100) {
            let late = self.latest.as_millis();
            notes.push(format!("calls began up to {late} ms late: the machine was busy with something else"));
        }
        notes
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

/// Two significant digits, and up to what 32 bits of microseconds hold.
fn histogram(took: &[(u32, u32)]) -> Result<Histogram<u64>, CreationError> {
    let mut histogram = Histogram::new_with_bounds(1, u32::MAX.into(), 2)?;
    took.iter().for_each(|(_, took)| histogram.saturating_record((*took).into()));
    Ok(histogram)
}
