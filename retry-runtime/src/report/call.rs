//! The record of one logical call.

use std::{fmt, time::Duration};

use crate::{Classification, Execution, Hint, StopReason};

/// How a logical call ended.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Outcome, Policy, report};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let call = async { Policy::new().run(async || Ok::<_, std::io::Error>(())).await };
/// let (_, calls) = report(call).await;
/// assert_eq!(calls[0].outcome(), Outcome::Succeeded);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// With a value.
    Succeeded,
    /// With an error; the reason says why no retry followed.
    Failed,
    /// Its future was dropped.
    Cancelled,
    /// Its body panicked, or a function that the attribute names did.
    Panicked,
}

/// One failed attempt of a call. Its `Display` is a line of the call's timeline.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{FailedAttempt, Kind, Policy, report};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// let (_, calls) = report(async { Policy::new().run(refused).await }).await;
/// let first: &FailedAttempt = &calls[0].failures()[0];
/// assert_eq!((first.number(), first.classification().kind()), (1, Kind::Transient));
/// assert!(first.delay().is_some(), "a retry followed");
/// println!("{}: {first}", first.label());
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    pub(crate) number: u32,
    pub(crate) classification: Classification,
    pub(crate) label: &'static str,
    pub(crate) delay: Option<Duration>,
}

impl FailedAttempt {
    /// The attempt's number; the first is 1.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// What the failure meant.
    pub const fn classification(&self) -> Classification {
        self.classification
    }

    /// The error's label: a variant, a status, a code.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        self.label
    }

    /// The delay that followed it, if a retry did.
    #[must_use]
    pub const fn delay(&self) -> Option<Duration> {
        self.delay
    }
}

/// What happened to one logical call. Its `Display` is a timeline of a few lines.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{CallReport, Outcome, Policy, StopReason, report};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// let call = async { Policy::new().run(refused).named("fetch").await };
/// let (result, calls): (_, Vec<CallReport>) = report(call).await;
/// assert!(result.is_err());
///
/// let call = &calls[0];
/// assert_eq!((call.site(), call.attempts(), call.failures().len()), ("fetch", 3, 3));
/// assert_eq!((call.outcome(), call.reason()), (Outcome::Failed, Some(StopReason::AttemptsExhausted)));
/// assert_eq!(call.delays().sum::<std::time::Duration>(), call.slept());
/// println!("{call}");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallReport {
    pub(crate) site: &'static str,
    pub(crate) attempts: u32,
    pub(crate) slept: Duration,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<StopReason>,
    pub(crate) failures: Vec<FailedAttempt>,
}

/// A report keeps this many failed attempts of a call, so that an endless one does not fill memory.
pub(crate) const KEPT_FAILURES: usize = 1_000;

impl CallReport {
    /// The annotated function.
    #[must_use]
    pub const fn site(&self) -> &'static str {
        self.site
    }

    /// How many attempts started, the first included. 0 if the call was cut before its first.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How long it slept before the attempts that started, in all.
    #[must_use]
    pub const fn slept(&self) -> Duration {
        self.slept
    }

    /// The delays that were decided on, in order. At most the first 1,000.
    pub fn delays(&self) -> impl Iterator<Item = Duration> + '_ {
        self.failures.iter().filter_map(FailedAttempt::delay)
    }

    /// The failed attempts, in order. At most the first 1,000.
    #[must_use]
    pub fn failures(&self) -> &[FailedAttempt] {
        &self.failures
    }

    /// How it ended.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Why it stopped, unless it succeeded or panicked.
    #[must_use]
    pub const fn reason(&self) -> Option<StopReason> {
        self.reason
    }
}

impl fmt::Display for CallReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.site)?;
        self.failures.iter().try_for_each(|failure| writeln!(f, "  {failure}"))?;
        match (self.outcome, self.attempts) {
            (Outcome::Succeeded, attempts) => write!(f, "  attempt {attempts}: ok")?,
            (_, 0) => f.write_str("  stopped before the first attempt")?,
            (_, 1) => f.write_str("  stopped after 1 attempt")?,
            (_, attempts) => write!(f, "  stopped after {attempts} attempts")?,
        }
        if !self.slept.is_zero() {
            write!(f, ", slept {:?}", self.slept)?;
        }
        match (self.outcome, self.reason) {
            (Outcome::Panicked, _) => f.write_str(": it panicked"),
            (Outcome::Failed | Outcome::Cancelled, Some(reason)) => write!(f, ": {reason}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for FailedAttempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.classification.kind().label();
        let execution = match self.classification.execution() {
            Execution::NotExecuted => "not executed",
            Execution::MaybeExecuted => "may have been executed",
            Execution::Executed => "executed",
        };
        write!(f, "attempt {}: {} ({kind}, {execution}", self.number, self.label)?;
        match self.classification.hint() {
            Some(Hint::RetryAfter(wait)) => write!(f, ", asks for {wait:?}")?,
            Some(Hint::DoNotRetry) => f.write_str(", asks for no retry")?,
            None => {}
        }
        f.write_str(")")?;
        match self.delay {
            Some(delay) => write!(f, " -> retry in {delay:?}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(number: u32, classification: Classification, delay: Option<u64>) -> FailedAttempt {
        let delay = delay.map(Duration::from_millis);
        FailedAttempt { number, classification, label: "503", delay }
    }

    fn call(attempts: u32, outcome: Outcome, reason: Option<StopReason>) -> CallReport {
        let slept = Duration::ZERO;
        CallReport { site: "orders", attempts, slept, outcome, reason, failures: Vec::new() }
    }

    #[test]
    fn a_timeline_says_what_failed_what_followed_and_what_ended_it() {
        let mut call = call(3, Outcome::Failed, Some(StopReason::AttemptsExhausted));
        let hinted = Classification::throttled().retry_after(Duration::from_secs(1));
        call.slept = Duration::from_millis(1_105);
        call.failures = vec![
            failed(1, hinted, Some(1_105)),
            failed(2, Classification::timeout().do_not_retry(), Some(0)),
            failed(3, Classification::permanent().executed(), None),
        ];
        assert_eq!(
            call.to_string(),
            "orders\n  \
             attempt 1: 503 (throttled, not executed, asks for 1s) -> retry in 1.105s\n  \
             attempt 2: 503 (timeout, may have been executed, asks for no retry) -> retry in 0ns\n  \
             attempt 3: 503 (permanent, executed)\n  \
             stopped after 3 attempts, slept 1.105s: no attempts left"
        );
    }

    #[test]
    fn the_last_line_fits_every_end() {
        let cancelled = Some(StopReason::Cancelled);
        for (call, last) in [
            (call(1, Outcome::Succeeded, None), "attempt 1: ok"),
            (
                call(1, Outcome::Cancelled, cancelled),
                "stopped after 1 attempt: the work was cancelled",
            ),
            (call(2, Outcome::Panicked, None), "stopped after 2 attempts: it panicked"),
            (
                call(0, Outcome::Failed, Some(StopReason::DeadlineExceeded)),
                "stopped before the first attempt: the deadline passed",
            ),
        ] {
            assert_eq!(call.to_string(), format!("orders\n  {last}"));
        }
    }
}
