//! Recovery information from elsewhere.
#![cfg(feature = "recoverable-0-3")]

use std::{io::ErrorKind, time::Duration};

use recoverable::{Recovery, RecoveryInfo, RecoveryKind};
use retry_runtime::{
    Classification, Execution, Hint, Kind,
    recoverable::{classify, classify_result},
};

struct Says(RecoveryInfo);

impl Recovery for Says {
    fn recovery(&self) -> RecoveryInfo {
        self.0.clone()
    }
}

const WAIT: Duration = Duration::from_secs(3);

#[test]
fn each_kind_has_its_class_and_says_nothing_about_execution() {
    for (info, kind, execution) in [
        (RecoveryInfo::retry(), Kind::Transient, Execution::MaybeExecuted),
        (RecoveryInfo::unavailable(), Kind::Throttled, Execution::MaybeExecuted),
        (RecoveryInfo::never(), Kind::Permanent, Execution::MaybeExecuted),
        (RecoveryInfo::unknown(), Kind::Permanent, Execution::MaybeExecuted),
    ] {
        let class = classify(&Says(info.clone()));
        assert_eq!(
            (class.kind(), class.execution(), class.hint()),
            (kind, execution, None),
            "{info}"
        );
        assert!(!class.is_answer(), "nobody knows that the dependency has answered: {info}");
    }
}

#[test]
fn a_delay_is_a_hint_where_something_is_retried() {
    let hint = |info: RecoveryInfo| Classification::from(info).hint();
    assert_eq!(hint(RecoveryInfo::retry().delay(WAIT)), Some(Hint::RetryAfter(WAIT)));
    assert_eq!(hint(RecoveryInfo::unavailable().delay(WAIT)), Some(Hint::RetryAfter(WAIT)));
    assert_eq!(hint(RecoveryInfo::retry().delay(Duration::ZERO)), None);
    assert_eq!(hint(RecoveryInfo::never().delay(WAIT)), None);
}

#[test]
fn a_reset_connection_needs_a_policy_that_is_idempotent() {
    let reset = Classification::from(RecoveryInfo::from(ErrorKind::ConnectionReset));
    assert_eq!(reset.execution(), Execution::MaybeExecuted);
}

#[test]
fn classes_become_kinds_of_recovery() {
    let all = [
        (Classification::transient(), RecoveryKind::Retry),
        (Classification::throttled(), RecoveryKind::Retry),
        (Classification::timeout(), RecoveryKind::Retry),
        (Classification::conflict(), RecoveryKind::Retry),
        (Classification::permanent(), RecoveryKind::Never),
        (Classification::cancelled(), RecoveryKind::Never),
        (Classification::throttled().do_not_retry(), RecoveryKind::Never),
    ];
    for (class, kind) in all {
        let info = RecoveryInfo::from(class);
        assert_eq!((info.kind(), info.get_delay()), (kind, None), "{class:?}");
    }
    let asked = RecoveryInfo::from(Classification::throttled().retry_after(WAIT));
    assert_eq!((asked.kind(), asked.get_delay()), (RecoveryKind::Retry, Some(WAIT)));
}

#[test]
fn a_value_can_be_a_failure_and_an_answer() {
    let kind = |result: Result<Says, Says>| classify_result(&result).map(|class| class.kind());
    assert_eq!(kind(Ok(Says(RecoveryInfo::never()))), None);
    assert_eq!(kind(Ok(Says(RecoveryInfo::unknown()))), None);
    assert_eq!(kind(Err(Says(RecoveryInfo::unknown()))), Some(Kind::Permanent));
    assert_eq!(kind(Ok(Says(RecoveryInfo::unavailable()))), Some(Kind::Throttled));
    assert_eq!(kind(Err(Says(RecoveryInfo::never()))), Some(Kind::Permanent));
    assert_eq!(kind(Err(Says(RecoveryInfo::retry()))), Some(Kind::Transient));
}
