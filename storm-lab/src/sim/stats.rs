//! What is counted while a simulation runs.

use std::{collections::BTreeMap, time::Duration};

use hdrhistogram::Histogram;

use super::{client::Place, dice::nanos, functions::Functions, world::World};
use crate::{
    outcome::{Outcome, Series, TierOutcome, recovery},
    scenario::{PolicySpec, Scenario, Topology},
};

/// Counts of one simulation.
pub(super) struct Stats {
    /// The window, in nanoseconds.
    from: u64,
    to: u64,
    tiers: Vec<TierOutcome>,
    /// The tier whose load is counted by time.
    watch: usize,
    busy: Vec<u64>,
    series: Series,
    latency: Histogram<u64>,
    latency_all: Histogram<u64>,
    calls: u64,
    succeeded: u64,
    first_retry: Option<Duration>,
    /// By how much a call came back before it was asked to, at most.
    earliest: Option<u64>,
    /// A millisecond, how many retries began in it, and the most that did in any.
    crowd: (u64, u32, u32),
    /// How often budgets were looked at.
    seconds: u64,
    /// What functions and budgets said at the window's start.
    before: Option<Told>,
    after: Option<Told>,
}

/// What functions and budgets say.
struct Told {
    stops: BTreeMap<&'static str, u64>,
    paid: Vec<(u64, u64)>,
}

impl Told {
    fn now(functions: &Functions, tiers: usize) -> Self {
        Self {
            stops: functions.stops(),
            paid: (0..tiers).map(|tier| functions.paid(tier)).collect(),
        }
    }
}

/// Two significant digits, up to about three hours of microseconds.
fn histogram() -> Histogram<u64> {
    let mut histogram = Histogram::new_with_bounds(1, 10_000_000_000, 2)
        .or_else(|_| Histogram::new(2))
        .expect("two significant digits are allowed");
    histogram.auto(true);
    histogram
}

impl Stats {
    pub(super) fn new(scenario: &Scenario, topology: &Topology) -> Self {
        let tier = |tier: &crate::scenario::Tier| TierOutcome {
            name: tier.name.clone(),
            ..TierOutcome::default()
        };
        Self {
            from: nanos(scenario.window.from),
            to: nanos(scenario.window.to),
            tiers: topology.tiers.iter().map(tier).collect(),
            watch: topology.watch,
            busy: vec![0; topology.tiers.len()],
            series: Series {
                inner_budgets: vec![Vec::new(); topology.tiers.len().saturating_sub(1)],
                ..Series::default()
            },
            latency: histogram(),
            latency_all: histogram(),
            calls: 0,
            succeeded: 0,
            first_retry: None,
            earliest: None,
            crowd: (0, 0, 0),
            seconds: 0,
            before: None,
            after: None,
        }
    }

    /// Whether a moment lies in the window.
    pub(super) const fn counts(&self, now: u64) -> bool {
        now >= self.from && now < self.to
    }

    /// A logical call of a tier began.
    pub(super) fn called(&mut self, tier: u16, counted: bool) {
        self.tiers[usize::from(tier)].calls += u64::from(counted);
    }

    /// An attempt began.
    pub(super) fn tried(&mut self, place: Place, again: bool, now: u64) {
        let tier = usize::from(place.tier);
        let at = Duration::from_nanos(now);
        Series::add(&mut self.series.attempts, at);
        if again {
            Series::add(&mut self.series.retries, at);
            self.first_retry.get_or_insert(at);
            if self.counts(now) {
                self.crowd(now / 1_000_000);
            }
        }
        if tier == self.watch {
            Series::add(&mut self.series.offered, at);
        }
        self.tiers[tier].attempts += u64::from(place.counted);
    }

    /// A call that was asked not to come back before then has come back.
    pub(super) fn came_back(&mut self, asked: u64, now: u64) {
        let early = asked.saturating_sub(now);
        self.earliest = Some(self.earliest.map_or(early, |known| known.max(early)));
    }

    /// A retry began in this millisecond.
    fn crowd(&mut self, millisecond: u64) {
        let (known, count, most) = self.crowd;
        let count = if known == millisecond { count + 1 } else { 1 };
        self.crowd = (millisecond, count, most.max(count));
    }

    /// A request reached its server.
    pub(super) fn arrived(&mut self, tier: u16, now: u64) {
        if self.counts(now) {
            self.tiers[usize::from(tier)].arrived += 1;
        }
    }

