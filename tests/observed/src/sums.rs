//! What must add up, whatever happened: events, metrics and tables count the same calls and attempts.

use std::collections::BTreeMap;

use measured::Reading;
use stormless::{Event, SiteRow, StopReason, What, sites};

/// How often each kind of event was told, of one site.
#[derive(Debug, Default)]
struct Told {
    started: u64,
    succeeded: u64,
    stopped: BTreeMap<&'static str, u64>,
    panicked: u64,
    attempts: u64,
    retries: u64,
    hedges: u64,
    lost: u64,
    succeeded_attempts: u64,
    failed_attempts: u64,
    dropped_attempts: u64,
    retries_scheduled: u64,
}

impl Told {
    fn of(events: &[Event]) -> BTreeMap<&'static str, Self> {
        let mut told: BTreeMap<&'static str, Self> = BTreeMap::new();
        for event in events {
            let inside = match event.what() {
                What::LostToNesting { site, .. } => Some(*site),
                _ => event.site(),
            };
            let Some(site) = inside else { continue };
            let told = told.entry(site).or_default();
            match event.what() {
                What::LostToNesting { failures, .. } => told.lost += failures,
                What::CallStarted => told.started += 1,
                What::CallSucceeded { .. } => told.succeeded += 1,
                What::CallStopped { reason, .. } => {
                    *told.stopped.entry(reason.label()).or_default() += 1;
                }
                What::CallPanicked { .. } => told.panicked += 1,
                What::AttemptStarted { hedge } => {
                    told.attempts += 1;
                    told.retries += u64::from(event.attempt() > Some(1));
                    told.hedges += u64::from(*hedge);
                }
                What::AttemptSucceeded { .. } => told.succeeded_attempts += 1,
                What::AttemptFailed { .. } => told.failed_attempts += 1,
                What::AttemptDropped { .. } => told.dropped_attempts += 1,
                What::RetryScheduled { .. } => told.retries_scheduled += 1,
                _ => {}
            }
        }
        told
    }

    fn ended(&self) -> u64 {
        self.succeeded + self.panicked + self.stopped.values().sum::<u64>()
    }

    /// What one site's metrics and its row in the table say must be what its events said.
    fn agree(&self, site: &str, metrics: &Reading, row: &SiteRow) {
        let sum = |metric: &str| metrics.sum(&format!("{metric} {site} "));
        let one = |metric: &str| metrics.counter(&format!("{metric} {site}"));
        let values = |metric: &str| metrics.histogram(&format!("{metric} {site}")).len() as u64;

        assert_eq!(self.started, self.ended(), "{site}: each call ends once: {self:?}");
        assert_eq!(sum("calls_total"), self.ended(), "{site}: outcomes");
        assert_eq!(values("call_attempts"), self.ended(), "{site}: attempts of each call");
        let results = self.succeeded_attempts + self.failed_attempts + self.dropped_attempts;
        assert_eq!(self.attempts, results, "{site}: each attempt ends once: {self:?}");
        assert_eq!(one("attempts_total"), Some(self.attempts), "{site}: attempts");
        assert_eq!(values("attempt_duration_seconds"), self.attempts, "{site}: durations");
        assert_eq!(sum("attempt_failures_total"), self.failed_attempts, "{site}: failures");
        assert_eq!(values("retry_delay_seconds"), self.retries_scheduled, "{site}: delays");
        assert_eq!(
            sum("retries_refused_total"),
            self.ended() - self.succeeded,
            "{site}: a reason for each call that failed"
        );

        let outcomes = row.outcomes();
        for (label, count) in [
            ("success", outcomes.success),
            ("success_after_retry", outcomes.success_after_retry),
            ("failure", outcomes.failure),
            ("failure_after_retry", outcomes.failure_after_retry),
        ] {
            let counted = metrics.counter(&format!("calls_total {site} {label}"));
            assert_eq!(counted, Some(count), "{site}: {label} in the table");
        }
        assert_eq!(row.calls(), self.ended(), "{site}: calls in the table");
        assert_eq!(row.failures(), self.failed_attempts, "{site}: failures in the table");
        let with_result = self.succeeded_attempts + self.failed_attempts;
        assert_eq!(row.attempts(), with_result, "{site}: attempts with a result in the table");
        assert_eq!(row.retries(), self.retries, "{site}: retries in the table");
        assert_eq!(row.lost_to_nesting(), self.lost, "{site}: lost to nesting in the table");
        assert_eq!(row.hedges(), self.hedges, "{site}: hedges in the table");
        assert_eq!(row.panics(), self.panicked, "{site}: panics in the table");
        for reason in StopReason::ALL {
            let told = self.stopped.get(reason.label()).copied().unwrap_or_default();
            assert_eq!(row.stops(*reason), told, "{site}: {} in the table", reason.label());
        }
        for error in row.errors() {
            let Some(kind) = error.kind() else { continue };
            let name = format!("attempt_failures_total {site} {} {}", kind.label(), error.label());
            let counted = metrics.counter(&name).unwrap_or_default();
            assert_eq!(counted, error.failures(), "{site}: {} in the table", error.label());
        }
    }
}

/// A call tells of its beginning, of attempts that begin and end, and of its end, in this order and each once.
fn assert_in_order(events: &[Event]) {
    let mut open: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for event in events {
        let Some(id) = event.retry_id() else { continue };
        let (call, attempt) = (id.call(), id.attempt());
        if *event.what() == What::CallStarted {
            assert_eq!(open.insert(call, Vec::new()), None, "{event:?}");
            continue;
        }
        let Some(flying) = open.get_mut(&call) else {
            panic!("a call that is not open: {event:?}")
        };
        let at = flying.iter().position(|known| *known == attempt);
        match event.what() {
            What::AttemptStarted { .. } => {
                assert_eq!(at, None, "{event:?}");
                flying.push(attempt);
            }
            What::AttemptSucceeded { .. }
            | What::AttemptFailed { .. }
            | What::AttemptDropped { .. } => {
                flying.remove(at.unwrap_or_else(|| panic!("it is not in flight: {event:?}")));
            }
            What::CallSucceeded { .. } | What::CallStopped { .. } | What::CallPanicked { .. } => {
                assert!(flying.is_empty(), "{event:?} while {flying:?} are in flight");
                open.remove(&call);
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} have not ended");
}

/// All that must add up after so many calls.
pub(crate) fn assert_add_up(calls: u64, events: &[Event], metrics: &Reading) {
    assert_in_order(events);
    let told = Told::of(events);
    let started: u64 = told.values().map(|told| told.started).sum();
    assert_eq!(started, calls, "calls that began");
    assert_eq!(metrics.sum("calls_total"), calls, "the sum of all outcomes");
    let attempts: u64 = told.values().map(|told| told.attempts).sum();
    assert_eq!(metrics.sum("attempts_total"), attempts, "the sum of all attempts");
    for (site, told) in told {
        let sites = sites();
        let row = sites.get(site).unwrap_or_else(|| panic!("no row for `{site}`"));
        told.agree(site, metrics, row);
    }
}
