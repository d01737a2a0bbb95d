//! What a failure means for whoever considers a retry.

use std::time::Duration;

use crate::cap::{Cap, Capped};

/// What kind of failure it was.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Classification, Kind};
///
/// assert_eq!(Classification::from_status(429).kind(), Kind::Throttled);
/// assert_eq!(Kind::Throttled.label(), "throttled");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Likely to pass by itself: a refused connection, a restarting server.
    Transient,
    /// The dependency asked for less traffic: 429, 503, an exhausted pool.
    Throttled,
    /// No answer in time.
    Timeout,
    /// A concurrent change won: a serialization failure, a version conflict.
    Conflict,
    /// A repeat cannot help: bad input, not found, forbidden.
    Permanent,
    /// Somebody stopped the work; it is never retried.
    Cancelled,
}

impl Kind {
    /// The kind as a metric label, such as `throttled`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Transient => "transient",
            Self::Throttled => "throttled",
            Self::Timeout => "timeout",
            Self::Conflict => "conflict",
            Self::Permanent => "permanent",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Whether the dependency may have carried the operation out.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Classification, Execution};
///
/// // The answer was lost: the order may have been placed.
/// assert_eq!(Classification::timeout().execution(), Execution::MaybeExecuted);
/// // The server refused it before it looked at it.
/// assert_eq!(Classification::throttled().execution(), Execution::NotExecuted);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Execution {
    /// Certainly not: it never arrived, or it was refused untouched.
    NotExecuted,
    /// Nobody can say: the answer was lost. Retried only where the site says `idempotent`.
    MaybeExecuted,
    /// The dependency has answered for it, as a 404 does.
    Executed,
}

/// What the dependency asked for.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Classification, Hint};
/// use std::time::Duration;
///
/// let busy = Classification::throttled().retry_after(Duration::from_secs(2));
/// assert_eq!(busy.hint(), Some(Hint::RetryAfter(Duration::from_secs(2))));
/// assert_eq!(Classification::transient().hint(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hint {
    /// Come back no sooner than this from now.
    RetryAfter(Duration),
    /// Do not come back with this request.
    DoNotRetry,
}

/// The facts about one failure that decide whether a retry follows, and when.
///
/// Start from the kind and refine:
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Classification, Execution};
/// use std::time::Duration;
///
/// let busy = Classification::throttled().retry_after(Duration::from_secs(2));
/// assert_eq!(busy.execution(), Execution::NotExecuted);
///
/// // A 404 that the server said: no retry, and a sign that the server is alive.
/// let missing = Classification::permanent().executed();
/// assert!(missing.is_answer());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a classification does nothing until it is returned"]
pub struct Classification {
    kind: Kind,
    execution: Execution,
    hint: Option<Hint>,
    local: bool,
    base: Option<Duration>,
    cap: Option<Cap>,
    /// 0 where nothing is said.
    cost: u32,
    label: OwnLabel,
}

const _: () = assert!(size_of::<Classification>() <= 88, "each failure moves it about");