    /// A worker serves for this long from now on.
    pub(super) fn busy(&mut self, tier: u16, now: u64, time: u64) {
        let (start, end) = (now.max(self.from), now.saturating_add(time).min(self.to));
        self.busy[usize::from(tier)] += end.saturating_sub(start);
    }

    /// A request was served to its end; `wanted` if somebody hears of it.
    pub(super) fn served(&mut self, tier: u16, now: u64, wanted: bool) {
        if usize::from(tier) == self.watch && wanted {
            Series::add(&mut self.series.served, Duration::from_nanos(now));
        }
        if self.counts(now) {
            let tier = &mut self.tiers[usize::from(tier)];
            tier.served += 1;
            tier.wasted += u64::from(!wanted);
        }
    }

    /// A client's own call began.
    pub(super) fn began(&mut self, now: u64) {
        Series::add(&mut self.series.calls, Duration::from_nanos(now));
        self.calls += u64::from(self.counts(now));
    }

    /// A client's own call that began then is over.
    pub(super) fn ended(&mut self, began: u64, now: u64, succeeded: bool) {
        if succeeded {
            Series::add(&mut self.series.succeeded, Duration::from_nanos(began));
        }
        if !self.counts(began) {
            return;
        }
        let micros = now.saturating_sub(began) / 1_000;
        self.latency_all.saturating_record(micros);
        if succeeded {
            self.succeeded += 1;
            self.latency.saturating_record(micros);
        }
    }

    /// Looks at the budgets, and at what is counted elsewhere where the window begins or ends.
    pub(super) fn look(&mut self, world: &World<'_>, now: u64) {
        // The window may begin at a whole second too.
        if now == self.seconds * 1_000_000_000 {
            self.seconds += 1;
            let first = std::iter::once(&mut self.series.budget);
            for (tier, series) in first.chain(&mut self.series.inner_budgets).enumerate() {
                let level = world.functions.level(tier, retry_runtime::__private::now());
                #[expect(clippy::cast_possible_truncation, reason = "a share, to be drawn")]
                series.extend(level.map(|level| level as f32));
            }
        }
        let told = || Some(Told::now(&world.functions, self.tiers.len()));
        if self.before.is_none() && now >= self.from {
            self.before = told();
        } else if self.after.is_none() && now >= self.to {
            self.after = told();
        }
    }

    /// All that was counted.
    pub(super) fn into_outcome(
        mut self,
        scenario: &Scenario,
        world: &World<'_>,
        seed: u64,
        events: u64,
        most_concurrent: u64,
    ) -> Outcome {
        let spec: &PolicySpec = world.spec;
        let after =
            self.after.take().unwrap_or_else(|| Told::now(&world.functions, self.tiers.len()));
        let before = self
            .before
            .take()
            .unwrap_or(Told { stops: BTreeMap::new(), paid: vec![(0, 0); self.tiers.len()] });
        let length = nanos(scenario.window.length());
        for (at, tier) in self.tiers.iter_mut().enumerate() {
            tier.granted = after.paid[at].0.saturating_sub(before.paid[at].0);
            tier.refused = after.paid[at].1.saturating_sub(before.paid[at].1);
            if let Some(server) = &world.topology.tiers[at].server {
                #[expect(clippy::cast_precision_loss, reason = "nanoseconds of days")]
                let share =
                    self.busy[at] as f64 / (length as f64 * f64::from(server.workers)).max(1.0);
                tier.utilisation = share;
            }
        }
        let mut stops = after.stops;
        for (reason, count) in before.stops {
            if let Some(all) = stops.get_mut(reason) {
                *all = all.saturating_sub(count);
            }
        }
        stops.retain(|_, count| *count > 0);
        let trigger = scenario.trigger();
        let attempts: Vec<u64> = self.tiers.iter().map(|tier| tier.attempts).collect();
        let notes = super::notes::notes(world, &attempts, scenario);
        Outcome {
            scenario: scenario.name.clone(),
            policy: spec.name.clone(),
            seed,
            window: scenario.window,
            trigger,
            calls: self.calls,
            succeeded: self.succeeded,
            recovery: recovery(&self.series, trigger, Duration::ZERO, scenario.duration),
            tiers: self.tiers,
            watch: self.watch,
            peak_1ms: Some(self.crowd.2),
            first_retry: self.first_retry,
            too_early: self.earliest.map(Duration::from_nanos),
            latency: self.latency,
            latency_all: self.latency_all,
            stops,
            series: self.series,
            notes,
            events,
            most_concurrent,
        }
    }
}
