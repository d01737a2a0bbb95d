//! What failed at a function, and why its calls stopped then.

use std::fmt;

use crate::{
    Kind, StopReason,
    site::{SiteState, Tally},
};

/// Failures of one label and kind at one function. From [`SiteRow::errors`](crate::SiteRow::errors).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{ErrorRow, Kind, Policy, StopReason, sites};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// let _error = Policy::new().run(refused).named("fetch").await;
/// let errors: Vec<ErrorRow> = sites().get("fetch").unwrap().errors();
/// let row = &errors[0];
/// assert_eq!((row.label(), row.kind()), ("connection_refused", Some(Kind::Transient)));
/// assert_eq!((row.failures(), row.stopped()), (3, 1));
/// assert_eq!(row.stops(), [(StopReason::AttemptsExhausted, 1)]);
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorRow {
    label: &'static str,
    kind: Option<Kind>,
    failures: u64,
    stops: Vec<(StopReason, u64)>,
}

impl ErrorRow {
    fn new(tally: &Tally) -> Self {
        let stops = StopReason::ALL.iter().map(|reason| (*reason, tally.stops(*reason)));
        Self {
            label: tally.label(),
            kind: tally.kind(),
            failures: tally.failures(),
            stops: stops.filter(|(_, count)| *count > 0).collect(),
        }
    }

    /// The label that the error's class brings, such as the name of a variant. The first 64 pairs of a
    /// label and a kind of a function have rows of their own; what comes later is `(other labels)`.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        self.label
    }

    /// The kind of failure; `None` for `(other labels)`, which may be of any.
    #[must_use]
    pub const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Attempts that failed so.
    #[must_use]
    pub const fn failures(&self) -> u64 {
        self.failures
    }

    /// Why calls stopped that ended with such a failure, and how many did, in the order of
    /// [`StopReason::ALL`]. A call that was stopped before its first attempt is no failure: it counts here only if
    /// attempts have failed with the same label and kind, and in [`SiteRow::stops`](crate::SiteRow::stops) always.
    #[must_use]
    pub fn stops(&self) -> &[(StopReason, u64)] {
        &self.stops
    }

    /// Calls that stopped here.
    #[must_use]
    pub fn stopped(&self) -> u64 {
        self.stops.iter().map(|(_, count)| count).sum()
    }
}

/// The most frequent first. Calls that were stopped before their first attempt, as by a breaker, have brought a label
/// and failed at nothing.
pub(super) fn of(state: &SiteState) -> Vec<ErrorRow> {
    let mut rows: Vec<_> =
        state.errors().map(ErrorRow::new).filter(|row| row.failures > 0).collect();
    rows.sort_by_key(|row| {
        let most_first = std::cmp::Reverse((row.failures, row.stopped()));
        (most_first, row.label, row.kind.map(Kind::label))
    });
    rows
}

impl fmt::Display for ErrorRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.failures, self.label)?;
        if let Some(kind) = self.kind {
            write!(f, " ({})", kind.label())?;
        }
        self.stops.iter().enumerate().try_for_each(|(number, (reason, count))| {
            let before = if number == 0 { ": " } else { ", " };
            write!(f, "{before}{count} {}", reason.label())
        })
    }
}