/// A name is no fact of the failure: two classifications that differ in it alone are equal.
#[derive(Clone, Copy, Debug)]
struct OwnLabel(Option<&'static str>);

impl PartialEq for OwnLabel {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for OwnLabel {}

impl Classification {
    const fn of(kind: Kind, execution: Execution) -> Self {
        Self {
            kind,
            execution,
            hint: None,
            local: false,
            base: None,
            cap: None,
            cost: 0,
            label: OwnLabel(None),
        }
    }

    /// Likely to pass by itself, and certainly not executed.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Execution, Kind};
    ///
    /// let refused = Classification::transient();
    /// assert_eq!((refused.kind(), refused.execution()), (Kind::Transient, Execution::NotExecuted));
    /// ```
    pub const fn transient() -> Self {
        Self::of(Kind::Transient, Execution::NotExecuted)
    }

    /// Refused because of load, and certainly not executed.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Execution, Kind};
    ///
    /// let busy = Classification::throttled();
    /// assert_eq!((busy.kind(), busy.execution()), (Kind::Throttled, Execution::NotExecuted));
    /// ```
    pub const fn throttled() -> Self {
        Self::of(Kind::Throttled, Execution::NotExecuted)
    }

    /// No answer in time, so it may have been executed.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Execution};
    ///
    /// assert_eq!(Classification::timeout().execution(), Execution::MaybeExecuted);
    /// // A connection that was never made cannot have carried anything out.
    /// let connecting = Classification::timeout().not_executed();
    /// assert_eq!(connecting.execution(), Execution::NotExecuted);
    /// ```
    pub const fn timeout() -> Self {
        Self::of(Kind::Timeout, Execution::MaybeExecuted)
    }

    /// Lost against a concurrent change, and certainly not executed.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Kind};
    /// use std::time::Duration;
    ///
    /// // Whoever lost a race may try again soon.
    /// let lost = Classification::conflict().base(Duration::from_millis(5));
    /// assert_eq!(lost.kind(), Kind::Conflict);
    /// ```
    pub const fn conflict() -> Self {
        Self::of(Kind::Conflict, Execution::NotExecuted)
    }

    /// A repeat cannot help. Add [`executed`](Self::executed) where the dependency itself said so.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    ///
    /// // We could not even write the request: it says nothing of the server.
    /// assert!(!Classification::permanent().is_answer());
    /// // The server said 404.
    /// assert!(Classification::permanent().executed().is_answer());
    /// ```
    pub const fn permanent() -> Self {
        Self::of(Kind::Permanent, Execution::NotExecuted)
    }

    /// The work was stopped on purpose; never retried.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Kind};
    ///
    /// let shutting_down = Classification::cancelled();
    /// assert_eq!(shutting_down.kind(), Kind::Cancelled);
    /// ```
    pub const fn cancelled() -> Self {
        Self::of(Kind::Cancelled, Execution::NotExecuted)
    }

    /// What an HTTP status says: 408, 421 and 425 are transient, 429 and 503 throttled, and all five
    /// not executed; 500 and 502 are transient, 504 is a timeout, and all three may have been executed.
    /// All others are permanent and executed: the server has answered.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Execution, Kind};
    ///
    /// let unavailable = Classification::from_status(503);
    /// assert_eq!((unavailable.kind(), unavailable.execution()), (Kind::Throttled, Execution::NotExecuted));
    /// assert!(Classification::from_status(404).is_answer());
    /// ```
    pub const fn from_status(code: u16) -> Self {
        crate::status::classify_status(code)
    }

    /// It certainly did not happen.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Execution};
    ///
    /// let refused = Classification::timeout().not_executed();
    /// assert_eq!(refused.execution(), Execution::NotExecuted);
    /// ```
    pub const fn not_executed(mut self) -> Self {
        self.execution = Execution::NotExecuted;
        self
    }

    /// It may have happened: retried only where the site is `idempotent`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Execution};
    ///
    /// let broken_off = Classification::transient().maybe_executed();
    /// assert_eq!(broken_off.execution(), Execution::MaybeExecuted);
    /// ```
    pub const fn maybe_executed(mut self) -> Self {
        self.execution = Execution::MaybeExecuted;
        self
    }

    /// The dependency answered for it. A permanent failure that says so earns for the budget like a success, and tells
    /// the breaker that the dependency lives.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    ///
    /// assert!(Classification::permanent().executed().is_answer());
    /// ```
    pub const fn executed(mut self) -> Self {
        self.execution = Execution::Executed;
        self
    }

    /// This process's own failure, such as an exhausted connection pool: it says nothing about the
    /// dependency.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    ///
    /// let pool_exhausted = Classification::throttled().local();
    /// assert!(pool_exhausted.is_local());
    /// ```
    pub const fn local(mut self) -> Self {
        self.local = true;
        self
    }

    /// The dependency asks not to be called again before this much time has passed. Zero is no hint.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Hint};
    /// use std::time::Duration;
    ///
    /// let wait = Duration::from_millis(1500);
    /// assert_eq!(Classification::throttled().retry_after(wait).hint(), Some(Hint::RetryAfter(wait)));
    /// assert_eq!(Classification::throttled().retry_after(Duration::ZERO).hint(), None);
    /// ```
    pub const fn retry_after(mut self, wait: Duration) -> Self {
        if !wait.is_zero() {
            self.hint = Some(Hint::RetryAfter(wait));
        }
        self
    }

    /// The dependency asks not to be called again with this request: the call stops with
    /// [`StopReason::ServerRefusedRetry`](crate::StopReason::ServerRefusedRetry).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Hint};
    ///
    /// let overloaded = Classification::throttled().do_not_retry();
    /// assert_eq!(overloaded.hint(), Some(Hint::DoNotRetry));
    /// ```
    pub const fn do_not_retry(mut self) -> Self {
        self.hint = Some(Hint::DoNotRetry);
        self
    }

    /// Backoff after this failure starts from `base` in place of the policy's; cut to the policy's `max`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    /// use std::time::Duration;
    ///
    /// let lost = Classification::conflict().base(Duration::from_millis(5));
    /// assert_eq!(lost.base_override(), Some(Duration::from_millis(5)));
    /// ```
    pub const fn base(mut self, base: Duration) -> Self {
        self.base = Some(base);
        self
    }

    /// At most this many failures of this class in one call, the first included. Zero acts like one.
    /// Failures of the same kind, label and cap are of one class.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    ///
    /// let once_more = Classification::transient().attempts(2);
    /// assert_eq!(once_more.attempts_override(), Some(2));
    /// assert_eq!(Classification::transient().attempts(0).attempts_override(), Some(1));
    /// ```
    pub const fn attempts(mut self, attempts: u32) -> Self {
        self.cap = Some(Cap::by_hand(attempts));
        self
    }

    /// The same for one derived variant, in place of the cap of what it wraps.
    #[doc(hidden)]
    pub const fn attempts_of(mut self, variant: &'static str, attempts: u32) -> Self {
        self.cap = Some(Cap::of_variant(variant, attempts));
        self
    }

    /// What a retry after this failure costs the budget, in retries, whatever the budget asks for its
    /// kind. Zero acts like one, so that no retry is free.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    ///
    /// let dear = Classification::timeout().cost(5);
    /// assert_eq!((dear.retry_cost(), dear.cost_override()), (5, Some(5)));
    /// assert_eq!(Classification::timeout().cost_override(), None);
    /// ```
    pub const fn cost(mut self, retries: u32) -> Self {
        self.cost = if retries == 0 { 1 } else { retries };
        self
    }

    /// The name under which the failure is counted, where a function classifies (`classify`,
    /// `classify_result`) and no [`Retryable::label`](crate::Retryable::label) can say it; `_OTHER`
    /// where nothing does. From a compile-time set (a variant, a status, a code), never made of run-time
    /// data: tables tell at most 64 of them apart for each function. Names are no facts: two
    /// classifications that differ in theirs alone are equal.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    ///
    /// fn classify(status: &u16) -> Classification {
    ///     match *status {
    ///         507 => Classification::transient().label("disk_full"),
    ///         other => Classification::from_status(other),
    ///     }
    /// }
    /// assert_eq!(classify(&507).own_label(), Some("disk_full"));
    /// assert_eq!(classify(&503).own_label(), None);
    /// ```
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = OwnLabel(Some(label));
        self
    }

    /// The name under which the failure is counted, if the classification brings one.
    #[must_use]
    pub const fn own_label(&self) -> Option<&'static str> {
        self.label.0
    }

    /// The kind of failure.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether it may have been carried out.
    #[must_use]
    pub const fn execution(&self) -> Execution {
        self.execution
    }

    /// What the dependency asked for, if anything.
    #[must_use]
    pub const fn hint(&self) -> Option<Hint> {
        self.hint
    }

    /// Whether it is this process's own failure.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        self.local
    }

    /// The base delay of this class, if it has its own.
    #[must_use]
    pub const fn base_override(&self) -> Option<Duration> {
        self.base
    }

    /// The cap on failures of this class in one call, if it has one.
    #[must_use]
    pub const fn attempts_override(&self) -> Option<u32> {
        match self.cap {
            Some(cap) => Some(cap.most()),
            None => None,
        }
    }

    /// The cap, and whose failures count towards it where this one has that label.
    pub(crate) fn capped(&self, label: &'static str) -> Option<(u32, Capped)> {
        self.cap.map(|cap| (cap.most(), cap.counts(self.kind, label)))
    }

    /// What a retry costs, in retries; 1 where nothing is said.
    #[must_use]
    pub const fn retry_cost(&self) -> u32 {
        if self.cost == 0 { 1 } else { self.cost }
    }

    /// What a retry costs, in retries, if this failure says so; else the budget decides by its kind.
    #[must_use]
    pub const fn cost_override(&self) -> Option<u32> {
        if self.cost == 0 { None } else { Some(self.cost) }
    }

    /// Whether the dependency has answered, so that the call earns like a success although it failed.
    #[must_use]
    pub const fn is_answer(&self) -> bool {
        matches!((self.kind, self.execution), (Kind::Permanent, Execution::Executed))
    }
}
