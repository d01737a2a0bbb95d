//! What a callee reads from a request, and what it does about it.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use super::{
    ATTEMPT, Carrier, Facts,
    aws::{self, SdkRequest},
    envoy, grpc,
};
use crate::{
    Moment, clock,
    context::{self, Ambient, CARRIED, IDEMPOTENT, INDEPENDENT, POLLED, REPEATING, SUPPRESS},
};

/// Reads what a request says about the call that it is part of. Do it as soon as the request is there: the
/// time that is left counts from now.
///
/// **It believes what it reads.** Whoever can send requests can make retries inside of them stop, and can give
/// them little time: read it from callers that may do so.
///
/// Where there is more than one header about attempts, the request was sent as often as the highest of them
/// tells: a proxy that repeats a request has a count of its own, and leaves `stormless-attempt` the same. A
/// foreign count of 2 and more that is higher than ours shows that somebody else repeats it, and calls in here
/// run once then. How many attempts there may be and the rest is what `stormless-attempt` says, or else
/// `amz-sdk-request`. Of
/// the times that `stormless-attempt`, `grpc-timeout` and `x-envoy-expected-rq-timeout-ms` tell, the shortest
/// counts. The `ttl` of `amz-sdk-request` does not: it is a time of another machine's wall clock. What is
/// malformed is as good as absent.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{collections::HashMap, time::Duration};
/// use stormless::wire;
///
/// let mut headers = HashMap::new();
/// headers.insert("stormless-attempt".to_owned(), "2;max=3".to_owned());
/// headers.insert("grpc-timeout".to_owned(), "500m".to_owned());
/// let incoming = wire::extract(&headers);
/// assert_eq!((incoming.attempt(), incoming.max()), (Some(2), Some(3)));
/// assert!(incoming.remaining().unwrap() <= Duration::from_millis(500));
/// ```
#[must_use]
pub fn extract<C: Carrier + ?Sized>(carrier: &C) -> Incoming {
    let own = carrier.get(ATTEMPT).and_then(Facts::parse);
    let mut incoming = own.map_or(Incoming::NOTHING, Incoming::from);
    incoming.hears(carrier);
    let grpc = carrier.get(grpc::TIMEOUT).and_then(grpc::parse_timeout);
    let envoy = carrier.get(envoy::EXPECTED_TIMEOUT).and_then(envoy::parse_expected_timeout);
    for left in grpc.into_iter().chain(envoy) {
        incoming.ends_within(left);
    }
    incoming
}

/// What a request says about the call that it is part of, as its receiver knows it.
///
/// From [`extract`], or from [`Facts`] that came in another way.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::{Facts, Incoming};
/// use std::time::Duration;
///
/// let facts = Facts::new(2).max_attempts(3).time_left(Duration::from_secs(60));
/// let incoming = Incoming::from(facts);
/// assert_eq!((incoming.attempt(), incoming.max()), (Some(2), Some(3)));
/// assert!(incoming.is_retry() && incoming.suppresses() && !incoming.is_empty());
/// assert!(incoming.remaining().unwrap() <= Duration::from_secs(60));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// 0 if the request says nothing of it.
    attempt: u32,
    max: Option<u32>,
    /// The caller retries, and calls in here do not.
    retries: bool,
    idempotent: bool,
    deadline: Moment,
}

/// Counts the time that is left from now.
impl From<Facts> for Incoming {
    fn from(facts: Facts) -> Self {
        let mut incoming = Self {
            attempt: facts.attempt(),
            max: facts.max(),
            retries: facts.max() != Some(1) && !facts.allows_inner(),
            idempotent: facts.is_idempotent(),
            deadline: Moment::NEVER,
        };
        if let Some(left) = facts.remaining() {
            incoming.ends_within(left);
        }
        incoming
    }
}

impl Incoming {
    const NOTHING: Self =
        Self { attempt: 0, max: None, retries: false, idempotent: false, deadline: Moment::NEVER };

    /// What others' headers say about the attempt, beside our own.
    fn hears<C: Carrier + ?Sized>(&mut self, carrier: &C) {
        let grpc = carrier.get(grpc::PREVIOUS_ATTEMPTS).and_then(grpc::parse_previous_attempts);
        let aws = carrier.get(aws::REQUEST).and_then(SdkRequest::parse);
        let envoy = carrier.get(envoy::ATTEMPT_COUNT).and_then(envoy::parse_attempt_count);
        if self.attempt == 0 {
            self.max = aws.and_then(|request| request.max);
            self.retries = self.max.is_some_and(|max| max > 1);
        }
        let highest = [grpc, aws.map(|request| request.attempt), envoy].into_iter().flatten().max();
        let Some(highest) = highest.filter(|highest| *highest > self.attempt) else { return };
        self.attempt = highest;
        // A limit that is exceeded is not that of whoever repeats it.
        self.max = self.max.filter(|max| *max >= highest);
        // Without a number of attempts, only a retry shows that there are any.
        if highest > 1 && !self.retries {
            self.retries = true;
            self.idempotent = false;
        }
    }

