//! Deadlines: one passes during an attempt, one would pass during a wait, and one has passed already. And the
//! timeout of an attempt, which another one follows.

use std::time::Duration;

use observed::Scenario;
use stormless::retry;

use crate::plan::Plan;
use crate::script::{Failure, OK, Outcome, Script, T, ms};

#[retry(backoff = "fixed", base = "100ms", deadline = left, budget = none, name = "timely")]
async fn timely(script: &Script, left: Duration) -> Outcome {
    script.body().await
}

#[retry(backoff = "fixed", base = "100ms", attempt_timeout = "150ms", idempotent, name = "patient")]
async fn patient(plan: &Plan) -> Outcome {
    plan.body().await
}

#[tokio::test(start_paused = true)]
async fn deadlines_end_calls_and_keep_them_from_starting() {
    let scenario = async {
        assert_eq!(timely(&Script::hanging(), ms(250)).await, Err(Failure::Late));
        assert_eq!(timely(&Script::always(T).taking(ms(200)), ms(250)).await, T);
        assert_eq!(timely(&Script::always(T), Duration::ZERO).await, Err(Failure::Late));
    };
    Scenario {
        calls: 3,
        events: "
                0 #1-0 call of timely, budget none
                0 #1-1 attempt starts
              250 #1-1 attempt fails after 250ms: deadline_exceeded, timeout MaybeExecuted
              250 #1-1 call stops: deadline_exceeded at deadline_exceeded, timeout MaybeExecuted; 1 attempts, slept 0ns, took 250ms
              250 #2-0 call of timely, budget none
              250 #2-1 attempt starts
              450 #2-1 attempt fails after 200ms: Unavailable, transient
              450 #2-1 call stops: deadline_too_close at Unavailable, transient; 1 attempts, slept 0ns, took 200ms
              450 #3-0 call of timely, budget none
              450 #3-0 call stops: deadline_exceeded at deadline_exceeded, timeout MaybeExecuted; 0 attempts, slept 0ns, took 0ns
        ",
        spans: "
            + #1 timely, none
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            = #1-1: error.type=deadline_exceeded otel.status_code=ERROR stormless.kind=timeout
            #1-1 DEBUG attempt failed: error.type=deadline_exceeded stormless.kind=timeout
            - #1-1
            #1 WARN call gave up: error.type=deadline_exceeded stormless.attempts=1 stormless.kind=timeout stormless.reason=deadline_exceeded stormless.retry_id=#1-1 stormless.site=timely stormless.slept_ms=0 suppressed=0
            = #1: error.type=deadline_exceeded otel.status_code=ERROR stormless.attempts=1 stormless.kind=timeout stormless.reason=deadline_exceeded
            - #1
            + #2 timely, none
            + #2-1 in #2
            #2-1 DEBUG attempt started
            ~ #2-1
            ~ #2-1
            = #2-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #2-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #2-1
            #2 WARN call gave up: error.type=Unavailable stormless.attempts=1 stormless.kind=transient stormless.reason=deadline_too_close stormless.retry_id=#2-1 stormless.site=timely stormless.slept_ms=0 suppressed=0
            = #2: error.type=Unavailable otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=deadline_too_close
            - #2
            + #3 timely, none
            = #3: error.type=deadline_exceeded otel.status_code=ERROR stormless.attempts=0 stormless.kind=timeout stormless.reason=deadline_exceeded
            #3 DEBUG call stopped: stormless.attempts=0 stormless.reason=deadline_exceeded stormless.slept_ms=0
            - #3
        ",
        metrics: "
            attempt_duration_seconds timely [0.25, 0.2]
            attempt_failures_total timely timeout deadline_exceeded +1
            attempt_failures_total timely transient Unavailable +1
            attempts_total timely +2
            call_attempts timely [1.0, 1.0, 0.0]
            calls_total timely failure +3
            retries_refused_total timely none deadline_exceeded +2
            retries_refused_total timely none deadline_too_close +1
        ",
    }
    .is_told_of(scenario)
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_cut_by_its_timeout_and_another_follows() {
    let scenario = async {
        assert_eq!(patient(&Plan::new([(ms(500), OK), (ms(20), OK)])).await, OK);
    };
    Scenario {
        calls: 1,
        events: "
                0 #1-0 call of patient, budget (own)
                0 #1-1 attempt starts
              150 #1-1 attempt fails after 150ms: attempt_timeout, timeout MaybeExecuted
              150 #1-1 retry in 100ms
              250 #1-2 attempt starts
              270 #1-2 attempt succeeds after 20ms
              270 #1-2 call succeeds: 2 attempts, slept 100ms, took 270ms
        ",
        spans: "
            + #1 patient, (own)
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            = #1-1: error.type=attempt_timeout otel.status_code=ERROR stormless.kind=timeout
            #1-1 DEBUG attempt failed: error.type=attempt_timeout stormless.kind=timeout
            - #1-1
            #1 DEBUG retry scheduled: stormless.delay_ms=100
            + #1-2 in #1: http.request.resend_count=1 stormless.delay_ms=100
            #1-2 DEBUG attempt started
            ~ #1-2
            ~ #1-2
            #1-2 DEBUG attempt succeeded
            - #1-2
            = #1: stormless.attempts=2
            #1 DEBUG call succeeded: stormless.attempts=2 stormless.slept_ms=100
            - #1
        ",
        metrics: "
            attempt_duration_seconds patient [0.15, 0.02]
            attempt_failures_total patient timeout attempt_timeout +1
            attempts_total patient +2
            budget_level (own) patient: 10 -> 9.1
            call_attempts patient [2.0]
            calls_total patient success_after_retry +1
            retry_delay_seconds patient [0.1]
        ",
    }
    .is_told_of(scenario)
    .await;
}
