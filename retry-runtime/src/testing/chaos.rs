//! Things that go wrong at a rate.

use std::{
    fmt,
    future::Future,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use super::{draws::Draws, latency};
use crate::ConfigError;

/// Errors, latency and panics, each at a rate, and to the same calls for the same seed.
///
/// Whether something happens to a call is a matter of the seed, of what it is, and of how many calls came before.
/// So what happens to the 17th call is the same on every machine; to add latency, or to change its rate, does not
/// change which calls fail; and a higher rate adds calls to those that failed at a lower one. Where calls run side
/// by side, they are counted in the order in which they come here.
///
/// Builders never fail: they remember the first rate that makes no sense, which [`check`](Self::check) returns. A
/// chaos with a fault does nothing to any call.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{io, time::Duration};
/// use stormless::{Policy, testing::{Chaos, isolated, seed}};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// isolated(async {
///     seed(7);
///     let chaos = Chaos::seeded(7)
///         .errors(0.2, || io::Error::from(io::ErrorKind::ConnectionRefused))
///         .latency(0.1, Duration::from_secs(1));
///     assert_eq!(chaos.check(), Ok(()));
///     let mut failed = 0;
///     for id in 0..100 {
///         let body = async || chaos.run(async { Ok(id) }).await;
///         failed += u32::from(Policy::new().run(body).await.is_err());
///     }
///     // Of a hundred calls, three attempts each.
///     assert!(failed < 5 && chaos.struck().errors > 10, "{failed}, {:?}", chaos.struck());
/// }).await;
/// # }
/// ```
///
/// What a panic does to the call in whose attempt it happens: it goes through to the caller, and the call counts as
/// [panicked](crate::Outcome::Panicked). It is no success and no failure, so budgets earn nothing by it and breakers
/// do not count it.
#[must_use = "nothing happens until `run` or `strike` is called"]
pub struct Chaos<E> {
    seed: u64,
    latency: Draws,
    takes: Duration,
    panics: Draws,
    errors: Draws,
    error: Option<Box<dyn Fn() -> E + Send + Sync>>,
    fault: Option<ConfigError>,
    calls: AtomicU64,
    slowed: AtomicU64,
    panicked: AtomicU64,
    failed: AtomicU64,
}

/// What a [`Chaos`] has done so far.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::testing::{Chaos, Struck};
///
/// let chaos = Chaos::seeded(7).errors(1.0, || "unavailable");
/// let _failed = chaos.strike_blocking();
/// let Struck { calls, slowed, panics, errors, .. } = chaos.struck();
/// assert_eq!((calls, slowed, panics, errors), (1, 0, 0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Struck {
    /// How many calls there were.
    pub calls: u64,
    /// How many of them took longer. They may have failed or panicked too.
    pub slowed: u64,
    /// How many panicked.
    pub panics: u64,
    /// How many failed.
    pub errors: u64,
}

// Numbers that have nothing in common, and not with what jitter draws from the same seed either: the first digits
// of the square roots of 2, 3 and 5.
const LATENCY: u64 = 0x6a09_e667_f3bc_c908;
const PANICS: u64 = 0xbb67_ae85_84ca_a73b;
const ERRORS: u64 = 0x3c6e_f372_fe94_f82b;

