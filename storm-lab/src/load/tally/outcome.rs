//! What came of a policy, in the form of a simulation's outcome.

use std::time::Duration;

use hdrhistogram::{CreationError, Histogram};
use stormless::StopReason;

use super::{Tally, sum};
use crate::{
    load::{Settings, faults::Schedule, functions::Function},
    outcome::{Outcome, Recovery, Series, TierOutcome, recovery},
    scenario::Window,
};

/// The least that a sliding window limits, in attempts a minute.
const MIN_SAMPLES: f64 = 20.0;
/// Nothing can recover that was not at least so successful before.
const WELL: f64 = 0.5;
/// As long as nothing goes wrong, so many calls succeed if the machine can do what is asked of it.
const STEADY: f64 = 0.95;

impl Tally {
    /// What came of it, if calls were made for so long.
    ///
    /// # Errors
    ///
    /// If a histogram cannot be made; it can.
    pub(in crate::load) fn outcome(
        &self,
        settings: &Settings,
        schedule: &Schedule,
        length: Duration,
    ) -> Result<Outcome, CreationError> {
        let window = Window { from: Duration::ZERO, to: length };
        let (calls, succeeded) = (sum(&self.series.calls), sum(&self.series.succeeded));
        let latency = histogram(&self.took)?;
        let mut latency_all = latency.clone();
        for (_, took) in &self.failed_after {
            latency_all.saturating_record((*took).into());
        }
        let (workers, _) = settings.workers();
        let trigger = schedule.trigger().filter(|trigger| trigger.to <= length);
        let calm = schedule.calm_before_trigger();
        let was_well = trigger
            .is_none_or(|trigger| self.success(Window { from: calm, to: trigger.from }) >= WELL);
        let recovery = match trigger {
            None => Recovery::NoTrigger,
            // What had failed before would pass for recovered at once.
            Some(_) if !was_well => Recovery::Never,
            Some(_) => recovery(&self.series, trigger, calm, length),
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
            watch: 0,
            latency,
            latency_all,
            stops: StopReason::ALL
                .iter()
                .filter_map(|reason| Some((reason.label(), *self.stops.get(reason.label())?)))
                .collect(),
            recovery,
            peak_1ms: None,
            first_retry: None,
            too_early: None,
            series,
            notes: self.notes(settings, schedule),
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

    /// The share of calls that succeeded, of those that began in a window; 1 without calls.
    fn success(&self, window: Window) -> f64 {
        let of = |series: &[u32]| {
            let sums = Series::buckets(series, window, window.length().max(Series::STEP));
            sums.into_iter().sum::<u64>()
        };
        let (succeeded, calls) = (of(&self.series.succeeded), of(&self.series.calls));
        #[expect(clippy::cast_precision_loss, reason = "calls of minutes")]
        let share = if calls == 0 { 1.0 } else { succeeded as f64 / calls as f64 };
        share
    }

    fn notes(&self, settings: &Settings, schedule: &Schedule) -> Vec<String> {
        let mut notes = Vec::new();
        let steady = schedule.phases().first().map_or(1.0, |phase| self.success(phase.window));
        if steady < STEADY {
            notes.push(
                "calls failed before anything went wrong, so the figures say little: the machine is too busy, or \
                 `--capacity` is below `--processes` times `--rate`"
                    .to_owned(),
            );
        }
        let rate = settings.arguments().rate;
        if self.function == Function::Ratio && rate * 60.0 < MIN_SAMPLES {
            notes.push(format!(
                "the budget was inactive: fewer than {MIN_SAMPLES} calls a minute in each process"
            ));
        }
        if self.latest > Duration::from_millis(100) {
            let late = self.latest.as_millis();
            notes.push(format!(
                "calls began up to {late} ms late: the machine was busy with something else"
            ));
        }
        notes
    }
}

/// Two significant digits, and up to what 32 bits of microseconds hold.
fn histogram(took: &[(u32, u32)]) -> Result<Histogram<u64>, CreationError> {
    let mut histogram = Histogram::new_with_bounds(1, u32::MAX.into(), 2)?;
    for (_, took) in took {
        histogram.saturating_record((*took).into());
    }
    Ok(histogram)
}
