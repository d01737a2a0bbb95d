//! Where a call asks its breaker, what it is told, and what that costs.

use std::time::Duration;

use crate::script::{
    Failure, OK, Outcome, Script, T, assert_balance, bucket, delays, ms, observed, row, secs, t,
};
use stormless::{
    Breaker, BreakerOpen, BreakerState, Budget, Classification, Cut, RetryError, Retryable,
    StopReason, breaker, budget, report, retry, testing::isolated,
};

budget! {
    static CALLS: Budget = Budget::new("breaker-calls");
}

breaker! {
    static ORDERS: Breaker =
        Breaker::new("breaker-calls").consecutive(2).open_for(Duration::from_secs(30)).jitter(0.0);
    static OUTER: Breaker = Breaker::new("breaker-calls-outer");
}

#[retry(
    attempts = 5,
    backoff = "fixed",
    base = "1s",
    breaker = ORDERS,
    budget = CALLS,
    deadline = left,
    name = "guarded"
)]
async fn guarded(script: &Script, left: Duration) -> Outcome {
    script.body().await
}

#[retry(attempts = 5, backoff = "fixed", base = "1s", breaker = ORDERS, budget = CALLS)]
async fn wrapped(script: &Script) -> Result<(), RetryError<Failure>> {
    script.body().await
}

