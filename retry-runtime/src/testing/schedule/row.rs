//! One attempt.

use std::{fmt, time::Duration};

use crate::{Classification, StopReason};

/// One attempt of a [`Schedule`](super::Schedule).
///
/// ```
/// # use retry_runtime as stormless;
/// # use std::io::{Error, ErrorKind::ConnectionRefused};
/// use std::time::Duration;
/// use stormless::{Backoff, Policy, testing::{AttemptOutcome, ScheduleRow, Script, isolated, schedule}};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// isolated(async {
///     let schedule = schedule();
///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
///     policy.run(async || server.next().await).named("orders").await.unwrap();
///     let rows: Vec<ScheduleRow> = schedule.rows();
///     let (first, last) = (&rows[0], &rows[1]);
///     assert_eq!((first.call(), first.site(), first.attempt()), (1, "orders", 1));
///     assert_eq!((first.started(), first.is_hedge()), (Some(Duration::ZERO), false));
///     assert_eq!((first.delay(), first.stopped()), (Some(Duration::from_millis(50)), None));
///     assert_eq!((last.attempt(), last.outcome()), (2, AttemptOutcome::Succeeded));
///     assert_eq!((last.delay(), last.stopped()), (None, None), "a success is no reason to stop");
/// }).await;
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduleRow {
    pub(super) call: usize,
    pub(super) site: &'static str,
    pub(super) attempt: u32,
    pub(super) hedge: bool,
    pub(super) started: Option<Duration>,
    pub(super) outcome: AttemptOutcome,
    pub(super) delay: Option<Duration>,
    pub(super) stopped: Option<StopReason>,
}

/// What became of an attempt.
///
/// ```
/// # use retry_runtime as stormless;
/// # use std::io::{Error, ErrorKind::ConnectionRefused};
/// use std::time::Duration;
/// use stormless::{Backoff, Kind, Policy, testing::{AttemptOutcome, Script, isolated, schedule}};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// isolated(async {
///     let schedule = schedule();
///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
///     policy.run(async || server.next().await).named("orders").await.unwrap();
///     let rows = schedule.rows();
///     let AttemptOutcome::Failed { classification, label, .. } = rows[0].outcome() else { panic!() };
///     assert_eq!((classification.kind(), label), (Kind::Transient, "connection_refused"));
///     assert_eq!(rows[1].outcome(), AttemptOutcome::Succeeded);
///     assert_eq!(rows[0].outcome().to_string(), "connection_refused (transient)");
/// }).await;
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum AttemptOutcome {
    /// It has not ended.
    Running,
    /// `ok`.
    Succeeded,
    /// It failed, or was ended by us.
    Failed {
        /// What the failure meant.
        classification: Classification,
        /// The error's label.
        label: &'static str,
    },
    /// It was dropped: another one beside it was faster, or the whole call was dropped.
    Dropped,
    /// The body panicked.
    Panicked,
    /// The call was kept from its first attempt.
    NotStarted,
}

impl ScheduleRow {
    /// The number of the call; the first that began, or was noticed, is 1.
    #[must_use]
    pub const fn call(&self) -> usize {
        self.call
    }

    /// The annotated function.
    #[must_use]
    pub const fn site(&self) -> &'static str {
        self.site
    }

    /// The number of the attempt within its call; the first is 1. 0 if the call was kept from its first.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Whether it ran beside a slow one.
    #[must_use]
    pub const fn is_hedge(&self) -> bool {
        self.hedge
    }

    /// When it started, from the call of [`schedule`](super::schedule) on; `None` if it was under way by then.
    #[must_use]
    pub const fn started(&self) -> Option<Duration> {
        self.started
    }

    /// What became of it.
    #[must_use]
    pub const fn outcome(&self) -> AttemptOutcome {
        self.outcome
    }

    /// The delay after it, if another one was to follow.
    #[must_use]
    pub const fn delay(&self) -> Option<Duration> {
        self.delay
    }

    /// Why the call stopped, if it did after this one.
    #[must_use]
    pub const fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let hedge = if self.hedge { " (hedge)" } else { "" };
        vec![
            self.call.to_string(),
            self.site.to_owned(),
            format!("{}{hedge}", self.attempt),
            self.started.map_or_else(|| "-".to_owned(), |started| format!("{started:?}")),
            self.outcome.to_string(),
            match (self.delay, self.stopped) {
                (None, None) => "-".to_owned(),
                (Some(delay), None) => format!("retry in {delay:?}"),
                (None, Some(reason)) => format!("stopped: {}", reason.label()),
                (Some(delay), Some(reason)) => {
                    format!("retry in {delay:?}, stopped: {}", reason.label())
                }
            },
        ]
    }
}

impl fmt::Display for AttemptOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("running"),
            Self::Succeeded => f.write_str("ok"),
            Self::Failed { classification, label } => {
                write!(f, "{label} ({})", classification.kind().label())
            }
            Self::Dropped => f.write_str("dropped"),
            Self::Panicked => f.write_str("panicked"),
            Self::NotStarted => f.write_str("not started"),
        }
    }
}
