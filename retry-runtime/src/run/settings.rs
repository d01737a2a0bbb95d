//! What a call brings along besides its policy, its operation and its rules: plain values.

use std::time::Duration;

use crate::{
    Backoff, Breaker, Budget, IdempotencyKey, KeyedBudget, Moment, Policy,
    call::{Call, Gate, Given},
    deadline::Later,
    names::registry,
    site::{self, Asked, BreakerRef, BudgetRef, PaidBy, Shape, Whence},
};

/// The settings of a call, or of the calls of a client.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) whence: Whence,
    pub(crate) shape: Shape,
    pub(crate) keyed: Option<KeyedBudget>,
    pub(crate) deadline: Option<Later>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) hedge: HedgeTimes,
}

/// When attempts start beside slow ones, and how many.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HedgeTimes {
    /// `None` where the site's latency says it.
    pub(crate) after: Option<Duration>,
    pub(crate) max: u32,
}

/// A call that has begun.
#[derive(Debug)]
pub(crate) struct Begun {
    // Dropped in this order, as in an annotated function.
    pub(crate) gate: Option<Gate>,
    pub(crate) call: Call,
    pub(crate) timeout: Option<Duration>,
    pub(crate) hedge: HedgeTimes,
    /// When the running attempt started, where that is kept.
    pub(crate) started: Moment,
}

impl Settings {
    #[inline]
    #[track_caller]
    pub(crate) fn new() -> Self {
        Self {
            whence: Whence::here(),
            shape: Shape::default(),
            keyed: None,
            deadline: None,
            timeout: None,
            key: None,
            hedge: HedgeTimes::default(),
        }
    }

    /// Begins a call, at its first poll.
    pub(crate) fn begin(&mut self, policy: &Policy) -> Begun {
        self.shape.keeps_latency = keeps_latency(policy.strategy());
        let site = site::find(self.whence, self.shape, policy);
        let has_gate = self.has_gate();
        let mut given = Given::NONE;
        match (site.budget_ref(), self.shape.budget) {
            // More budgets than a site has room for.
            (BudgetRef::Given, PaidBy::Static(budget)) => given = given.budget(budget),
            (BudgetRef::Given, PaidBy::Named(name)) => {
                given = given.budget(registry::resolve::<Budget>(name));
            }
            _ => {}
        }
        if let Some(keyed) = self.keyed.take() {
            given = given.keyed(keyed);
        }
        if let Some(deadline) = self.deadline {
            given = given.deadline_at(deadline.starting_now());
        }
        if let Some(key) = self.key.take() {
            given = given.known_key(key);
        }
        let mut call = if given.is_none() {
            Call::begin(site, policy)
        } else {
            Call::begin_with(site, policy, given)
        };
        let gate = has_gate.then(|| {
            let mut gate = Gate::new(site);
            if matches!(site.breaker_ref(), BreakerRef::None) {
                gate = gate.asking(match self.shape.breaker {
                    Asked::Nobody => None,
                    Asked::Static(breaker) => Some(breaker.here()),
                    Asked::Named(name) => Some(registry::resolve::<Breaker>(name).here()),
                });
            }
            gate
        });
        if has_gate {
            call = call.gated();
        }
        if self.shape.last_untimed {
            call = call.last_untimed(policy);
        }
        Begun { gate, call, timeout: self.timeout, hedge: self.hedge, started: Moment::NEVER }
    }

    const fn has_gate(&self) -> bool {
        !matches!(self.shape.breaker, Asked::Nobody)
            || self.shape.expect.is_some()
            || self.shape.sheds
    }
}

/// Whether the delays go by how long attempts take.
const fn keeps_latency(strategy: Backoff) -> bool {
    match strategy {
        #[cfg(feature = "adaptive")]
        Backoff::Adaptive(_) => true,
        _ => false,
    }
}
