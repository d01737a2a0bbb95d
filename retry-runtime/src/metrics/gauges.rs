//! What calls share: budgets, breakers, switches and overrides.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use ::metrics::{Gauge, Recorder, SharedString};

use super::catalogue::{
    BREAKER_STATE, BUDGET_CAPACITY, BUDGET_IMPLICIT, BUDGET_LEVEL, OVERRIDES, RETRIES_OFF, gauge,
};
use crate::{
    Breaker, BreakerState, Budget, breaker,
    budget::registry,
    clock,
    control::{self, Layer},
    isolation,
    names::Origin,
    site::Site,
};

/// All budgets and breakers that have a name, the switch of the process, and how much is overridden.
pub(super) struct Gauges {
    off: Gauge,
    /// In the order of [`Layer::ALL`].
    overrides: [Gauge; Layer::ALL.len()],
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    budgets: BTreeMap<&'static str, BudgetSeries>,
    breakers: BTreeMap<&'static str, BreakerSeries>,
}

/// How full one bucket is, and how much fits.
pub(super) struct Level {
    whose: Whose,
    label: SharedString,
    left: Gauge,
    /// Registered once there is one.
    capacity: OnceLock<Gauge>,
}

enum Whose {
    Named(&'static Budget),
    Own(&'static Site),
}

impl Whose {
    fn budget(&self) -> &'static Budget {
        match self {
            Self::Named(budget) => budget.in_effect(),
            Self::Own(site) => isolation::own(site.own_budget()),
        }
    }
}

impl Level {
    /// Of the bucket that a site has for itself.
    pub(super) fn own(
        recorder: &dyn Recorder,
        site: &'static Site,
        label: &SharedString,
    ) -> Arc<Self> {
        Self::new(recorder, Whose::Own(site), label)
    }

    fn new(recorder: &dyn Recorder, whose: Whose, label: &SharedString) -> Arc<Self> {
        let level = Self {
            whose,
            label: label.clone(),
            left: gauge(recorder, &BUDGET_LEVEL, &[("budget", label)]),
            capacity: OnceLock::new(),
        };
        level.refresh_all(recorder);
        Arc::new(level)
    }

    /// The level alone, which is what calls change.
    pub(super) fn refresh(&self) {
        self.left.set(self.whose.budget().balance_at(clock::now()));
    }

    /// The capacity too. What answers to a name may be declared late, and be of another kind from then on.
    pub(super) fn refresh_all(&self, recorder: &dyn Recorder) {
        self.refresh();
        match (self.whose.budget().bound().burst(), self.capacity.get()) {
            (Some(burst), _) => {
                let make = || gauge(recorder, &BUDGET_CAPACITY, &[("budget", &self.label)]);
                self.capacity.get_or_init(make).set(burst);
            }
            // Series are never given back, and no number is right.
            (None, Some(gauge)) => gauge.set(f64::NAN),
            (None, None) => {}
        }
    }
}

struct BudgetSeries {
    budget: &'static Budget,
    level: Arc<Level>,
    implicit: Gauge,
    off: Gauge,
}

impl BudgetSeries {
    fn new(recorder: &dyn Recorder, budget: &'static Budget) -> Self {
        let label = SharedString::const_str(budget.name());
        let scope = SharedString::const_str("budget");
        Self {
            budget,
            level: Level::new(recorder, Whose::Named(budget), &label),
            implicit: gauge(recorder, &BUDGET_IMPLICIT, &[("budget", &label)]),
            off: gauge(recorder, &RETRIES_OFF, &[("scope", &scope), ("name", &label)]),
        }
    }

    fn refresh(&self, recorder: &dyn Recorder, origin: Origin) {
        self.level.refresh_all(recorder);
        set_flag(&self.implicit, origin == Origin::Implicit);
        set_flag(&self.off, self.budget.in_effect().is_off());
    }
}

const STATES: [BreakerState; 4] =
    [BreakerState::Closed, BreakerState::Open, BreakerState::HalfOpen, BreakerState::Isolated];

struct BreakerSeries {
    breaker: &'static Breaker,
    states: [Gauge; 4],
}

impl BreakerSeries {
    fn new(recorder: &dyn Recorder, breaker: &'static Breaker) -> Self {
        let label = SharedString::const_str(breaker.name());
        let state = |at: usize| {
            let state = SharedString::const_str(STATES[at].label());
            gauge(recorder, &BREAKER_STATE, &[("breaker", &label), ("state", &state)])
        };
        Self { breaker, states: std::array::from_fn(state) }
    }

    fn refresh(&self) {
        let now = self.breaker.state();
        for (gauge, state) in self.states.iter().zip(STATES) {
            set_flag(gauge, state == now);
        }
    }
}

fn set_flag(gauge: &Gauge, flag: bool) {
    gauge.set(f64::from(u8::from(flag)));
}

impl Gauges {
    pub(super) fn new(recorder: &dyn Recorder) -> Self {
        let (scope, name) = (SharedString::const_str("process"), SharedString::const_str("(all)"));
        let off = gauge(recorder, &RETRIES_OFF, &[("scope", &scope), ("name", &name)]);
        let overrides = std::array::from_fn(|at| {
            let layer = SharedString::const_str(Layer::ALL[at].label());
            gauge(recorder, &OVERRIDES, &[("layer", &layer)])
        });
        let gauges = Self { off, overrides, known: Mutex::default() };
        gauges.refresh(recorder);
        gauges
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets all of them, and those of names that are new.
    pub(super) fn refresh(&self, recorder: &dyn Recorder) {
        set_flag(&self.off, isolation::is_off());
        for (gauge, overrides) in self.overrides.iter().zip(control::in_force_by_layer()) {
            gauge.set(f64::from(overrides));
        }
        // Outside the lock: looking for names makes known those that nobody has used yet.
        let (budgets, breakers) = (registry::all(), breaker::all());
        let mut known = self.lock();
        for entry in budgets {
            let budget = entry.holder;
            let make = || BudgetSeries::new(recorder, budget);
            known.budgets.entry(budget.name()).or_insert_with(make).refresh(recorder, entry.origin);
        }
        for entry in breakers {
            let breaker = entry.holder;
            let make = || BreakerSeries::new(recorder, breaker);
            let series = known.breakers.entry(breaker.name()).or_insert_with(make);
            series.breaker = breaker;
            series.refresh();
        }
    }

    /// A breaker has changed its state.
    pub(super) fn refresh_breaker(&self, recorder: &dyn Recorder, name: &str) {
        if let Some(known) = self.lock().breakers.get(name) {
            return known.refresh();
        }
        self.refresh(recorder);
    }

    /// How full the budget of this name is, if it is one that all know.
    pub(super) fn level(&self, recorder: &dyn Recorder, name: &str) -> Option<Arc<Level>> {
        let find = || self.lock().budgets.get(name).map(|series| Arc::clone(&series.level));
        find().or_else(|| {
            self.refresh(recorder);
            find()
        })
    }
}