fn state() -> BreakerState {
    ORDERS.state()
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_ends_a_call_before_its_first_attempt() {
    isolated(async {
        ORDERS.open();
        let script = Script::new([]);
        let (result, call) = observed(guarded(&script, secs(60))).await;
        assert_eq!(result, Err(Failure::Open));
        assert_eq!((script.bodies(), script.elapsed()), (0, Duration::ZERO));
        assert_eq!((call.attempts(), call.slept()), (0, Duration::ZERO));
        assert_eq!(call.reason(), Some(StopReason::BreakerOpen));
        assert!(call.failures().is_empty(), "nothing was tried that could fail");
        let row = row("guarded");
        assert_eq!((row.stops(StopReason::BreakerOpen), row.failures(), row.calls()), (1, 0, 1));
        crate::script::assert_untouched("breaker-calls");
        assert_eq!(ORDERS.stats().rejected, 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_way_to_say_that_the_breaker_is_open_is_used() {
    #[retry(breaker = ORDERS, cut_error = |cut| format!("{cut}"), classify = |_| Classification::transient())]
    async fn by_function() -> Result<(), String> {
        Ok(())
    }
    #[retry(breaker = ORDERS)]
    async fn by_from() -> std::io::Result<()> {
        Ok(())
    }
    isolated(async {
        ORDERS.open();
        assert_eq!(by_function().await.unwrap_err(), "the breaker is open");
        let error = by_from().await.unwrap_err();
        let open = error.get_ref().and_then(|error| error.downcast_ref::<BreakerOpen>());
        let wait = open.expect("it is the breaker's own error").retry_after();
        assert!(wait.is_some_and(|wait| wait <= secs(30)), "{wait:?}");

        let error = wrapped(&Script::new([])).await.unwrap_err();
        assert_eq!((error.attempts(), error.slept()), (0, Duration::ZERO));
        assert_eq!((error.get_ref(), error.reason()), (None, StopReason::BreakerOpen));
        assert!(matches!(error.cut(), Some(Cut::BreakerOpen(_))));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_name_finds_the_declared_breaker_and_none_asks_no_breaker() {
    #[retry(breaker = "breaker-calls")]
    async fn named() -> Outcome {
        OK
    }
    #[retry(breaker = &ORDERS)]
    async fn lent() -> Outcome {
        OK
    }
    #[retry(breaker = none)]
    async fn unguarded() -> Outcome {
        OK
    }
    isolated(async {
        ORDERS.open();
        assert_eq!(named().await, Err(Failure::Open));
        assert_eq!(lent().await, Err(Failure::Open));
        assert_eq!(unguarded().await, OK);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_passed_deadline_is_told_before_the_breaker_is_asked() {
    isolated(async {
        ORDERS.open();
        let (result, call) = observed(guarded(&Script::new([]), Duration::ZERO)).await;
        assert_eq!(result, Err(Failure::Late));
        assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
        assert_eq!(ORDERS.stats().rejected, 0);
    })
    .await;
}

/// Can say that a breaker is open, and cannot say that it is too late.
#[derive(Clone, Debug, PartialEq, Eq, Retryable)]
enum Narrow {
    #[retryable(transient)]
    Down,
    #[retryable(breaker_open)]
    Open,
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_cannot_be_told_leaves_the_breaker_the_last_word() {
    #[retry(breaker = ORDERS, budget = none)]
    async fn narrow(script: &Script<Narrow>) -> Outcome<Narrow> {
        script.body().await
    }
    #[retry(deadline = left, uncut, attempts = 1, budget = none)]
    async fn too_late(
        script: &Script<Narrow>,
        left: Duration,
    ) -> Result<Outcome<Narrow>, crate::script::Bare> {
        Ok(narrow(script).await)
    }
    isolated(async {
        let script = Script::always(Err(Narrow::Down));
        let (result, calls) = report(too_late(&script, Duration::ZERO)).await;
        assert_eq!(result, Ok(Err(Narrow::Down)), "one body");
        assert_eq!((script.bodies(), calls[0].attempts()), (1, 1));
        assert_eq!(calls[0].reason(), Some(StopReason::DeadlineExceeded), "and nothing after it");

        ORDERS.open();
        let (result, calls) = report(too_late(&script, Duration::ZERO)).await;
        assert_eq!(result, Ok(Err(Narrow::Open)));
        assert_eq!((script.bodies(), calls[0].attempts()), (1, 0));
        assert_eq!(calls[0].reason(), Some(StopReason::BreakerOpen));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_opens_the_breaker_ends_the_call_with_its_own_error() {
    isolated(async {
        let script = Script::new([t(1), t(2)]);
        let (result, call) = observed(guarded(&script, secs(60))).await;
        assert_eq!(result, t(2), "the last attempt's own error, unchanged");
        assert_eq!(script.starts(), [0, 1].map(secs));
        assert_eq!(script.elapsed(), secs(1), "no sleep follows");
        assert_eq!((call.attempts(), call.reason()), (2, Some(StopReason::BreakerOpen)));
        assert_eq!((call.failures().len(), delays(&call)), (2, vec![secs(1)]));
        assert_eq!(row("guarded").stops(StopReason::BreakerOpen), 1);
        let stats = bucket("breaker-calls").stats();
        assert_eq!((stats.withdrawn, stats.refused, stats.given_back), (1, 0, 0));
        assert_balance("breaker-calls", 9.0);
        assert_eq!(state(), BreakerState::Open);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_deadline_comes_before_the_breaker_and_the_breaker_before_the_budget() {
    #[retry(attempts = 2, backoff = "fixed", base = "1s", breaker = OUTER, budget = CALLS)]
    async fn drains(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        // A wait of one second does not fit, and the breaker has just opened.
        let script = Script::new([t(1), t(2)]);
        let (result, call) = observed(guarded(&script, ms(1_500))).await;
        assert_eq!((result, state()), (t(2), BreakerState::Open));
        assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
        ORDERS.close();

        for _ in 0..9 {
            OUTER.close();
            assert_eq!(drains(&Script::always(T)).await, T);
        }
        assert_balance("breaker-calls", 0.0);
        assert_eq!(
            wrapped(&Script::new([T])).await.unwrap_err().reason(),
            StopReason::BudgetExhausted
        );
        let refused = bucket("breaker-calls").stats().refused;
        let error = wrapped(&Script::new([T])).await.unwrap_err();
        assert_eq!((error.reason(), state()), (StopReason::BreakerOpen, BreakerState::Open));
        assert_eq!(bucket("breaker-calls").stats().refused, refused, "it was not asked");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_table_shows_the_breaker_of_each_function() {
    let shown = row("guarded");
    assert_eq!(shown.breaker(), Some("breaker-calls"));
    let table = stormless::sites().to_string();
    let head = table.lines().next().unwrap();
    assert!(head.contains("breaker"), "{head}");
    let line = table.lines().find(|line| line.starts_with("guarded ")).unwrap();
    assert!(line.contains(" breaker-calls "), "{line}");
    let breakers = stormless::breakers();
    let users = breakers.get("breaker-calls").unwrap().sites();
    assert!(users.contains(&"guarded"), "{users:?}");
    assert!(!breakers.get("breaker-calls-outer").unwrap().sites().contains(&"guarded"));
}
