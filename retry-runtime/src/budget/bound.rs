//! What a budget promises, in numbers and in words.

use std::fmt;
use std::time::Duration;

use super::BudgetSettings;
use super::figure::Figure;

/// The most that a budget can add to the load on its dependency.
///
/// For a token bucket the promise is: in any history, whatever the interleaving of calls and
/// threads, **retries granted ≤ burst + ratio · answered calls**. For a sliding window: in any
/// window that ends with a granted retry, **retries granted ≤ max(`min_samples` − 1, ratio ·
/// attempts)**. Both are what the property tests check. A retry that costs more than 1 counts as that many.
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
    settings: BudgetSettings,
    processes: u32,
}

impl Bound {
    pub(super) const fn new(settings: BudgetSettings) -> Self {
        Self { settings, processes: 1 }
    }

    /// The bound of this many processes, each with a budget of its own. Zero acts like one.
    pub const fn for_processes(self, processes: u32) -> Self {
        Self { processes: if processes == 0 { 1 } else { processes }, ..self }
    }

    /// How many processes the bound is for.
    #[must_use]
    pub const fn processes(&self) -> u32 {
        self.processes
    }

    /// Retries that can follow one another while nothing is answered, over all processes. `None`
    /// for a sliding window, where that grows with the traffic of the window.
    #[must_use]
    pub fn burst(&self) -> Option<f64> {
        self.settings.burst().map(|burst| burst * f64::from(self.processes))
    }

    /// Retries per call in the long run: what an answered call earns, or for a sliding window with
    /// share `r` of all attempts, `r / (1 - r)`. The same for any number of processes.
    #[must_use]
    pub const fn steady_share(&self) -> f64 {
        self.settings.steady_share()
    }

    /// Attempts per call in the long run at worst, unless `attempts` stops calls earlier.
    ///
    /// A token bucket gives 1 + ratio. A sliding window gives 1 / (1 − ratio) where its ratio
    /// applies; traffic so thin that it never does can reach `min_samples` attempts per call.
    #[must_use]
    pub fn worst_amplification(&self) -> f64 {
        let steady = 1.0 + self.steady_share();
        match self.settings {
            BudgetSettings::TokenBucket { .. } => steady,
            BudgetSettings::SlidingWindow { min_samples, .. } => steady.max(min_samples.into()),
        }
    }

    /// Retries in a window that no ratio limits, over all processes; 0 for a token bucket.
    #[must_use]
    pub fn exempt(&self) -> u64 {
        match self.settings {
            BudgetSettings::TokenBucket { .. } => 0,
            BudgetSettings::SlidingWindow { min_samples, .. } => {
                u64::from(min_samples.saturating_sub(1)) * u64::from(self.processes)
            }
        }
    }

    /// The length of the sliding window; `None` for a token bucket, in which time earns nothing.
    #[must_use]
    pub const fn window(&self) -> Option<Duration> {
        match self.settings {
            BudgetSettings::TokenBucket { .. } => None,
            BudgetSettings::SlidingWindow { window, .. } => Some(window),
        }
    }

    /// The most retries that can have been granted by the time this many calls, over all
    /// processes, were answered: burst + ratio · answered calls. `None` for a sliding window, which
    /// does not look at answers.
    #[must_use]
    pub fn retries(&self, answered_calls: u64) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a share of 2^-53 of the calls at most")]
        let answered_calls = answered_calls as f64;
        self.burst().map(|burst| burst + self.steady_share() * answered_calls)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.settings {
            BudgetSettings::TokenBucket { burst, ratio } => {
                let all = Figure(burst * f64::from(self.processes));
                let ratio = Figure(ratio);
                write!(f, "At most {all} retries at once")?;
                self.write_each(f, &Figure(burst))?;
                write!(
                    f,
                    ", then {ratio} of a retry for each answered call: retries never exceed {all} \
                     + {ratio} x answered calls. In the long run that is at most {} attempts per \
                     call, and while nothing is answered there are none once the {all} are spent.",
                    Figure(self.worst_amplification())
                )?;
            }
            BudgetSettings::SlidingWindow { ratio, window, min_samples } => {
                write!(
                    f,
                    "When one is granted, retries are at most {} % of the attempts of the last \
                     {window:?}, answered or not",
                    Figure(ratio * 100.0)
                )?;
                if min_samples > 1 {
                    write!(
                        f,
                        ", except that up to {} in that time",
                        u64::from(min_samples - 1) * u64::from(self.processes)
                    )?;
                    self.write_each(f, &(min_samples - 1))?;
                    write!(
                        f,
                        " are let through while there are fewer than {min_samples} attempts"
                    )?;
                    if self.processes > 1 {
                        f.write_str(" in a process")?;
                    }
                }
                write!(
                    f,
                    ". Where the share applies that is at most {} attempts per call, and the \
                     retries go on while nothing is answered.",
                    Figure(1.0 + self.steady_share())
                )?;
            }
        }
        f.write_str(
            " Not covered: first attempts, what an enclosing call repeats beside its last failed \
             call, calls with `budget = none`, ",
        )?;
        if self.processes == 1 {
            f.write_str("other processes")?;
        } else {
            write!(f, "processes beyond these {}", self.processes)?;
        }
        f.write_str(", and retries inside drivers.")
    }
}

impl Bound {
    fn write_each(&self, f: &mut fmt::Formatter<'_>, each: &dyn fmt::Display) -> fmt::Result {
        if self.processes > 1 {
            write!(f, " in {} processes ({each} each)", self.processes)?;
        }
        Ok(())
    }
}
