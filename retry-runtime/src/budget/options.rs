//! What a budget may be told besides how much it holds.

use std::sync::OnceLock;

use super::Budget;
use super::flight::Flight;
use super::floor::Floor;
use super::keys::Keys;
use super::price::Costs;
use super::shedding::Shedding;
use super::sync::{AtomicU32, AtomicU64, Ordering};

/// What happens to the cost of a retry that succeeds.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Budget, Refund, engine::Moment};
///
/// let budget = Budget::tokens("orders", 100, 10, 1).refund(Refund::LastCost);
/// let now = Moment::from_nanos(0);
/// let retry = budget.withdraw(1, now);
/// budget.succeeded(retry, now);
/// assert_eq!(budget.balance(), 10.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refund {
    /// It is spent, and the answered call earns like any other.
    #[default]
    Nothing,
    /// It comes back in place of what an answered call earns, as in the AWS SDKs. Retries before the
    /// last one of a call stay spent.
    LastCost,
}

/// What a budget earns by.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Budget, Earning};
///
/// assert_eq!(Budget::new("orders").settings().options().earning, Earning::Answers);
/// assert_eq!(Budget::finagle_per_request("orders").settings().options().earning, Earning::Requests);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Earning {
    /// By every call that the dependency answered, also where it said no.
    #[default]
    Answers,
    /// By every call that succeeded.
    Successes,
    /// By every call, once its first attempt has ended, however it ended. A dependency that has
    /// collapsed under its load stays collapsed under such a budget: see
    /// [`Budget::finagle_per_request`].
    Requests,
}

/// Everything that most budgets do without.
#[derive(Debug)]
pub(super) struct Options {
    /// What this budget wants to be told, of the bits below.
    pub(super) hooks: u8,
    pub(super) earning: Earning,
    pub(super) refund: Refund,
    pub(super) observe_only: bool,
    /// Retries need more than half of a full bucket, and failures take from it.
    pub(super) half_full: bool,
    /// One of many under a budget, and how many calls hold it now.
    pub(super) keyed: bool,
    pub(super) users: AtomicU32,
    /// The share of the balance that one call may take, as the bits of a number; 0 for all of it.
    pub(super) share: AtomicU64,
    pub(super) costs: Costs,
    pub(super) floor: Option<Floor>,
    pub(super) flight: Option<Flight>,
    pub(super) shedding: Shedding,
    pub(super) parent: Option<&'static Budget>,
    pub(super) max_keys: u32,
    pub(super) keys: OnceLock<Box<Keys>>,
}

/// Every failed attempt.
pub(super) const FAILURES: u8 = 1;
/// The end of every call.
pub(super) const ENDS: u8 = 2;
/// Every success, and when it was.
pub(super) const TIMES: u8 = 4;
/// The beginning of every call.
pub(super) const BEGINS: u8 = 8;
/// Attempts are counted and not answers, those of repetitions too.
pub(super) const SAMPLES: u8 = 16;
/// There is a budget above, which may want any of it.
pub(super) const ABOVE: u8 = 32;

/// Buckets under one budget where nothing is said.
pub(super) const DEFAULT_MAX_KEYS: u32 = 1024;

impl Options {
    pub(super) const fn none() -> Self {
        Self {
            hooks: 0,
            earning: Earning::Answers,
            refund: Refund::Nothing,
            observe_only: false,
            half_full: false,
            keyed: false,
            users: AtomicU32::new(0),
            share: AtomicU64::new(0),
            costs: Costs::NONE,
            floor: None,
            flight: None,
            shedding: Shedding::never(),
            parent: None,
            max_keys: DEFAULT_MAX_KEYS,
            keys: OnceLock::new(),
        }
    }

    /// The same settings, with nothing counted and no buckets under it.
    pub(super) fn fresh_copy(&self) -> Self {
        let zero = || AtomicU64::new(0);
        let floor = |floor: &Floor| {
            let silence = AtomicU64::new(floor.silence());
            Floor::new(AtomicU32::new(floor.per_second()), silence, zero(), zero())
        };
        let flight = |flight: &Flight| {
            let (share, least) = (AtomicU64::new(flight.share()), AtomicU32::new(flight.least()));
            Flight::new(share, least, zero(), zero())
        };
        Self {
            users: AtomicU32::new(0),
            share: AtomicU64::new(self.share().to_bits()),
            floor: self.floor.as_ref().map(floor),
            flight: self.flight.as_ref().map(flight),
            shedding: self.shedding.fresh_copy(),
            keys: OnceLock::new(),
            ..*self
        }
    }

    /// The share of the balance that one call may take; 0 for all of it.
    pub(super) fn share(&self) -> f64 {
        f64::from_bits(self.share.load(Ordering::Relaxed))
    }

    pub(super) fn change_share(&self, share: f64) {
        self.share.store(share.to_bits(), Ordering::Relaxed);
    }
}
