//! One function: it succeeds at once, after retries, not at all, and where no retry would help.

use observed::Scenario;
use stormless::{Budget, budget, retry};

use crate::script::{OK, Outcome, P, PE, Script, T, ms, ra, secs};

budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }

#[retry(backoff = "fixed", base = "100ms", name = "fetch")]
async fn fetch(script: &Script) -> Outcome {
    script.body().await
}

#[retry(backoff = "fixed", base = "100ms", attempts = 3, budget = ORDERS, name = "order")]
async fn order(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn a_success_at_once() {
    let scenario = async {
        assert_eq!(fetch(&Script::new([OK]).taking(ms(20))).await, OK);
    };
    Scenario {
        calls: 1,
        events: "
                0 #1-0 call of fetch, budget (own)
                0 #1-1 attempt starts
               20 #1-1 attempt succeeds after 20ms
               20 #1-1 call succeeds: 1 attempts, slept 0ns, took 20ms
        ",
        spans: "
            + #1 fetch, (own)
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            #1-1 DEBUG attempt succeeded
            - #1-1
            = #1: stormless.attempts=1
            #1 DEBUG call succeeded: stormless.attempts=1 stormless.slept_ms=0
            - #1
        ",
        metrics: "
            attempt_duration_seconds fetch [0.02]
            attempts_total fetch +1
            call_attempts fetch [1.0]
            calls_total fetch success +1
        ",
    }
    .is_told_of(scenario)
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_success_after_two_retries_the_second_with_a_servers_hint() {
    let scenario = async {
        assert_eq!(order(&Script::new([T, ra(secs(1)), OK]).taking(ms(20))).await, OK);
    };
    Scenario {
        calls: 1,
        events: "
                0 #1-0 call of order, budget orders
                0 #1-1 attempt starts
               20 #1-1 attempt fails after 20ms: Unavailable, transient
               20 #1-1 retry in 100ms
              120 #1-2 attempt starts
              140 #1-2 attempt fails after 20ms: Busy, throttled asks for 1s
              140 #1-2 hint 1s
              140 #1-2 retry in 1s
             1140 #1-3 attempt starts
             1160 #1-3 attempt succeeds after 20ms
             1160 #1-3 call succeeds: 3 attempts, slept 1.1s, took 1.16s
        ",
        spans: "
            + #1 order, orders
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            = #1-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #1-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #1-1
            #1 DEBUG retry scheduled: stormless.delay_ms=100
            + #1-2 in #1: http.request.resend_count=1 stormless.delay_ms=100
            #1-2 DEBUG attempt started
            ~ #1-2
            ~ #1-2
            = #1-2: error.type=Busy otel.status_code=ERROR stormless.kind=throttled
            #1-2 DEBUG attempt failed: error.type=Busy stormless.kind=throttled
            - #1-2
            #1 DEBUG hint used: stormless.asked_ms=1000
            #1 DEBUG retry scheduled: stormless.delay_ms=1000
            + #1-3 in #1: http.request.resend_count=2 stormless.delay_ms=1000
            #1-3 DEBUG attempt started
            ~ #1-3
            ~ #1-3
            #1-3 DEBUG attempt succeeded
            - #1-3
            = #1: stormless.attempts=3
            #1 DEBUG call succeeded: stormless.attempts=3 stormless.slept_ms=1100
            - #1
        ",
        metrics: "
            attempt_duration_seconds order [0.02, 0.02, 0.02]
            attempt_failures_total order throttled Busy +1
            attempt_failures_total order transient Unavailable +1
            attempts_total order +3
            budget_level orders: 10 -> 8.1
            call_attempts order [3.0]
            calls_total order success_after_retry +1
            retry_delay_seconds order [0.1, 1.0]
        ",
    }
    .is_told_of(scenario)
    .await;
}

#[tokio::test(start_paused = true)]
async fn no_attempt_is_left() {
    let scenario = async {
        assert_eq!(order(&Script::always(T).taking(ms(20))).await, T);
    };
    Scenario {
        calls: 1,
        events: "
                0 #1-0 call of order, budget orders
                0 #1-1 attempt starts
               20 #1-1 attempt fails after 20ms: Unavailable, transient
               20 #1-1 retry in 100ms
              120 #1-2 attempt starts
              140 #1-2 attempt fails after 20ms: Unavailable, transient
              140 #1-2 retry in 100ms
              240 #1-3 attempt starts
              260 #1-3 attempt fails after 20ms: Unavailable, transient
              260 #1-3 call stops: attempts_exhausted at Unavailable, transient; 3 attempts, slept 200ms, took 260ms
        ",
        spans: "
            + #1 order, orders
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            = #1-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #1-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #1-1
            #1 DEBUG retry scheduled: stormless.delay_ms=100
            + #1-2 in #1: http.request.resend_count=1 stormless.delay_ms=100
            #1-2 DEBUG attempt started
            ~ #1-2
            ~ #1-2
            = #1-2: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #1-2 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #1-2
            #1 DEBUG retry scheduled: stormless.delay_ms=100
            + #1-3 in #1: http.request.resend_count=2 stormless.delay_ms=100
            #1-3 DEBUG attempt started
            ~ #1-3
            ~ #1-3
            = #1-3: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #1-3 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #1-3
            #1 WARN call gave up: error.type=Unavailable stormless.attempts=3 stormless.budget=orders stormless.kind=transient stormless.reason=attempts_exhausted stormless.retry_id=#1-3 stormless.site=order stormless.slept_ms=200 suppressed=0
            = #1: error.type=Unavailable otel.status_code=ERROR stormless.attempts=3 stormless.kind=transient stormless.reason=attempts_exhausted
            - #1
        ",
        metrics: "
            attempt_duration_seconds order [0.02, 0.02, 0.02]
            attempt_failures_total order transient Unavailable +3
            attempts_total order +3
            budget_level orders: 10 -> 8
            call_attempts order [3.0]
            calls_total order failure_after_retry +1
            retries_refused_total order orders attempts_exhausted +1
            retry_delay_seconds order [0.1, 0.1]
        ",
    }
    .is_told_of(scenario)
    .await;
}

/// Only the first is for somebody on call: the second is an answer, and earns.
#[tokio::test(start_paused = true)]
async fn permanent_failures() {
    let scenario = async {
        assert_eq!(order(&Script::new([T, P]).taking(ms(20))).await, P);
        assert_eq!(order(&Script::new([PE]).taking(ms(20))).await, PE);
    };
    Scenario {
        calls: 2,
        events: "
                0 #1-0 call of order, budget orders
                0 #1-1 attempt starts
               20 #1-1 attempt fails after 20ms: Unavailable, transient
               20 #1-1 retry in 100ms
              120 #1-2 attempt starts
              140 #1-2 attempt fails after 20ms: Refused, permanent
              140 #1-2 call stops: permanent at Refused, permanent; 2 attempts, slept 100ms, took 140ms
              140 #2-0 call of order, budget orders
              140 #2-1 attempt starts
              160 #2-1 attempt fails after 20ms: NotFound, permanent Executed
              160 #2-1 call stops: permanent at NotFound, permanent Executed; 1 attempts, slept 0ns, took 20ms
        ",
        spans: "
            + #1 order, orders
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            = #1-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #1-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #1-1
            #1 DEBUG retry scheduled: stormless.delay_ms=100
            + #1-2 in #1: http.request.resend_count=1 stormless.delay_ms=100
            #1-2 DEBUG attempt started
            ~ #1-2
            ~ #1-2
            = #1-2: error.type=Refused otel.status_code=ERROR stormless.kind=permanent
            #1-2 DEBUG attempt failed: error.type=Refused stormless.kind=permanent
            - #1-2
            #1 WARN call gave up: error.type=Refused stormless.attempts=2 stormless.budget=orders stormless.kind=permanent stormless.reason=permanent stormless.retry_id=#1-2 stormless.site=order stormless.slept_ms=100 suppressed=0
            = #1: error.type=Refused otel.status_code=ERROR stormless.attempts=2 stormless.kind=permanent stormless.reason=permanent
            - #1
            + #2 order, orders
            + #2-1 in #2
            #2-1 DEBUG attempt started
            ~ #2-1
            ~ #2-1
            = #2-1: error.type=NotFound otel.status_code=ERROR stormless.kind=permanent
            #2-1 DEBUG attempt failed: error.type=NotFound stormless.kind=permanent
            - #2-1
            = #2: error.type=NotFound otel.status_code=ERROR stormless.attempts=1 stormless.kind=permanent stormless.reason=permanent
            #2 DEBUG call stopped: stormless.attempts=1 stormless.reason=permanent stormless.slept_ms=0
            - #2
        ",
        metrics: "
            attempt_duration_seconds order [0.02, 0.02, 0.02]
            attempt_failures_total order permanent NotFound +1
            attempt_failures_total order permanent Refused +1
            attempt_failures_total order transient Unavailable +1
            attempts_total order +3
            budget_level orders: 10 -> 9.1
            call_attempts order [2.0, 1.0]
            calls_total order failure +1
            calls_total order failure_after_retry +1
            retries_refused_total order orders permanent +2
            retry_delay_seconds order [0.1]
        ",
    }
    .is_told_of(scenario)
    .await;
}
