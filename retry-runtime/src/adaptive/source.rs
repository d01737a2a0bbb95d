//! Where the load comes from: a probe, and what it said last.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use super::{Load, LoadProbe, ProcessProbe};
use crate::{Moment, contain::contained};

/// The probe is asked once in this time, in nanoseconds, however many calls fail.
const INTERVAL: u64 = 100_000_000;

/// A probe and its last answer.
///
/// Lock-free: whoever finds the answer too old and moves `asked` on asks the probe, and all others go by
/// the old answer meanwhile. The answer is one word, so that it is never half of one and half of another.
/// Should a probe take longer than the interval, two ask it at once, and the answer that comes last stays.
pub(crate) struct LoadSource {
    probe: OnceLock<Box<dyn LoadProbe>>,
    otherwise: Option<&'static ProcessProbe>,
    /// When the probe was asked, in nanoseconds and one more; 0 before the first time.
    asked: AtomicU64,
    answer: AtomicU64,
}

/// The probe panicked.
pub(crate) struct ProbePanicked;

static BUILT_IN: ProcessProbe = ProcessProbe::new();
/// What all calls outside of isolated tests go by.
pub(crate) static PROCESS: LoadSource = LoadSource::new(Some(&BUILT_IN));

impl LoadSource {
    const fn new(otherwise: Option<&'static ProcessProbe>) -> Self {
        Self {
            probe: OnceLock::new(),
            otherwise,
            asked: AtomicU64::new(0),
            answer: AtomicU64::new(u64::MAX),
        }
    }

    /// Knows nothing until a probe is installed, so that a test does not depend on what else the machine
    /// is doing.
    #[cfg(feature = "testing")]
    pub(crate) const fn silent() -> Self {
        Self::new(None)
    }

    /// Puts another probe in the place of the built-in one, once.
    pub(crate) fn install(&self, probe: Box<dyn LoadProbe>) -> Result<(), AlreadyInstalled> {
        self.probe.set(probe).map_err(|_| AlreadyInstalled(()))?;
        // What the built-in one said is forgotten.
        self.asked.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// How busy the process is, as it was found at most 100 ms before `now`.
    pub(crate) fn load(&self, now: Moment) -> Result<Load, ProbePanicked> {
        let asked = self.asked.load(Ordering::Relaxed);
        let stamp = now.as_nanos().saturating_add(1);
        // A clock that went back is another runtime's, or a paused one.
        let fresh = asked != 0 && stamp >= asked && stamp - asked < INTERVAL;
        let claimed = !fresh
            && self
                .asked
                .compare_exchange(asked, stamp, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if !claimed {
            return Ok(Load::unpack(self.answer.load(Ordering::Relaxed)));
        }
        let load = contained(|| self.ask());
        let known = *load.as_ref().unwrap_or(&Load::new());
        self.answer.store(known.pack(), Ordering::Relaxed);
        load.map(|load| Load::unpack(load.pack())).ok_or(ProbePanicked)
    }

    fn ask(&self) -> Load {
        match (self.probe.get(), self.otherwise) {
            (Some(probe), _) => probe.load(),
            (None, Some(built_in)) => built_in.load(),
            (None, None) => Load::new(),
        }
    }
}

/// A load probe stands there already: the first one stays.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::{self, AlreadyInstalled, Load};
///
/// let first: Result<(), AlreadyInstalled> = adaptive::install(|| Load::new().cpu(0.5));
/// assert!(first.is_ok() && adaptive::install(|| Load::new()).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a load probe is installed already: install one, once, where the program starts")]
pub struct AlreadyInstalled(());

#[cfg(test)]
mod tests {
    use std::sync::{Arc, atomic::AtomicU32};

    use super::*;

    fn at(milliseconds: u64) -> Moment {
        Moment::from_nanos(milliseconds * 1_000_000)
    }

    fn counting() -> (LoadSource, Arc<AtomicU32>) {
        let (source, asked) = (LoadSource::new(None), Arc::new(AtomicU32::new(0)));
        let counter = Arc::clone(&asked);
        let probe = move || {
            let number = counter.fetch_add(1, Ordering::Relaxed) + 1;
            Load::new().live_tasks(number.into())
        };
        source.install(Box::new(probe)).unwrap();
        (source, asked)
    }

    fn tasks(source: &LoadSource, milliseconds: u64) -> Option<u64> {
        source.load(at(milliseconds)).ok().and_then(|load| load.task_count())
    }

    #[test]
    fn the_probe_is_asked_at_most_every_tenth_of_a_second() {
        let (source, asked) = counting();
        for (milliseconds, wanted) in [(0, 1), (1, 1), (99, 1), (100, 2), (199, 2), (5_000, 3)] {
            assert_eq!(tasks(&source, milliseconds), Some(wanted), "{milliseconds} ms");
        }
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_clock_that_goes_back_asks_anew() {
        let (source, _) = counting();
        assert_eq!((tasks(&source, 5_000), tasks(&source, 10)), (Some(1), Some(2)));
    }

    #[test]
    fn threads_that_find_an_old_answer_ask_once_between_them() {
        let (source, asked) = counting();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| tasks(&source, 1_000));
            }
        });
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn one_probe_is_installed_once() {
        let (source, _) = counting();
        let refused = source.install(Box::new(Load::new)).unwrap_err();
        assert!(refused.to_string().contains("already"), "{refused}");
    }

    #[test]
    fn a_probe_that_panics_knows_nothing() {
        let source = LoadSource::new(None);
        source.install(Box::new(|| -> Load { panic!("no file") })).unwrap();
        assert!(source.load(at(0)).is_err());
        assert_eq!(tasks(&source, 1), None);
        assert!(source.load(at(200)).is_err(), "asked again");
    }

    #[test]
    fn without_a_probe_nothing_is_known() {
        assert_eq!(LoadSource::new(None).load(at(1)).ok(), Some(Load::new()));
    }
}
