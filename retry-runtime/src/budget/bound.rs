//! What a budget promises, in numbers and in words.

use std::time::Duration;

use super::BudgetSettings;

/// The most that a budget can add to the load on its dependency.
///
/// For a token bucket the promise is: in any history, whatever the interleaving of calls and
/// threads, **retries granted ≤ burst + ratio · answered calls**. For a sliding window: in any
/// window that ends with a granted retry, **retries granted ≤ max(`min_samples` − 1, ratio ·
/// attempts)**. Both are what the property tests check. A retry that costs more than 1 counts as that
/// many; where failures of some kind cost less, retries are counted by the cheapest.
///
/// The `Display` form says it to whoever is on call, together with what it does not cover:
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Budget;
///
/// let bound = Budget::new("orders").bound();
/// assert_eq!(
///     bound.to_string(),
///     "At most 10 retries at once, then 0.1 of a retry for each answered call: retries never \
///      exceed 10 + 0.1 x answered calls. In the long run that is at most 1.1 attempts per call, \
///      and while nothing is answered there are none once the 10 are spent. Not covered: first \
///      attempts, what an enclosing call repeats beside its last failed call, calls with \
///      `budget = none`, other processes, and retries inside drivers."
/// );
///
/// // What the dependency behind fifty such processes has to expect.
/// let fleet = bound.for_processes(50);
/// assert_eq!(fleet.burst(), Some(500.0));
/// assert_eq!(fleet.retries(10_000), Some(1500.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    pub(super) settings: BudgetSettings,
    processes: u32,
}

impl Bound {
    pub(super) const fn new(settings: BudgetSettings) -> Self {
        Self { settings, processes: 1 }
    }

    /// The bound of this many processes, each with a budget of its own. Zero acts like one.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// let bound = Budget::new("orders").bound().for_processes(50);
    /// assert_eq!((bound.processes(), bound.burst()), (50, Some(500.0)));
    /// ```
    pub const fn for_processes(self, processes: u32) -> Self {
        Self { processes: if processes == 0 { 1 } else { processes }, ..self }
    }

    /// How many processes the bound is for.
    #[must_use]
    pub const fn processes(&self) -> u32 {
        self.processes
    }

    /// Retries that can follow one another while nothing is answered, over all processes. `None`
    /// where that grows with the traffic, as under a sliding window, or with time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").burst(20).bound().burst(), Some(20.0));
    /// assert_eq!(Budget::sliding_window("search").bound().burst(), None);
    /// ```
    #[must_use]
    pub fn burst(&self) -> Option<f64> {
        self.settings.burst().map(|burst| burst * f64::from(self.processes))
    }

    /// Retries per call in the long run, besides what comes by time: what an answered call earns or gets
    /// back, or for a sliding window with share `r` of all attempts, `r / (1 - r)`. The same for any
    /// number of processes. Infinite where nothing is ever used up.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").ratio(0.2).bound().steady_share(), 0.2);
    /// ```
    #[must_use]
    pub fn steady_share(&self) -> f64 {
        self.settings.steady_share()
    }

    /// Retries a second that come by time, over all processes: those of a floor while anything succeeds,
    /// and those that need no deposit. 0 for most budgets.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    /// use std::time::Duration;
    ///
    /// assert_eq!(Budget::new("orders").bound().per_second(), 0.0);
    /// let floor = Budget::new("orders").floor(2, Duration::from_secs(10)).bound();
    /// assert!(floor.per_second() >= 2.0);
    /// ```
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.settings.by_time() * f64::from(self.processes)
    }

    /// Attempts per call in the long run at worst, unless `attempts` stops calls earlier.
    ///
    /// A token bucket gives 1 + ratio. A sliding window gives 1 / (1 − ratio) where its ratio
    /// applies; traffic so thin that it never does can reach `min_samples` attempts per call. Where
    /// retries come by time, traffic can be so thin that nothing but `attempts` limits it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").ratio(0.1).bound().worst_amplification(), 1.1);
    /// ```
    #[must_use]
    pub fn worst_amplification(&self) -> f64 {
        let steady = 1.0 + self.steady_share();
        match self.settings {
            _ if self.settings.by_time() > 0.0 => f64::INFINITY,
            BudgetSettings::SlidingWindow { min_samples, .. } => steady.max(min_samples.into()),
            _ => steady,
        }
    }

    /// Retries in a window that no ratio limits, over all processes; 0 where there is no window.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::sliding_window("search").bound().exempt(), 19);
    /// assert_eq!(Budget::new("orders").bound().exempt(), 0);
    /// ```
    #[must_use]
    pub fn exempt(&self) -> u64 {
        let each = match self.settings {
            BudgetSettings::SlidingWindow { min_samples, .. } => {
                u64::from(min_samples.saturating_sub(1))
            }
            BudgetSettings::ExpiringDeposits { reserve, window, .. } => {
                u64::from(reserve).saturating_mul(window.as_secs())
            }
            _ => 0,
        };
        each.saturating_mul(self.processes.into())
    }

    /// The length of the window, if there is one; in a token bucket time earns nothing.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    /// use std::time::Duration;
    ///
    /// let minute = Duration::from_secs(60);
    /// assert_eq!(Budget::sliding_window("search").bound().window(), Some(minute));
    /// assert_eq!(Budget::new("orders").bound().window(), None);
    /// ```
    #[must_use]
    pub const fn window(&self) -> Option<Duration> {
        match self.settings {
            BudgetSettings::SlidingWindow { window, .. }
            | BudgetSettings::ExpiringDeposits { window, .. } => Some(window),
            _ => None,
        }
    }

    /// The most retries that can have been granted by the time this many calls, over all
    /// processes, were answered: burst + ratio · answered calls. `None` for a sliding window, which
    /// does not look at answers, and wherever retries come by time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").bound().retries(1_000), Some(110.0));
    /// ```
    #[must_use]
    pub fn retries(&self, answered_calls: u64) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a share of 2^-53 of the calls at most")]
        let answered_calls = answered_calls as f64;
        let burst = self.burst().filter(|_| self.settings.by_time() == 0.0);
        burst.map(|burst| burst + self.steady_share() * answered_calls)
    }
}
