//! A budget that two calls share, and that the second finds empty.

use observed::Scenario;
use stormless::{Budget, budget, retry};

use crate::script::{Outcome, Script, T, ms};

budget! { static SMALL: Budget = Budget::new("small").burst(2).ratio(0.5); }

#[retry(backoff = "fixed", base = "100ms", attempts = 3, budget = SMALL, name = "buy")]
async fn buy(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn an_empty_budget_refuses() {
    let scenario = async {
        assert_eq!(buy(&Script::always(T).taking(ms(20))).await, T);
        assert_eq!(buy(&Script::always(T).taking(ms(20))).await, T);
    };
    Scenario {
        calls: 2,
        events: "
                0 #1-0 call of buy, budget small
                0 #1-1 attempt starts
               20 #1-1 attempt fails after 20ms: Unavailable, transient
               20 #1-1 retry in 100ms
              120 #1-2 attempt starts
              140 #1-2 attempt fails after 20ms: Unavailable, transient
              140 #1-2 retry in 100ms
              240 #1-3 attempt starts
              260 #1-3 attempt fails after 20ms: Unavailable, transient
              260 #1-3 call stops: attempts_exhausted at Unavailable, transient; 3 attempts, slept 200ms, took 260ms
              260 #2-0 call of buy, budget small
              260 #2-1 attempt starts
              280 #2-1 attempt fails after 20ms: Unavailable, transient
              280 #2-1 budget refuses
              280 #2-1 call stops: budget_exhausted at Unavailable, transient; 1 attempts, slept 0ns, took 20ms
        ",
        spans: "
            + #1 buy, small
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
            #1 WARN call gave up: error.type=Unavailable stormless.attempts=3 stormless.budget=small stormless.kind=transient stormless.reason=attempts_exhausted stormless.retry_id=#1-3 stormless.site=buy stormless.slept_ms=200 suppressed=0
            = #1: error.type=Unavailable otel.status_code=ERROR stormless.attempts=3 stormless.kind=transient stormless.reason=attempts_exhausted
            - #1
            + #2 buy, small
            + #2-1 in #2
            #2-1 DEBUG attempt started
            ~ #2-1
            ~ #2-1
            = #2-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #2-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #2-1
            #2 DEBUG retry refused by the budget
            #2 WARN call gave up: error.type=Unavailable stormless.attempts=1 stormless.budget=small stormless.kind=transient stormless.reason=budget_exhausted stormless.retry_id=#2-1 stormless.site=buy stormless.slept_ms=0 suppressed=0
            = #2: error.type=Unavailable otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=budget_exhausted
            - #2
        ",
        metrics: "
            attempt_duration_seconds buy [0.02, 0.02, 0.02, 0.02]
            attempt_failures_total buy transient Unavailable +4
            attempts_total buy +4
            budget_level small: 2 -> 0
            call_attempts buy [3.0, 1.0]
            calls_total buy failure +1
            calls_total buy failure_after_retry +1
            retries_refused_total buy small attempts_exhausted +1
            retries_refused_total buy small budget_exhausted +1
            retry_delay_seconds buy [0.1, 0.1]
        ",
    }
    .is_told_of(scenario)
    .await;
}
