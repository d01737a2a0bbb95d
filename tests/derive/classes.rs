//! Classes, refinements, statuses, functions.

use std::time::Duration;

use stormless::{Classification, Execution, Kind, Retryable};

use crate::{assert_class, ms};

#[derive(Retryable)]
enum Kinds {
    #[retryable(transient)]
    Unreachable,
    #[retryable(throttled)]
    Busy,
    #[retryable(timeout)]
    Slow(),
    #[retryable(conflict)]
    Stale {},
    #[retryable(permanent)]
    Bad(#[expect(dead_code, reason = "not read")] u8, u8),
    #[retryable(cancelled)]
    Stopped { by: &'static str },
}

#[test]
fn each_class_is_its_constructor_and_each_label_the_name_as_written() {
    for (error, class, label) in [
        (Kinds::Unreachable, Classification::transient(), "Unreachable"),
        (Kinds::Busy, Classification::throttled(), "Busy"),
        (Kinds::Slow(), Classification::timeout(), "Slow"),
        (Kinds::Stale {}, Classification::conflict(), "Stale"),
        (Kinds::Bad(1, 2), Classification::permanent(), "Bad"),
        (Kinds::Stopped { by: "user" }, Classification::cancelled(), "Stopped"),
    ] {
        assert_class(&error, class, label);
        match error {
            Kinds::Bad(_, second) => assert_eq!(second, 2),
            Kinds::Stopped { by } => assert_eq!(by, "user"),
            _ => {}
        }
    }
}

#[derive(Retryable)]
enum Refined {
    #[retryable(throttled, retry_after = wait)]
    Busy { wait: Option<Duration> },
    #[retryable(throttled, retry_after = 1)]
    Later(u8, Duration),
    #[retryable(timeout, not_executed)]
    ConnectTimeout,
    #[retryable(transient, maybe_executed)]
    Reset,
    #[retryable(conflict, executed)]
    VersionConflict,
    #[retryable(throttled, local, base = "1m30s", attempts = 2, cost = 5)]
    PoolExhausted,
    #[retryable(transient)]
    #[retryable(base = "0.5ms")]
    #[retryable(cost = 4_294_967_295)]
    InParts,
    #[retryable(permanent, local)]
    NoConfig,
}

#[test]
fn refinements_change_what_the_class_gave() {
    let busy = Classification::throttled();
    for (error, class, label) in [
        (Refined::Busy { wait: Some(ms(5)) }, busy.retry_after(ms(5)), "Busy"),
        (Refined::Busy { wait: None }, busy, "Busy"),
        (Refined::Later(0, ms(7)), busy.retry_after(ms(7)), "Later"),
        (Refined::Later(0, Duration::ZERO), busy, "Later"),
        (Refined::ConnectTimeout, Classification::timeout().not_executed(), "ConnectTimeout"),
        (Refined::Reset, Classification::transient().maybe_executed(), "Reset"),
        (Refined::VersionConflict, Classification::conflict().executed(), "VersionConflict"),
        (
            Refined::PoolExhausted,
            busy.local().base(ms(90_000)).attempts(2).cost(5),
            "PoolExhausted",
        ),
        (
            Refined::InParts,
            Classification::transient().base(Duration::from_micros(500)).cost(u32::MAX),
            "InParts",
        ),
        (Refined::NoConfig, Classification::permanent().local(), "NoConfig"),
    ] {
        assert_class(&error, class, label);
        if let Refined::Later(first, _) = error {
            assert_eq!(first, 0);
        }
    }
}

/// Like `http::StatusCode`.
#[derive(Clone, Copy)]
struct StatusCode(u16);

impl From<StatusCode> for u16 {
    fn from(status: StatusCode) -> Self {
        status.0
    }
}

#[derive(Retryable)]
enum Http {
    #[retryable(status = status)]
    Status { status: StatusCode },
    #[retryable(status = 0, retry_after = 1, local)]
    Raw(u16, Option<Duration>),
    #[retryable(status = 0, executed)]
    Known(u16),
    #[retryable(permanent, status = code)]
    OutOfCredit { code: u16 },
    #[retryable(throttled, status = code)]
    RateLimited { code: u16 },
}

#[test]
fn a_status_decides_where_no_class_is_given() {
    for code in [200, 404, 408, 421, 425, 429, 500, 502, 503, 504, 999] {
        let class = Classification::from_status(code);
        assert_class(&Http::Status { status: StatusCode(code) }, class, "Status");
        assert_class(&Http::Raw(code, None), class.local(), "Raw");
        assert_class(&Http::Raw(code, Some(ms(3))), class.local().retry_after(ms(3)), "Raw");
        assert_class(&Http::Known(code), class.executed(), "Known");
    }
}

// R132
#[test]
fn an_explicit_class_beats_the_status() {
    for code in [402, 403, 404, 429, 500, 503, 504] {
        let (credit, rate) = (Http::OutOfCredit { code }, Http::RateLimited { code });
        assert_eq!(
            (credit.classify().kind(), credit.label()),
            (Kind::Permanent, "OutOfCredit"),
            "{code}"
        );
        assert_eq!(
            (rate.classify().kind(), rate.label()),
            (Kind::Throttled, "RateLimited"),
            "{code}"
        );
    }
}

#[test]
fn beside_a_class_the_status_tells_the_execution() {
    let execution = |error: Http| error.classify().execution();
    for (code, permanent, throttled) in [
        (404, Execution::Executed, Execution::NotExecuted),
        (429, Execution::NotExecuted, Execution::NotExecuted),
        (500, Execution::MaybeExecuted, Execution::MaybeExecuted),
    ] {
        assert_eq!(execution(Http::OutOfCredit { code }), permanent, "{code}");
        assert_eq!(execution(Http::RateLimited { code }), throttled, "{code}");
    }
}

#[derive(Retryable)]
enum Decided {
    #[retryable(with = Self::by_code)]
    Code(i32),
    #[retryable(with = free, cost = 3, retry_after = 0)]
    Free(Duration),
}

impl Decided {
    const fn by_code(&self) -> Classification {
        match self {
            Self::Code(40001) => Classification::conflict(),
            _ => Classification::permanent(),
        }
    }
}

const fn free<E>(_: &E) -> Classification {
    Classification::throttled()
}

#[test]
fn a_function_decides_from_the_whole_value() {
    assert_class(&Decided::Code(40001), Classification::conflict(), "Code");
    assert_class(&Decided::Code(1), Classification::permanent(), "Code");
    assert_class(
        &Decided::Free(ms(9)),
        Classification::throttled().cost(3).retry_after(ms(9)),
        "Free",
    );
}

#[derive(Retryable)]
#[retryable(default = permanent)]
enum Defaulted {
    #[retryable(transient)]
    Blip,
    Unknown,
    Other(#[expect(dead_code, reason = "not read")] String),
}

#[test]
fn the_default_is_permanent_and_never_an_answer() {
    assert_class(&Defaulted::Blip, Classification::transient(), "Blip");
    for (error, label) in
        [(Defaulted::Unknown, "Unknown"), (Defaulted::Other(String::new()), "Other")]
    {
        assert_class(&error, Classification::permanent(), label);
        assert!(!error.classify().is_answer());
    }
}

#[derive(Retryable)]
#[retryable(throttled, retry_after = 0)]
struct Busy(Duration);

#[derive(Retryable)]
#[retryable(timeout)]
#[retryable(attempts = 1)]
struct Late;

#[derive(Retryable)]
#[retryable(status = status)]
struct Response {
    status: u16,
}

#[test]
fn a_struct_has_one_class() {
    assert_class(&Busy(ms(4)), Classification::throttled().retry_after(ms(4)), "Busy");
    assert_class(&Late, Classification::timeout().attempts(1), "Late");
    assert_class(&Response { status: 503 }, Classification::from_status(503), "Response");
}
