//! The options of a budget, in comparable form.

use std::fmt;
use std::time::Duration;

use super::figure::Figure;
use super::numbers::Numbers;
use super::options::DEFAULT_MAX_KEYS;
use super::price::KINDS_IN_ORDER;
use super::{Budget, Earning, Refund};
use crate::Kind;

/// What a budget was told besides the numbers of its kind.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Budget, Kind};
///
/// let options = Budget::new("orders").cost_of(Kind::Timeout, 2).settings().options();
/// assert_eq!((options.cost_of(Kind::Timeout), options.cost_of(Kind::Transient)), (2.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BudgetOptions {
    /// What it earns by.
    pub earning: Earning,
    /// What becomes of the cost of a retry that succeeds.
    pub refund: Refund,
    /// Whether it refuses nothing.
    pub observe_only: bool,
    /// The share of the balance that one call may take, if there is a limit.
    pub per_call: Option<f64>,
    /// Retries a second that are always allowed, and how long after the last success.
    pub floor: Option<(u32, Duration)>,
    /// The name of the budget above.
    pub parent: Option<&'static str>,
    /// How many keys are kept apart.
    pub max_keys: u32,
    /// The multiplier of accepted requests from which first attempts are shed, if they ever are.
    pub shed: Option<f64>,
    /// What failures of each kind cost, in retries, where that is not one.
    costs: [Option<f64>; KINDS_IN_ORDER.len()],
}

impl BudgetOptions {
    pub(super) fn of(budget: &Budget, numbers: &Numbers) -> Self {
        let options = &budget.options;
        #[expect(clippy::cast_precision_loss, reason = "shown and compared, never counted with")]
        let whole = if budget.window.is_some() { 1.0 } else { budget.bucket.retry() as f64 };
        #[expect(clippy::cast_precision_loss, reason = "as above")]
        let cost = |kind: Kind| options.costs.of(kind).map(|units| units as f64 / whole);
        Self {
            earning: options.earning,
            refund: options.refund,
            observe_only: options.observe_only,
            per_call: (numbers.per_call > 0.0).then_some(numbers.per_call),
            floor: options.floor.is_some().then_some((numbers.floor, numbers.floor_silence)),
            parent: options.parent.map(Budget::name),
            max_keys: options.max_keys,
            shed: (numbers.shed > 0).then(|| f64::from(numbers.shed) / 1e3),
            costs: KINDS_IN_ORDER.map(cost),
        }
    }

    /// What a retry after a failure of this kind costs, in retries, where the failure says nothing.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Kind};
    ///
    /// let options = Budget::aws_legacy("s3").settings().options();
    /// assert_eq!(options.cost_of(Kind::Timeout), 2.0);
    /// ```
    #[must_use]
    pub fn cost_of(&self, kind: Kind) -> f64 {
        let known = KINDS_IN_ORDER.iter().position(|known| *known == kind);
        known.and_then(|place| self.costs[place]).unwrap_or(1.0)
    }

    /// The least that any retry can cost, in retries.
    pub(super) fn cheapest(&self) -> f64 {
        KINDS_IN_ORDER.iter().fold(1.0, |least: f64, kind| least.min(self.cost_of(*kind)))
    }

    pub(super) const fn gives_back(&self) -> bool {
        matches!(self.refund, Refund::LastCost)
    }
}

/// Everything that is not as in most budgets, each after a comma.
impl fmt::Display for BudgetOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.earning {
            Earning::Answers => {}
            Earning::Successes => f.write_str(", earning by successes")?,
            Earning::Requests => f.write_str(", earning by requests")?,
        }
        if self.gives_back() {
            f.write_str(", `refund` of the last cost")?;
        }
        if let Some(share) = self.per_call {
            write!(f, ", `per_call` {}", Figure(share))?;
        }
        if let Some((per_second, silence)) = self.floor {
            write!(f, ", `floor` {per_second} within {silence:?}")?;
        }
        for (kind, cost) in KINDS_IN_ORDER.iter().zip(self.costs) {
            if let Some(cost) = cost {
                write!(f, ", `cost_of` {kind:?} {}", Figure(cost))?;
            }
        }
        if let Some(parent) = self.parent {
            write!(f, ", `parent` {parent}")?;
        }
        if self.max_keys != DEFAULT_MAX_KEYS {
            write!(f, ", `max_keys` {}", self.max_keys)?;
        }
        if let Some(multiplier) = self.shed {
            write!(f, ", `shed` {}", Figure(multiplier))?;
        }
        if self.observe_only {
            f.write_str(", observing only")?;
        }
        Ok(())
    }
}
