//! `forward` asks the inner error.

use std::sync::Arc;
use std::time::Duration;

use stormless::{Classification, Retryable};

use crate::{Inner, assert_class, ms};

#[derive(Debug, thiserror::Error, Retryable)]
enum Direct {
    #[error(transparent)]
    #[retryable(forward)]
    Inner(#[from] Inner),
}

#[derive(Debug, thiserror::Error, Retryable)]
enum Boxed {
    #[error(transparent)]
    #[retryable(forward)]
    Inner(#[from] Box<Inner>),
    #[error("shared")]
    #[retryable(forward)]
    Shared(Arc<Inner>),
}

#[derive(Retryable)]
#[retryable(forward)]
struct Unknown(Box<dyn Retryable + Send + Sync>);

#[derive(Debug, thiserror::Error, Retryable)]
#[error("outer")]
#[retryable(forward)]
struct Twice(#[from] Direct);

#[derive(Debug, thiserror::Error, Retryable)]
#[error(transparent)]
#[retryable(forward)]
struct Thrice {
    #[from]
    inner: Twice,
}

// R124
#[test]
fn a_forwarded_error_keeps_its_class_and_label() {
    let refused = Classification::transient();
    let missing = Classification::permanent().executed();
    for (class, label, inner) in [
        (refused, "Refused", (|| Inner::Refused) as fn() -> Inner),
        (missing, "NoSuchRow", || Inner::NoSuchRow),
    ] {
        assert_class(&Direct::from(inner()), class, label);
        assert_class(&Boxed::from(Box::new(inner())), class, label);
        assert_class(&Boxed::Shared(Arc::new(inner())), class, label);
        assert_class(&Unknown(Box::new(inner())), class, label);
        assert_class(&Twice::from(Direct::from(inner())), class, label);
        assert_class(&Thrice::from(Twice::from(Direct::from(inner()))), class, label);
    }
}

#[derive(Debug, thiserror::Error, Retryable)]
enum Many {
    #[error("named by the attribute")]
    #[retryable(forward = second)]
    Named { first: u8, second: Inner },
    #[error("named by its position")]
    #[retryable(forward = 1)]
    Positioned(u8, Inner),
    #[error("the source: {1}")]
    #[retryable(forward)]
    Marked(#[source] Inner, u8),
    #[error("the source by its name: {retries}")]
    #[retryable(forward)]
    Source { retries: u8, source: Inner },
}

#[test]
fn among_several_fields_the_source_is_asked_unless_one_is_named() {
    let refused = Classification::transient();
    for error in [
        Many::Named { first: 0, second: Inner::Refused },
        Many::Positioned(0, Inner::Refused),
        Many::Marked(Inner::Refused, 0),
        Many::Source { retries: 0, source: Inner::Refused },
    ] {
        assert_class(&error, refused, "Refused");
        if let Many::Named { first, .. } = error {
            assert_eq!(first, 0);
        }
    }
}

#[derive(Retryable)]
enum RefinedForward {
    #[retryable(
        forward = 0,
        retry_after = 1,
        base = "2s",
        attempts = 4,
        cost = 2,
        local,
        maybe_executed
    )]
    Inner(Inner, Option<Duration>),
    #[retryable(forward = inner, retry_after = wait)]
    Refusal { inner: Final, wait: Duration },
}

struct Final;

impl Retryable for Final {
    fn classify(&self) -> Classification {
        Classification::throttled().do_not_retry()
    }
}

#[test]
fn refinements_apply_to_what_the_inner_error_said() {
    let class =
        Classification::transient().base(ms(2_000)).attempts(4).cost(2).local().maybe_executed();
    assert_class(&RefinedForward::Inner(Inner::Refused, None), class, "Refused");
    assert_class(
        &RefinedForward::Inner(Inner::Refused, Some(ms(1))),
        class.retry_after(ms(1)),
        "Refused",
    );
}

#[test]
fn a_hint_does_not_undo_a_request_for_no_retry() {
    let error = RefinedForward::Refusal { inner: Final, wait: ms(1) };
    assert_class(&error, Classification::throttled().do_not_retry(), "_OTHER");
}
