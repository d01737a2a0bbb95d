//! Markers: how a type takes in what stormless itself reports.

use stormless::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable};

use crate::{Inner, assert_class, ms};

#[derive(Debug, PartialEq, Eq, Retryable)]
enum Units {
    #[retryable(attempt_timeout, attempts = 2, cost = 3, base = "1s")]
    TimedOut,
    #[retryable(deadline_exceeded)]
    Late(),
    #[retryable(breaker_open)]
    Open {},
}

#[derive(Debug, PartialEq, Eq, thiserror::Error, Retryable)]
enum Holders {
    #[error("timed out")]
    #[retryable(attempt_timeout)]
    TimedOut { source: AttemptTimeout },
    #[error(transparent)]
    #[retryable(deadline_exceeded)]
    Late(#[from] DeadlineExceeded),
    #[error(transparent)]
    #[retryable(breaker_open)]
    Open(BreakerOpen),
}

#[test]
fn a_marked_unit_stands_for_the_cut() {
    let timeout = Classification::timeout();
    let refused = Classification::throttled().local();
    assert_eq!(Units::from(AttemptTimeout::new()), Units::TimedOut);
    assert_eq!(Units::from(DeadlineExceeded::new()), Units::Late());
    assert_eq!(Units::from(BreakerOpen::new(Some(ms(5)))), Units::Open {});
    assert_class(&Units::TimedOut, timeout.attempts(2).cost(3).base(ms(1_000)), "TimedOut");
    assert_class(&Units::Late(), timeout, "Late");
    assert_class(&Units::Open {}, refused, "Open");
}

#[test]
fn a_marked_variant_with_a_field_holds_the_cut() {
    let timeout = Classification::timeout();
    let refused = Classification::throttled().local();
    let timed_out = Holders::from(AttemptTimeout::new());
    assert_eq!(timed_out, Holders::TimedOut { source: AttemptTimeout::new() });
    assert_class(&timed_out, timeout, "TimedOut");
    assert_class(&Holders::from(DeadlineExceeded::new()), timeout, "Late");
    assert_class(&Holders::from(BreakerOpen::new(None)), refused, "Open");
    assert_class(&Holders::from(BreakerOpen::new(Some(ms(5)))), refused.retry_after(ms(5)), "Open");
}

#[test]
fn only_a_type_with_a_marked_variant_reports_a_deadline() {
    assert_eq!(Units::deadline_exceeded(), Some(Units::Late()));
    assert_eq!(Holders::deadline_exceeded(), Some(Holders::Late(DeadlineExceeded::new())));
    assert_eq!(Open::deadline_exceeded(), None);
    assert!(Inner::deadline_exceeded().is_none());
}

#[derive(Debug, PartialEq, Eq, Retryable)]
#[retryable(breaker_open)]
struct Open(BreakerOpen);

#[derive(Debug, PartialEq, Eq, Retryable)]
#[retryable(deadline_exceeded)]
struct Late;

#[test]
fn a_struct_can_be_a_cut() {
    let open = Open::from(BreakerOpen::new(Some(ms(2))));
    assert_eq!(open, Open(BreakerOpen::new(Some(ms(2)))));
    assert_class(&open, Classification::throttled().local().retry_after(ms(2)), "Open");
    assert_eq!(Late::deadline_exceeded(), Some(Late::from(DeadlineExceeded::new())));
}
