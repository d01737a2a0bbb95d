//! `attempts` counts bodies, the first included, and numbers start at 1 in every mode.

use std::sync::Mutex;

use crate::script::{
    Failure, OK, Outcome, P, Script, T, assert_balance, assert_untouched, delays, ms, observed,
    row, secs,
};
use stormless::{
    Budget, FailedAttempt, Outcome as Ending, Policy, RetryError, RetryEvent, StopReason, budget,
    control, retry, testing::isolated,
};

budget! {
    static THREE: Budget = Budget::new("attempts-three");
    static ONE: Budget = Budget::new("attempts-one");
}

#[retry(attempts = 3, budget = THREE)]
async fn three(script: &Script) -> Outcome {
    script.body().await
}

// R001
#[tokio::test(start_paused = true)]
async fn attempts_count_bodies_and_not_retries() {
    isolated(async {
        let script = Script::new([T, T, T, T]);
        let (result, call) = observed(three(&script)).await;
        assert_eq!(result, T);
        assert_eq!(script.bodies(), 3);
        assert_eq!(delays(&call).len(), 2);
        assert_eq!(delays(&call), script.gaps());
        assert_eq!((call.attempts(), call.reason()), (3, Some(StopReason::AttemptsExhausted)));
        let counted = row("calls::attempts::three");
        assert_eq!((counted.attempts(), counted.retries(), counted.failures()), (3, 2, 3));
        assert_eq!(counted.stops(StopReason::AttemptsExhausted), 1);
        assert_eq!(counted.calls(), 1);
        assert_balance("attempts-three", 8.0);
    })
    .await;
}

#[retry(attempts = 1, budget = ONE)]
async fn literal_one(script: &Script) -> Outcome {
    script.body().await
}

const ONCE: u32 = 1;

#[retry(attempts = ONCE, budget = ONE)]
async fn const_one(script: &Script) -> Outcome {
    script.body().await
}

#[retry(policy = policy, budget = ONE)]
async fn given_one(script: &Script, policy: Policy) -> Outcome {
    script.body().await
}

// R001
#[tokio::test(start_paused = true)]
async fn one_attempt_is_one_body_without_sleep_or_payment() {
    isolated(async {
        for way in 0..3 {
            let script = Script::new([T]);
            let (result, call) = match way {
                0 => observed(literal_one(&script)).await,
                1 => observed(const_one(&script)).await,
                _ => observed(given_one(&script, Policy::new().attempts(1))).await,
            };
            assert_eq!(result, T);
            assert_eq!(script.bodies(), 1);
            assert!(delays(&call).is_empty());
            assert_eq!(script.elapsed(), secs(0));
            assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::AttemptsExhausted)));
            assert_untouched("attempts-one");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn attempts_are_3_where_nothing_is_said() {
    #[retry]
    async fn plain(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let script = Script::always(T);
        assert_eq!(plain(&script).await, T);
        assert_eq!(script.bodies(), 3);
    })
    .await;
}

// R003
#[tokio::test(start_paused = true)]
async fn unlimited_lifts_the_count_and_not_the_classification() {
    #[retry(attempts = "unlimited", deadline = "1h", budget = none, inner = "suppress")]
    async fn endless(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let script = Script::new([P]);
        let (result, call) = observed(endless(&script)).await;
        assert_eq!(result, P);
        assert_eq!((script.bodies(), script.elapsed()), (1, secs(0)));
        assert!(delays(&call).is_empty());
        assert_eq!(call.reason(), Some(StopReason::Permanent));
    })
    .await;
}

// R003
#[tokio::test(start_paused = true)]
async fn unlimited_compiles_with_none_for_each_limit_and_goes_on_until_success() {
    #[retry(attempts = "unlimited", deadline = none, budget = none, inner = "allow",
            backoff = "fixed", base = "1s")]
    async fn supervised(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let mut outcomes = vec![T; 500];
        outcomes.push(OK);
        let script = Script::new(outcomes);
        let (result, call) = observed(supervised(&script)).await;
        assert_eq!(result, OK);
        assert_eq!((call.attempts(), call.outcome()), (501, Ending::Succeeded));
        assert_eq!(script.elapsed(), secs(500));
        let policy = row("calls::attempts::supervised").policy();
        assert_eq!(policy.max_attempts(), None);
        assert!(!policy.suppresses_inner());
    })
    .await;
}

/// Every number that an observer of one call can see.
#[derive(Debug, PartialEq)]
struct Numbers {
    bodies: Vec<u32>,
    events: Vec<u32>,
    failures: Vec<u32>,
    report: u32,
    error: u32,
}

#[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none,
        on_retry = |event| note(events, event))]
async fn bounded(script: &Script, events: &Mutex<Vec<u32>>) -> Result<(), RetryError<Failure>> {
    script.body().await
}

#[retry(attempts = "unlimited", deadline = "2500ms", backoff = "fixed", base = "1s", budget = none,
        inner = "suppress", on_retry = |event| note(events, event))]
async fn unlimited(script: &Script, events: &Mutex<Vec<u32>>) -> Result<(), RetryError<Failure>> {
    script.body().await
}

fn note(events: &Mutex<Vec<u32>>, event: &RetryEvent<'_, Failure>) {
    events.lock().unwrap().push(event.attempt());
}

// R005
#[tokio::test(start_paused = true)]
async fn numbers_start_at_1_for_every_observer_in_every_mode() {
    isolated(async {
        for is_bounded in [true, false] {
            let (script, events) = (Script::always(T), Mutex::default());
            let (result, call) = if is_bounded {
                observed(bounded(&script, &events)).await
            } else {
                observed(unlimited(&script, &events)).await
            };
            let numbers = Numbers {
                bodies: script.numbers(),
                events: events.into_inner().unwrap(),
                failures: call.failures().iter().map(FailedAttempt::number).collect(),
                report: call.attempts(),
                error: result.unwrap_err().attempts(),
            };
            let expected = Numbers {
                bodies: vec![1, 2, 3],
                events: vec![1, 2],
                failures: vec![1, 2, 3],
                report: 3,
                error: 3,
            };
            assert_eq!(numbers, expected, "bounded: {is_bounded}");
        }
    })
    .await;
}

#[retry(budget = none)]
async fn counted(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn a_call_that_recovers_has_no_reason_to_have_stopped() {
    isolated(async {
        control::count_successes(true);
        let script = Script::new([T, OK]);
        let (result, call) = observed(counted(&script)).await;
        assert_eq!(result, OK);
        assert_eq!((call.attempts(), call.reason()), (2, None));
        assert!(call.slept() <= ms(50), "one delay of the default base");
        counted(&Script::new([OK])).await.unwrap();
        let counted = row("calls::attempts::counted");
        assert_eq!((counted.calls(), counted.attempts(), counted.retries()), (2, 3, 1));
        assert_eq!(counted.recovered(), 1);
    })
    .await;
}