    fn ends_within(&mut self, left: Duration) {
        self.deadline = self.deadline.min(clock::now().after(left));
    }

    /// Whether the request says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NOTHING
    }

    /// How often the request was sent, this time included: the highest number that one of its headers tells.
    /// The first attempt is 1. `None` if the request does not say.
    #[must_use]
    pub const fn attempt(&self) -> Option<u32> {
        if self.attempt == 0 { None } else { Some(self.attempt) }
    }

    /// How many attempts the caller makes at most; `None` if the request does not say, or there is no limit.
    #[must_use]
    pub const fn max(&self) -> Option<u32> {
        self.max
    }

    /// Whether the request was sent before, and is repeated.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        self.attempt > 1
    }

    /// Whether annotated calls inside of [`scope`](Self::scope) run once, since the caller retries.
    #[must_use]
    pub const fn suppresses(&self) -> bool {
        self.retries
    }

    /// The time that is left now before the caller's deadline; zero if that has passed, `None` without one.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        (self.deadline != Moment::NEVER).then(|| clock::now().until(self.deadline))
    }

    #[cfg(feature = "tower-0-5")]
    pub(crate) const fn deadline(&self) -> Moment {
        self.deadline
    }

    /// The future, in which annotated functions know what the request says.
    ///
    /// - They end at the caller's deadline, as at an enclosing call's, or at the one in force here if that is
    ///   sooner. The future itself does not end there.
    /// - Where the caller retries, they run once, as they do inside another call's attempt; what
    ///   `nested = "independent"` does there it does here. A caller that says that it is idempotent repeats
    ///   what may have been carried out; where it does not, an `idempotent` function retries that by itself.
    /// - In the caller's retries they earn nothing for their budgets.
    ///
    /// Right in the scope there is no [`current()`](crate::current) attempt: it is the caller's.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::{collections::HashMap, io};
    /// use stormless::{Policy, StopReason, wire};
    ///
    /// const POLICY: Policy = Policy::new().attempts(3);
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// # let mut headers = HashMap::new();
    /// # headers.insert("stormless-attempt".to_owned(), "1;max=3".to_owned());
    /// let down = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// let handled = wire::extract(&headers).scope(async { POLICY.run(down).explain().await });
    /// // Whoever sent the request repeats it.
    /// let error = handled.await.unwrap_err();
    /// assert_eq!((error.attempts(), error.reason()), (1, StopReason::Nested));
    /// # }
    /// ```
    pub fn scope<F: Future>(self, future: F) -> IncomingScope<F> {
        IncomingScope { future, incoming: self }
    }

    /// Runs a closure in the same way, for blocking functions.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, StopReason, wire::{Facts, Incoming}};
    /// use std::io;
    ///
    /// let incoming = Incoming::from(Facts::new(1).max_attempts(3));
    /// let refused = || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// let error = incoming.run(|| Policy::new().run_blocking(refused).explain().call()).unwrap_err();
    /// assert_eq!(error.reason(), StopReason::Nested);
    /// ```
    pub fn run<T>(self, run: impl FnOnce() -> T) -> T {
        let ambient = self.ambient();
        let _entered = context::enter(&ambient.with_flags(ambient.flags() & !POLLED));
        run()
    }

    /// In the report, the test and the limits that are in force here.
    fn ambient(self) -> Ambient {
        let around = context::ambient();
        let suppress = if self.retries { SUPPRESS } else { 0 };
        let idempotent = if self.retries && self.idempotent { IDEMPOTENT } else { 0 };
        let repeating = if self.retries && self.is_retry() { REPEATING } else { 0 };
        let flags = around.flags() & !INDEPENDENT | CARRIED | suppress | idempotent | repeating;
        let told = Ambient::ROOT.within(around).with_flags(flags);
        let told = told.with_deadline(self.deadline.min(around.deadline));
        if self.attempt == 0 {
            return told;
        }
        told.at_attempt(self.attempt).of_most(self.max)
    }
}

pin_project! {
    /// A future whose polls see what a request says; from [`Incoming::scope`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::{Facts, Incoming, IncomingScope};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let handled: IncomingScope<_> = Incoming::from(Facts::new(1)).scope(async { 7 });
    /// assert_eq!(handled.await, 7);
    /// # }
    /// ```
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct IncomingScope<F> {
        #[pin]
        future: F,
        incoming: Incoming,
    }
}

impl<F: Future> Future for IncomingScope<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _entered = context::enter(&this.incoming.ambient());
        this.future.poll(task)
    }
}
