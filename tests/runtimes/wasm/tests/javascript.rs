//! Calls in JavaScript's event loop, with nothing installed.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]

use std::{
    future::{Future, pending, ready},
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::{Duration, SystemTime},
};

use http::{HeaderMap, HeaderValue, header};
use stormless::{
    Budget, DeadlineExceeded, RetryAfter, StopReason, Warning, budget, budgets,
    deadline::{remaining, within},
    report, retry,
    timer::{GlooTimers, Timer, install},
    verify, warnings,
};
use wasm::{Dependency, Failure};
use wasm_bindgen_test::wasm_bindgen_test;
use web_time::Instant;

const WAIT: Duration = Duration::from_millis(5);

budget! {
    static ORDERS: Budget = Budget::new("wasm-orders").burst(10);
}

#[retry(attempts = 3, backoff = "fixed", base = "5ms", budget = none)]
async fn fetch(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[wasm_bindgen_test]
async fn a_retry_follows_its_wait() {
    fn may_move<F: Send + Sync>(future: F) -> F {
        future
    }
    let (start, dependency) = (Instant::now(), Dependency::failing(2));
    let (result, calls) = may_move(report(fetch(&dependency))).await;
    assert_eq!((result, dependency.bodies()), (Ok(7), 3));
    assert!(start.elapsed() >= 2 * WAIT, "{:?}", start.elapsed());
    assert_eq!(calls[0].slept(), 2 * WAIT);
}

#[wasm_bindgen_test]
async fn limits_end_what_runs_too_long() {
    #[retry(deadline = "5ms", budget = none)]
    async fn limited(dependency: &Dependency) -> Result<u64, Failure> {
        assert!(remaining().is_some_and(|left| left <= WAIT));
        dependency.answer().await
    }
    #[retry(attempt_timeout = "5ms", idempotent, backoff = "none", budget = none)]
    async fn timed(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    let start = Instant::now();
    assert_eq!(limited(&Dependency::silent(1)).await, Err(Failure::TooLate));
    assert!(start.elapsed() >= WAIT);
    assert_eq!(within(WAIT, pending::<()>()).await, Err(DeadlineExceeded::default()));
    assert!(start.elapsed() >= 2 * WAIT);
    assert_eq!(timed(&Dependency::silent(2)).await, Ok(7));
    assert_eq!(timed(&Dependency::silent(9)).await, Err(Failure::Slow));
    assert!(start.elapsed() >= 7 * WAIT);
}

#[wasm_bindgen_test]
async fn a_hedge_starts_beside_what_is_slow() {
    #[retry(hedge = "5ms", idempotent, budget = none)]
    async fn hedged(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    let (start, dependency) = (Instant::now(), Dependency::silent(1));
    assert_eq!((hedged(&dependency).await, dependency.bodies()), (Ok(7), 2));
    assert!(start.elapsed() >= WAIT);
}

/// Counts how often it wakes.
#[derive(Default)]
struct Count(AtomicU32);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Count {
    fn poll<F: Future + ?Sized>(self: &Arc<Self>, future: Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(&Waker::from(Arc::clone(self))))
    }
}

#[wasm_bindgen_test]
async fn a_call_that_is_given_up_while_it_waits_keeps_nothing() {
    #[retry(backoff = "fixed", base = "1h", max = "1h", budget = ORDERS)]
    async fn patient(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    let count = Arc::new(Count::default());
    {
        let dependency = Dependency::failing(9);
        let mut call = pin!(patient(&dependency));
        assert!(count.poll(call.as_mut()).is_pending());
        assert_eq!(format!("{:.1}", ORDERS.balance()), "9.0");
        assert_eq!(Arc::strong_count(&count), 2, "who is to be woken");
    }
    assert_eq!(Arc::strong_count(&count), 1, "nobody is to be woken");
    assert_eq!(format!("{:.1}", ORDERS.balance()), "10.0");
}

#[wasm_bindgen_test]
async fn only_the_last_who_looked_is_to_be_woken_and_not_before_time() {
    let (first, last) = (Arc::new(Count::default()), Arc::new(Count::default()));
    // More milliseconds than a timeout can have: JavaScript would take them for none.
    let mut decades = GlooTimers.sleep_until(Duration::from_secs(1 << 32));
    assert!(first.poll(decades.as_mut()).is_pending());
    assert!(last.poll(decades.as_mut()).is_pending());
    assert_eq!((Arc::strong_count(&first), Arc::strong_count(&last)), (1, 2));
    GlooTimers.sleep_until(GlooTimers.now() + 4 * WAIT).await;
    assert_eq!(last.0.load(Ordering::Relaxed), 0);
    drop(decades);
    assert_eq!(Arc::strong_count(&last), 1);
}

#[wasm_bindgen_test]
async fn a_function_that_blocks_stops_where_it_would_wait() {
    #[retry(blocking, budget = ORDERS, name = "blocks")]
    fn blocks(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer_at_once()
    }
    assert!(!GlooTimers.can_block());
    let dependency = Dependency::failing(1);
    let (result, calls) = report(async { blocks(&dependency) }).await;
    assert_eq!((result, dependency.bodies()), (Err(Failure::Down), 1));
    assert_eq!(calls[0].reason(), Some(StopReason::Disabled));
    assert!(warnings().contains(&Warning::NoTimer { site: "blocks" }));
}

#[wasm_bindgen_test]
async fn what_is_declared_is_known_and_the_timer_is_there() {
    assert!(budgets().get("wasm-orders").is_some());
    assert!(verify().is_ok());
    assert_eq!(within(WAIT, ready(7)).await, Ok(7));
    assert!(install(GlooTimers).is_err(), "it tells the time already");
}

#[wasm_bindgen_test]
fn a_date_to_come_back_at_is_understood() {
    // 2124, by a server that does not say what time it has.
    let date = HeaderValue::from_static("Sat, 01 Jan 2124 00:00:00 GMT");
    let headers = HeaderMap::from_iter([(header::RETRY_AFTER, date)]);
    let wait = RetryAfter::from_headers(&headers).expect("it lies ahead");
    let turn = SystemTime::UNIX_EPOCH + Duration::from_secs(4_859_740_800);
    let now = turn.checked_sub(wait).expect("it is later than 1970");
    assert!(now > SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000), "{wait:?}");
}