impl<E> Chaos<E> {
    /// Nothing happens yet; what will is up to this seed.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::testing::Chaos;
    ///
    /// let failing = |seed| -> Vec<u32> {
    ///     let chaos = Chaos::seeded(seed).errors(0.2, || "unavailable");
    ///     (1..=100).filter(|_| chaos.strike_blocking().is_err()).collect()
    /// };
    /// assert_eq!(failing(7), failing(7));
    /// assert_ne!(failing(7), failing(8));
    /// ```
    pub fn seeded(seed: u64) -> Self {
        Self {
            seed,
            latency: Draws::new(seed, LATENCY),
            takes: Duration::ZERO,
            panics: Draws::new(seed, PANICS),
            errors: Draws::new(seed, ERRORS),
            error: None,
            fault: None,
            calls: AtomicU64::new(0),
            slowed: AtomicU64::new(0),
            panicked: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    /// This share of the calls, from 0 to 1, fails with this error, and what they were about is not done.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::testing::Chaos;
    ///
    /// let chaos = Chaos::seeded(7).errors(1.0, || "unavailable");
    /// assert_eq!(chaos.strike_blocking(), Err("unavailable"));
    /// ```
    pub fn errors(mut self, rate: f64, error: impl Fn() -> E + Send + Sync + 'static) -> Self {
        self.errors = self.errors.at(rate);
        self.error = Some(Box::new(error));
        self.checked("errors", rate)
    }

    /// This share of the calls, from 0 to 1, takes this much longer, on the timer in force, which may be virtual.
    /// Those that also fail do so after that.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::testing::Chaos;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let chaos = Chaos::<std::io::Error>::seeded(7).latency(1.0, Duration::from_secs(2));
    /// let begun = tokio::time::Instant::now();
    /// assert_eq!(chaos.run(async { Ok(7) }).await.unwrap(), 7);
    /// assert_eq!(begun.elapsed(), Duration::from_secs(2));
    /// # }
    /// ```
    pub fn latency(mut self, rate: f64, time: Duration) -> Self {
        self.latency = self.latency.at(rate);
        self.takes = time;
        self.checked("latency", rate)
    }

    /// This share of the calls, from 0 to 1, panics.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::testing::Chaos;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let chaos = Chaos::<std::io::Error>::seeded(7).panics(1.0);
    /// let call = tokio::spawn(async move { chaos.strike().await });
    /// assert!(call.await.unwrap_err().is_panic());
    /// # }
    /// ```
    pub fn panics(mut self, rate: f64) -> Self {
        self.panics = self.panics.at(rate);
        self.checked("panics", rate)
    }

    fn checked(mut self, setting: &'static str, given: f64) -> Self {
        if !(0.0..=1.0).contains(&given) {
            let fault = ConfigError::OutOfRange { setting, given, least: 0.0, most: 1.0 };
            self.fault.get_or_insert(fault);
        }
        self
    }

    /// Whether the rates make sense.
    ///
    /// # Errors
    ///
    /// The first that is below 0, above 1, or not a number.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::testing::Chaos;
    ///
    /// let chaos = Chaos::<std::io::Error>::seeded(7).panics(20.0);
    /// assert_eq!(chaos.check().unwrap_err().to_string(), "`panics` is 20: it must lie between 0 and 1");
    /// ```
    pub const fn check(&self) -> Result<(), ConfigError> {
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// Runs a future, unless the call fails or panics before it. What is dropped then was not polled.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::testing::Chaos;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let (calm, storm) = (Chaos::seeded(7), Chaos::seeded(7).errors(1.0, || "unavailable"));
    /// assert_eq!(calm.run(async { Ok::<_, &str>(7) }).await, Ok(7));
    /// assert_eq!(storm.run(async { Ok(7) }).await, Err("unavailable"));
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The future's, and those that were asked for.
    ///
    /// # Panics
    ///
    /// In so many calls as [`panics`](Self::panics) says.
    pub async fn run<T>(&self, future: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        self.strike().await?;
        future.await
    }

    /// For the first line of a body: `chaos.strike().await?`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::io::{self, ErrorKind::ConnectionRefused};
    /// use stormless::{Policy, testing::{Chaos, isolated}};
    ///
    /// async fn fetch(chaos: &Chaos<io::Error>) -> io::Result<u32> {
    ///     chaos.strike().await?;
    ///     Ok(7)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// isolated(async {
    ///     let chaos = Chaos::seeded(7).errors(1.0, || ConnectionRefused.into());
    ///     assert!(Policy::new().run(async || fetch(&chaos).await).await.is_err());
    ///     assert_eq!(chaos.struck().errors, 3); // one for each attempt
    /// }).await;
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// In so many calls as [`errors`](Self::errors) says.
    ///
    /// # Panics
    ///
    /// In so many calls as [`panics`](Self::panics) says.
    pub async fn strike(&self) -> Result<(), E> {
        let call = self.next();
        latency::take(self.time_of(call)).await;
        self.end(call)
    }

    /// [`strike`](Self::strike) for functions marked `blocking`. Latency is slept on the thread, and is no wait of a
    /// call: [`no_delays`](super::no_delays) leaves it as it is.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::testing::Chaos;
    ///
    /// let chaos = Chaos::seeded(7).errors(0.2, || "unavailable");
    /// let failed = (0..100).filter(|_| chaos.strike_blocking().is_err()).count();
    /// assert!((10..30).contains(&failed), "{failed} of 100");
    /// assert_eq!(chaos.struck().errors, failed as u64);
    /// ```
    ///
    /// # Errors
    ///
    /// As `strike`.
    ///
    /// # Panics
    ///
    /// As `strike`.
    pub fn strike_blocking(&self) -> Result<(), E> {
        let call = self.next();
        latency::take_blocking(self.time_of(call));
        self.end(call)
    }

    /// What has happened so far.
    #[must_use]
    pub fn struck(&self) -> Struck {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Struck {
            calls: read(&self.calls),
            slowed: read(&self.slowed),
            panics: read(&self.panicked),
            errors: read(&self.failed),
        }
    }

    /// The number of the call that begins; the first is 1.
    fn next(&self) -> u64 {
        self.calls.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
    }

    fn hits(&self, draws: Draws, call: u64, count: &AtomicU64) -> bool {
        let hits = self.fault.is_none() && draws.hits(call);
        if hits {
            count.fetch_add(1, Ordering::Relaxed);
        }
        hits
    }

    fn time_of(&self, call: u64) -> Duration {
        if self.hits(self.latency, call, &self.slowed) { self.takes } else { Duration::ZERO }
    }

    fn end(&self, call: u64) -> Result<(), E> {
        let panics = self.hits(self.panics, call, &self.panicked);
        assert!(!panics, "the chaos of seed {} makes its call {call} panic", self.seed);
        match &self.error {
            Some(error) if self.hits(self.errors, call, &self.failed) => Err(error()),
            _ => Ok(()),
        }
    }
}

impl<E> fmt::Debug for Chaos<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chaos")
            .field("seed", &self.seed)
            .field("struck", &self.struck())
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}
