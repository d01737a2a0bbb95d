//! What a run came to.

use std::{collections::BTreeMap, time::Duration};

use super::{
    Settings,
    faults::{Phase, Schedule},
    functions::Function,
    measure::Usage,
    protocol::Served,
};
use crate::{
    outcome::{Outcome, Series, peak},
    scenario::Window,
};

/// All policies of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was asked for.
    pub settings: Settings,
    /// How long calls were made: less than asked for if it was stopped.
    pub length: Duration,
    /// When what went wrong.
    pub schedule: Schedule,
    /// Whether it ran to its end, and all children told everything.
    pub complete: bool,
    /// What went wrong with the run itself.
    pub troubles: Vec<String>,
    /// By policy, in the order in which they were asked for.
    pub arms: Vec<Arm>,
}

/// One policy, its server and its clients.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The policy.
    pub function: Function,
    /// The same as a simulation's.
    pub outcome: Outcome,
    /// Calls that failed, by when they began, in steps of 10 ms.
    pub failed: Vec<u32>,
    /// Attempts, by when their calls began, in steps of 10 ms.
    pub attempts_of_calls: Vec<u32>,
    /// How attempts failed, by the adapter's labels.
    pub failures: BTreeMap<String, u64>,
    /// What became of requests at the server.
    pub served: Served,
    /// What the server cost.
    pub server: Usage,
    /// What the clients cost together.
    pub clients: Usage,
}

impl Report {
    /// The phases that were reached, the last one cut where it was stopped.
    pub fn phases(&self) -> Vec<Phase> {
        let mut phases = self.schedule.phases();
        phases.retain(|phase| phase.window.from < self.length);
        if let Some(last) = phases.last_mut() {
            last.window.to = last.window.to.min(self.length);
        }
        phases
    }

    /// The numbers of all children, for whoever wants to see that they are gone.
    pub fn pids(&self) -> Vec<u32> {
        self.arms.iter().flat_map(|arm| arm.server.pids().chain(arm.clients.pids())).collect()
    }
}

impl Arm {
    /// Calls that failed.
    pub fn failed(&self) -> u64 {
        self.failed.iter().copied().map(u64::from).sum()
    }

    /// Calls of which nothing more was heard, because they were stopped, or their process died.
    pub fn unfinished(&self) -> u64 {
        self.outcome.calls.saturating_sub(self.outcome.succeeded).saturating_sub(self.failed())
    }

    /// Calls that began in a window.
    pub fn calls_in(&self, window: Window) -> u64 {
        counted(&self.outcome.series.calls, window)
    }

    /// Attempts per call of those calls that began in a window, whenever their attempts began; `None` without calls.
    pub fn amplification_in(&self, window: Window) -> Option<f64> {
        ratio(counted(&self.attempts_of_calls, window), self.calls_in(window))
    }

    /// The share of calls that succeeded, of those that began in a window.
    pub fn success_in(&self, window: Window) -> Option<f64> {
        let series = &self.outcome.series;
        ratio(counted(&series.succeeded, window), counted(&series.calls, window))
    }

    /// The most retries that began in any second of a window, counted from its start.
    pub fn peak_1s_in(&self, window: Window) -> f64 {
        peak(&self.outcome.series.retries, window, Duration::from_secs(1))
    }

    /// Requests served in time in a window, for each second of it.
    pub fn goodput_in(&self, window: Window) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "requests of minutes")]
        let served = counted(&self.outcome.series.served, window) as f64;
        let seconds = window.length().as_secs_f64();
        if seconds > 0.0 { served / seconds } else { 0.0 }
    }
}

fn counted(series: &[u32], window: Window) -> u64 {
    Series::buckets(series, window, window.length().max(Series::STEP)).into_iter().sum()
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{faults::Faults, settings::tests::arguments, tally::Tally};

    #[test]
    fn attempts_belong_to_the_phase_of_their_call() {
        let length = Duration::from_secs(2);
        let settings = arguments().check("storm-lab".into()).unwrap();
        let mut tally = Tally::new(Function::Naive, length);
        // One call in each second; three of the first call's attempts, and one of the second's, begin later.
        let called = crate::load::protocol::Called {
            calls: [(50, 1), (150, 1)].into(),
            attempts: [(50, 1), (150, 3), (250, 2)].into(),
            attempts_of_calls: [(50, 4), (150, 2)].into(),
            ..Default::default()
        };
        assert!(tally.called(1, called));
        let arm = Arm {
            function: Function::Naive,
            outcome: tally.outcome(&settings, &Schedule::new(Faults::All, 60), length).unwrap(),
            failed: Vec::new(),
            attempts_of_calls: tally.attempts_of_calls,
            failures: BTreeMap::new(),
            served: Served::default(),
            server: Usage::default(),
            clients: Usage::default(),
        };
        let of = |from, to| {
            let [from, to] = [from, to].map(Duration::from_secs);
            arm.amplification_in(Window { from, to })
        };
        assert_eq!((of(0, 1), of(1, 2), of(0, 2)), (Some(4.0), Some(2.0), Some(3.0)));
        assert!((arm.outcome.amplification() - 3.0).abs() < 1e-9);
    }
}
