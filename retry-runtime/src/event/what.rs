//! The kinds of events.

use std::{sync::Arc, time::Duration};

use crate::{BreakerState, Classification, StopReason, Warning, control::Change};

/// What happened.
///
/// A call that is observed from its beginning tells, in this order: [`CallStarted`](Self::CallStarted); for
/// each attempt that it starts a beginning and an end; between them what led from a failure to the next
/// attempt; and one of [`CallSucceeded`](Self::CallSucceeded), [`CallStopped`](Self::CallStopped) and
/// [`CallPanicked`](Self::CallPanicked), which every call ends with and none has two of. Of a call that was
/// under way when somebody began to listen, what it tells from there on. What calls share is told in between,
/// each change after what led to it: a breaker opens after the failure that opened it.
///
/// Times are `None` where the call was under way already when somebody began to listen.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{StopReason, What};
///
/// fn line(what: &What) -> Option<String> {
///     match what {
///         What::RetryScheduled { delay } => Some(format!("again in {delay:?}")),
///         What::BreakerChanged { .. } => Some("a breaker changed".to_owned()),
///         _ => None, // there may be more of them
///     }
/// }
///
/// assert_eq!(line(&What::CallStarted), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum What {
    /// A call began.
    CallStarted,
    /// An attempt started; its number is the event's [`attempt`](super::Event::attempt).
    AttemptStarted {
        /// Beside one that was slow.
        hedge: bool,
    },
    /// An attempt succeeded.
    AttemptSucceeded {
        /// How long it took.
        took: Option<Duration>,
    },
    /// An attempt failed, the last one too, or was ended at a timeout or at the deadline.
    AttemptFailed {
        /// What the failure meant.
        classification: Classification,
        /// The error's label.
        label: &'static str,
        /// How long it took.
        took: Option<Duration>,
    },
    /// An attempt was dropped while it ran: another one beside it was faster, or the whole call was dropped, or
    /// its body panicked.
    AttemptDropped {
        /// How long it had run.
        took: Option<Duration>,
    },
    /// A server asked for a wait before the next attempt, and it was granted.
    HintUsed {
        /// The wait that was asked for, or what is left of it, where it was asked of an attempt beside this one.
        /// The one that follows is not shorter.
        asked: Duration,
    },
    /// Another attempt follows.
    RetryScheduled {
        /// The wait before it, as it will be slept.
        delay: Duration,
    },
    /// The budget, or one that would have had to pay too, refused the retry.
    BudgetRefused,
    /// The call runs inside another one's attempt, which does the retrying.
    NestedSuppressed,
    /// A breaker keeps an attempt from starting.
    BreakerRefused {
        /// When to come back, if that is known.
        retry_after: Option<Duration>,
    },
    /// A call succeeded.
    CallSucceeded {
        /// How many attempts it made.
        attempts: u32,
        /// For how long it slept between them.
        slept: Duration,
        /// How long it took.
        took: Option<Duration>,
    },
    /// A call failed, or was dropped ([`StopReason::Cancelled`]).
    CallStopped {
        /// Why nothing followed.
        reason: StopReason,
        /// What the last failure meant, and its label; `None` where there was none.
        failure: Option<(Classification, &'static str)>,
        /// How many attempts it made; 0 if it was kept from its first.
        attempts: u32,
        /// For how long it slept between them.
        slept: Duration,
        /// How long it took.
        took: Option<Duration>,
    },
    /// The body of a call panicked.
    CallPanicked {
        /// How many attempts it made.
        attempts: u32,
        /// How long it took.
        took: Option<Duration>,
    },
    /// Failures inside another call's attempt were retried by nobody.
    LostToNesting {
        /// The function inside.
        site: &'static str,
        /// The function around it.
        outer: &'static str,
        /// How many.
        failures: u64,
    },
    /// A breaker changed its state.
    BreakerChanged {
        /// Its name.
        breaker: &'static str,
        /// The state that it left.
        from: BreakerState,
        /// The state that it is in.
        to: BreakerState,
    },
    /// Overrides have changed, or were refused. Names and values in it are those of whoever gave them.
    Overrides(Arc<Change>),
    /// Something works and is probably not meant. Each warning is told once to each who observes.
    Warned(Arc<Warning>),
}
