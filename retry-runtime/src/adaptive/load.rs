//! How busy the process is, and who says so.

/// How busy the process is. What is not known is left out, and counts as not busy.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::Load;
///
/// let load = Load::new().cpu(0.93).live_tasks(1_200);
/// assert_eq!((load.cpu_share(), load.task_count()), (Some(0.93), Some(1_200)));
/// assert_eq!(Load::new().cpu(1.7).cpu_share(), Some(1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use = "a load does nothing until somebody looks at it"]
pub struct Load {
    cpu: Option<f64>,
    live_tasks: Option<u64>,
}

/// The steps in which shares are kept, so that a load is one word.
const STEPS: f64 = 10_000.0;
const UNKNOWN_CPU: u64 = u16::MAX as u64;
const UNKNOWN_TASKS: u64 = u64::MAX >> 16;

impl Load {
    /// Nothing is known.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::Load;
    ///
    /// assert_eq!((Load::new().cpu_share(), Load::new().task_count()), (None, None));
    /// ```
    pub const fn new() -> Self {
        Self { cpu: None, live_tasks: None }
    }

    /// The share of the processor in use, of all that the process may use: from 0 to 1. Cut to that; NaN
    /// is not known.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::Load;
    ///
    /// assert_eq!(Load::new().cpu(0.93).cpu_share(), Some(0.93));
    /// assert_eq!(Load::new().cpu(f64::NAN).cpu_share(), None);
    /// ```
    pub const fn cpu(mut self, share: f64) -> Self {
        self.cpu = if share.is_nan() { None } else { Some(share.clamp(0.0, 1.0)) };
        self
    }

    /// How many tasks are alive.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::Load;
    ///
    /// assert_eq!(Load::new().live_tasks(1_200).task_count(), Some(1_200));
    /// ```
    pub const fn live_tasks(mut self, tasks: u64) -> Self {
        self.live_tasks = Some(tasks);
        self
    }

    /// The share of the processor in use, if it is known.
    #[must_use]
    pub const fn cpu_share(&self) -> Option<f64> {
        self.cpu
    }

    /// How many tasks are alive, if that is known.
    #[must_use]
    pub const fn task_count(&self) -> Option<u64> {
        self.live_tasks
    }

    /// In one word, to be exchanged at once: the share in ten-thousandths.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "shares are between 0 and 1"
    )]
    pub(super) fn pack(self) -> u64 {
        let cpu = self.cpu.map_or(UNKNOWN_CPU, |share| (share * STEPS).round() as u64);
        let tasks = self.live_tasks.map_or(UNKNOWN_TASKS, |tasks| tasks.min(UNKNOWN_TASKS - 1));
        tasks << 16 | cpu
    }

    pub(super) fn unpack(word: u64) -> Self {
        let (cpu, tasks) = (word & UNKNOWN_CPU, word >> 16);
        Self {
            cpu: u16::try_from(cpu)
                .ok()
                .filter(|cpu| u64::from(*cpu) != UNKNOWN_CPU)
                .map(|cpu| f64::from(cpu) / STEPS),
            live_tasks: (tasks != UNKNOWN_TASKS).then_some(tasks),
        }
    }
}

/// Whoever knows how busy the process is. [`install`](super::install) puts another in the place of the
/// built-in one.
///
/// Asked after a failed attempt of an adaptive function and at most every 100 ms in the whole process,
/// between two polls: it must not block. One that panics knows nothing, and leaves a
/// [`Warning`](crate::Warning).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::{Load, LoadProbe};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
///
/// /// Connections stand for tasks.
/// struct Server;
///
/// impl LoadProbe for Server {
///     fn load(&self) -> Load {
///         Load::new().live_tasks(CONNECTIONS.load(Ordering::Relaxed))
///     }
/// }
/// ```
pub trait LoadProbe: Send + Sync + 'static {
    /// How busy the process is now.
    fn load(&self) -> Load;
}

impl<F: Fn() -> Load + Send + Sync + 'static> LoadProbe for F {
    fn load(&self) -> Load {
        self()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_holds_a_load() {
        for load in [
            Load::new(),
            Load::new().cpu(0.0),
            Load::new().cpu(1.0),
            Load::new().cpu(0.8001),
            Load::new().live_tasks(0),
            Load::new().cpu(0.93).live_tasks(5_001),
            Load::new().live_tasks(UNKNOWN_TASKS - 1),
        ] {
            assert_eq!(Load::unpack(load.pack()), load);
        }
        let many = Load::unpack(Load::new().live_tasks(u64::MAX).pack());
        assert_eq!(many.task_count(), Some(UNKNOWN_TASKS - 1));
    }

    #[test]
    fn shares_are_cut_to_zero_and_one() {
        for (share, wanted) in [
            (-0.5, Some(0.0)),
            (f64::INFINITY, Some(1.0)),
            (f64::NEG_INFINITY, Some(0.0)),
            (f64::NAN, None),
        ] {
            assert_eq!(Load::new().cpu(share).cpu_share(), wanted, "{share}");
        }
    }
}
