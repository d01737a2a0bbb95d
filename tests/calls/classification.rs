//! From errors to decisions: forwarding, sources, kinds, execution and classes that look alike.

use std::{
    cell::Cell,
    error::Error,
    fmt,
    io::{self, ErrorKind},
};

use crate::bodies::{Answer, Dependency, T, TM, assert_balance};
use stormless::{
    Budget, Execution, Kind, Retryable, StopReason, budget, current, report, retry,
    testing::isolated,
};

#[derive(Debug, thiserror::Error, Retryable)]
enum Inner {
    #[error("gone")]
    #[retryable(permanent)]
    Gone,
    #[error("down")]
    #[retryable(transient)]
    Down,
}

#[derive(Debug, thiserror::Error, Retryable)]
enum Direct {
    #[error(transparent)]
    #[retryable(forward)]
    Inner(#[from] Inner),
}

#[derive(Debug, thiserror::Error, Retryable)]
enum Boxed {
    #[error("boxed")]
    #[retryable(forward)]
    Inner(#[from] Box<Inner>),
}

#[derive(Debug, thiserror::Error, Retryable)]
enum Twice {
    #[error(transparent)]
    #[retryable(forward)]
    Direct(#[from] Direct),
}

/// A function for each way of wrapping, and what one call of it comes to.
macro_rules! forwarded {
    ($($name:ident: $error:ty, $inner:ident => $wrap:expr;)+) => {$(
        async fn $name(fail: fn() -> Inner) -> (u32, Option<StopReason>) {
            #[retry(attempts = 3, backoff = "none", budget = none)]
            async fn call(fail: fn() -> Inner, bodies: &Cell<u32>) -> Result<(), $error> {
                bodies.set(bodies.get() + 1);
                let $inner = fail();
                Err($wrap)?
            }
            let bodies = Cell::new(0);
            let (result, calls) = report(call(fail, &bodies)).await;
            assert!(result.is_err());
            (bodies.get(), calls[0].reason())
        }
    )+};
}

forwarded! {
    direct: Direct, inner => inner;
    boxed: Boxed, inner => Box::new(inner);
    twice: Twice, inner => Direct::from(inner);
}

// R124
#[tokio::test(start_paused = true)]
async fn a_wrapped_error_is_classified_as_the_one_inside() {
    let permanent = (1, Some(StopReason::Permanent));
    assert_eq!(direct(|| Inner::Gone).await, permanent);
    assert_eq!(boxed(|| Inner::Gone).await, permanent);
    assert_eq!(twice(|| Inner::Gone).await, permanent);
    let retried = (3, Some(StopReason::AttemptsExhausted));
    assert_eq!(direct(|| Inner::Down).await, retried);
    assert_eq!(boxed(|| Inner::Down).await, retried);
    assert_eq!(twice(|| Inner::Down).await, retried);
}

/// An error that names itself as its source.
#[derive(Debug)]
struct Cyclic;

impl fmt::Display for Cyclic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round and round")
    }
}

impl Error for Cyclic {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn io(bodies: &mut u32, fail: impl Fn() -> io::Error) -> io::Result<()> {
    *bodies += 1;
    Err(fail())
}

#[retry(attempts = 3, backoff = "none", budget = none, idempotent)]
async fn idempotent_io(bodies: &mut u32, fail: impl Fn() -> io::Error) -> io::Result<()> {
    *bodies += 1;
    Err(fail())
}

// R126
#[tokio::test(start_paused = true)]
async fn a_cycle_of_sources_ends_and_is_permanent() {
    let (mut bodies, fail) = (0, || io::Error::other(Cyclic));
    let (result, calls) = report(io(&mut bodies, fail)).await;
    assert!(result.is_err());
    assert_eq!((bodies, calls[0].reason()), (1, Some(StopReason::Permanent)));
}

// R128
#[tokio::test(start_paused = true)]
async fn kinds_of_io_errors_decide_and_texts_never_do() {
    use ErrorKind as K;
    let refused = [K::ConnectionRefused, K::HostUnreachable, K::NetworkUnreachable, K::Interrupted]
        .map(|kind| (kind, Kind::Transient, Execution::NotExecuted));
    let lost = [K::ConnectionReset, K::ConnectionAborted, K::BrokenPipe, K::UnexpectedEof]
        .map(|kind| (kind, Kind::Transient, Execution::MaybeExecuted));
    let late = [(K::TimedOut, Kind::Timeout, Execution::MaybeExecuted)];
    let hopeless =
        [K::NotFound, K::PermissionDenied, K::InvalidInput, K::InvalidData, K::AlreadyExists]
            .map(|kind| (kind, Kind::Permanent, Execution::NotExecuted));
    let texts = ["", "connection refused", "timed out", "not found", "try again"];

    let table = refused.iter().chain(&lost).chain(&late).chain(&hopeless);
    for ((kind, class, execution), text) in table.flat_map(|row| texts.map(|text| (row, text))) {
        let fail = || io::Error::new(*kind, text);
        let retried = (3, Some(StopReason::AttemptsExhausted));
        let expected = match (class, execution) {
            (Kind::Permanent, _) => [(1, Some(StopReason::Permanent)); 2],
            (_, Execution::NotExecuted) => [retried; 2],
            _ => [(1, Some(StopReason::MaybeExecuted)), retried],
        };
        let mut bodies = [0, 0];
        let ((), calls) = report(async {
            let _ = io(&mut bodies[0], fail).await;
            let _ = idempotent_io(&mut bodies[1], fail).await;
        })
        .await;
        let found = [0, 1].map(|call| (bodies[call], calls[call].reason()));
        assert_eq!(found, expected, "{kind:?} {text:?}");
        let said = calls[0].failures()[0].classification();
        assert_eq!((said.kind(), said.execution()), (*class, *execution), "{kind:?} {text:?}");
    }
}

budget! { static ONCE: Budget = Budget::new("classification").burst(10).ratio(0.1); }

#[retry(attempts = 3, backoff = "none", budget = ONCE)]
async fn plain(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = ONCE, idempotent)]
async fn repeatable(dependency: &Dependency, keys: &mut Vec<String>) -> Answer {
    keys.push(current().expect("an attempt is running").idempotency_key().to_string());
    dependency.answer()
}

// R130
#[tokio::test(start_paused = true)]
async fn what_may_have_executed_is_repeated_only_on_request() {
    isolated(async {
        let (result, calls) = report(plain(&Dependency::script([Err(TM)]))).await;
        assert_eq!((result, calls[0].reason()), (Err(TM), Some(StopReason::MaybeExecuted)));
        assert_balance("classification", 10.0);

        assert_eq!(plain(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        let mut keys = Vec::new();
        let script = Dependency::script([Err(TM), Ok(())]);
        assert_eq!(repeatable(&script, &mut keys).await, Ok(()));
        assert_eq!((keys.len(), keys[0] == keys[1]), (2, true));
        assert_balance("classification", 8.2);
    })
    .await;
}

#[derive(Debug, PartialEq, Eq, thiserror::Error, Retryable)]
enum Refusal {
    #[error("out of credit")]
    #[retryable(permanent, status = code)]
    OutOfCredit { code: u16 },
    #[error("slow down")]
    #[retryable(throttled, status = code)]
    RateLimited { code: u16 },
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn refused(bodies: &mut u32, failure: fn(u16) -> Refusal) -> Result<(), Refusal> {
    *bodies += 1;
    Err(failure(429))
}

// R132
#[tokio::test(start_paused = true)]
async fn errors_with_one_status_differ_by_their_class() {
    let out_of_credit = |code| Refusal::OutOfCredit { code };
    let rate_limited = |code| Refusal::RateLimited { code };
    let mut bodies = [0, 0];
    assert_eq!(refused(&mut bodies[0], out_of_credit).await, Err(out_of_credit(429)));
    assert_eq!(refused(&mut bodies[1], rate_limited).await, Err(rate_limited(429)));
    assert_eq!(bodies, [1, 3]);
}
