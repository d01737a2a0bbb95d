//! A dependency whose answers are written down beforehand.

use std::{
    collections::VecDeque,
    fmt,
    future::pending,
    panic::Location,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::latency;

/// One outcome of a [`Script`], and how long it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a step does nothing until it is in a script"]
pub struct Step<O> {
    // `None` never ends.
    outcome: Option<O>,
    takes: Duration,
}

impl<O> Step<O> {
    /// This outcome, at once.
    pub const fn new(outcome: O) -> Self {
        Self { outcome: Some(outcome), takes: Duration::ZERO }
    }

    /// No outcome: whoever asks waits until it is dropped, by a timeout or at a deadline.
    pub const fn hangs() -> Self {
        Self { outcome: None, takes: Duration::ZERO }
    }

    /// The outcome comes after this time on the timer in force, which may be virtual.
    pub fn takes(self, time: Duration) -> Self {
        Self { takes: time, ..self }
    }
}

/// Outcomes that are written down beforehand, one for each time that a body asks, and how often it did.
///
/// It may be shared between threads, in an `Arc` or by reference; each outcome goes to whoever asks first. The
/// outcomes need not be `Clone`, as many errors are not.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io::{Error, ErrorKind::ConnectionRefused};
/// use stormless::{Policy, testing::{Script, isolated, no_delays}};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// isolated(async {
///     no_delays();
///     let server = Script::new([Err(Error::from(ConnectionRefused)), Err(Error::from(ConnectionRefused)), Ok(7)]);
///     assert_eq!(Policy::new().run(async || server.next().await).await.unwrap(), 7);
///     server.assert_used_up();
///     assert_eq!(server.calls(), 3);
/// }).await;
/// # }
/// ```
pub struct Script<O> {
    name: Option<String>,
    made_at: &'static Location<'static>,
    state: Mutex<State<O>>,
}

struct State<O> {
    steps: VecDeque<Step<O>>,
    length: usize,
    calls: usize,
    tail: Tail<O>,
}

/// What follows the last step.
enum Tail<O> {
    /// A test that fails.
    Nothing,
    /// The last step, which stays where it is.
    Repeat(fn(&Step<O>) -> Step<O>),
    /// Whatever this says.
    Then(Box<dyn FnMut(usize) -> O + Send>),
}

impl<O> Script<O> {
    /// These outcomes in this order, each at once.
    #[track_caller]
    pub fn new(outcomes: impl IntoIterator<Item = O>) -> Self {
        Self::steps(outcomes.into_iter().map(Step::new))
    }

    /// These steps in this order.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::testing::{Script, Step};
    /// use tokio::time::{Instant, timeout};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let server = Script::steps([Step::new("slow").takes(Duration::from_secs(3)), Step::hangs()]);
    /// let begun = Instant::now();
    /// assert_eq!(server.next().await, "slow");
    /// assert_eq!(begun.elapsed(), Duration::from_secs(3));
    /// assert!(timeout(Duration::from_secs(60), server.next()).await.is_err());
    /// # }
    /// ```
    #[track_caller]
    pub fn steps(steps: impl IntoIterator<Item = Step<O>>) -> Self {
        let made_at = Location::caller();
        let steps: VecDeque<_> = steps.into_iter().collect();
        let state = State { length: steps.len(), steps, calls: 0, tail: Tail::Nothing };
        Self { name: None, made_at, state: Mutex::new(state) }
    }

    /// What it is called where it runs out, besides the place where it was made.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// The last step comes again and again. Of a script without steps there is none.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::testing::Script;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let dead = Script::new([Err::<(), _>("unavailable")]).repeat_last();
    /// for _ in 0..9 {
    ///     assert_eq!(dead.next().await, Err("unavailable"));
    /// }
    /// # }
    /// ```
    pub fn repeat_last(mut self) -> Self
    where
        O: Clone,
    {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).tail =
            Tail::Repeat(Step::clone);
        self
    }

    /// After the last step comes what this says, given the number of the call; the first call of all has number 1.
    /// For outcomes that are not `Clone`, and for those that depend on something.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::io::{Error, ErrorKind};
    /// use stormless::testing::Script;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let server = Script::new([Ok(1)]).then(|_| Err(Error::from(ErrorKind::ConnectionRefused)));
    /// assert_eq!(server.next().await.unwrap(), 1);
    /// assert_eq!(server.next().await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
    /// # }
    /// ```
    pub fn then(mut self, outcome: impl FnMut(usize) -> O + Send + 'static) -> Self {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).tail =
            Tail::Then(Box::new(outcome));
        self
    }

    /// The next outcome, after the time that it takes. It is taken at the first poll: a call that is then dropped
    /// has had it.
    ///
    /// # Panics
    ///
    /// As an assertion does, if the script has run out: the message names the script and the place where it was
    /// made.
    pub async fn next(&self) -> O {
        let step = self.take();
        latency::take(step.takes).await;
        match step.outcome {
            Some(outcome) => outcome,
            None => pending().await,
        }
    }

    /// [`next`](Self::next) for functions marked `blocking`. The time that a step takes is slept on the thread, and
    /// is no wait of a call: [`no_delays`](super::no_delays) and [`blocking_sleeps`](super::blocking_sleeps) leave
    /// it as it is.
    ///
    /// # Panics
    ///
    /// As `next` does; and if the step [hangs](Step::hangs), which would be for ever here.
    pub fn next_blocking(&self) -> O {
        let step = self.take();
        latency::take_blocking(step.takes);
        let Some(outcome) = step.outcome else {
            panic!("{self} has a step that hangs: use `next`, which can be dropped");
        };
        outcome
    }

    /// How often an outcome was asked for, the times at which there was none included.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.lock().calls
    }

    /// How many of the steps that were written down have not been asked for.
    #[must_use]
    pub fn left(&self) -> usize {
        let state = self.lock();
        state.length.saturating_sub(state.calls)
    }

    /// Asserts that every step that was written down was asked for, and nothing beyond the last one unless
    /// something follows it.
    ///
    /// A script that has run out fails its test by itself only where the panic gets to it: what a server on
    /// loopback asks panics in a task of the server's, and its client sees a lost connection. So ask this at the end.
    ///
    /// # Panics
    ///
    /// If some were not, or if there was none for a call.
    #[track_caller]
    pub fn assert_used_up(&self) {
        let (left, calls) = (self.left(), self.calls());
        assert!(left == 0, "{self} is not used up: {left} left");
        assert!(!self.lock().has_run_out(), "{self} has run out: outcome {calls} was asked for");
    }

    fn take(&self) -> Step<O> {
        let step = self.lock().take();
        // The lock is free by now, for whoever goes on after the panic.
        step.unwrap_or_else(|asked| {
            panic!(
                "{self} has run out: outcome {asked} was asked for; add it, `.repeat_last()` or `.then(…)` if the \
                 further call is right"
            )
        })
    }

    fn lock(&self) -> MutexGuard<'_, State<O>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<O> State<O> {
    fn has_run_out(&self) -> bool {
        let goes_on = match self.tail {
            Tail::Nothing => false,
            Tail::Repeat(_) => self.length > 0,
            Tail::Then(_) => true,
        };
        !goes_on && self.calls > self.length
    }

    /// The next step, or how many were asked for.
    fn take(&mut self) -> Result<Step<O>, usize> {
        self.calls += 1;
        match (&mut self.tail, self.steps.len()) {
            (Tail::Then(outcome), 0) => Ok(Step::new(outcome(self.calls))),
            (Tail::Repeat(again), 1) => Ok(again(&self.steps[0])),
            _ => self.steps.pop_front().ok_or(self.calls),
        }
    }
}

/// Its name, and where it was made.
impl<O> fmt::Display for Script<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "the script `{name}` (made at {})", self.made_at)?,
            None => write!(f, "the script made at {}", self.made_at)?,
        }
        match self.lock().length {
            1 => f.write_str(" of 1 outcome"),
            length => write!(f, " of {length} outcomes"),
        }
    }
}

impl<O> fmt::Debug for Script<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("name", &self.name)
            .field("made_at", &self.made_at)
            .field("calls", &self.calls())
            .field("left", &self.left())
            .finish_non_exhaustive()
    }
}
