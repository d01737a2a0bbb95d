//! A breaker that opens, answers, lets a probe through and closes; and one that opens while a call is asleep.

use std::time::Duration;

use observed::Scenario;
use stormless::{Breaker, Budget, breaker, budget, retry};
use tokio::time::{advance, sleep};

use crate::script::{Failure, OK, Outcome, Script, T, ms, secs};

budget! { static PAYMENTS: Budget = Budget::new("payments").burst(10).ratio(0.1); }

breaker! {
    static GUARD: Breaker =
        Breaker::new("guard").consecutive(2).open_for(Duration::from_secs(30)).jitter(0.0);
}

#[retry(backoff = "fixed", base = "100ms", attempts = 3, budget = PAYMENTS, breaker = GUARD, name = "pay")]
async fn pay(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn a_breaker_opens_answers_probes_and_closes() {
    let scenario = async {
        assert_eq!(pay(&Script::always(T).taking(ms(20))).await, T);
        assert_eq!(pay(&Script::always(T)).await, Err(Failure::Open));
        advance(secs(30)).await;
        assert_eq!(pay(&Script::new([OK]).taking(ms(20))).await, OK);
        let opens = async {
            sleep(ms(50)).await;
            GUARD.open();
        };
        let script = Script::new([T]).taking(ms(20));
        assert_eq!(tokio::join!(pay(&script), opens).0, Err(Failure::Open));
    };
    Scenario {
        calls: 4,
        events: "
                0 #1-0 call of pay, budget payments
                0 #1-1 attempt starts
               20 #1-1 attempt fails after 20ms: Unavailable, transient
               20 #1-1 retry in 100ms
              120 #1-2 attempt starts
              140 #1-2 attempt fails after 20ms: Unavailable, transient
              140 all breaker guard: closed -> open
              140 #1-2 breaker refuses, back in 30s
              140 #1-2 call stops: breaker_open at Unavailable, transient; 2 attempts, slept 100ms, took 140ms
              140 #2-0 call of pay, budget payments
              140 #2-0 breaker refuses, back in 30s
              140 #2-0 call stops: breaker_open at breaker_open, throttled asks for 30s local; 0 attempts, slept 0ns, took 0ns
            30140 #3-0 call of pay, budget payments
            30140 all breaker guard: open -> half_open
            30140 #3-1 attempt starts
            30160 #3-1 attempt succeeds after 20ms
            30160 #3-1 call succeeds: 1 attempts, slept 0ns, took 20ms
            30160 all breaker guard: half_open -> closed
            30160 #4-0 call of pay, budget payments
            30160 #4-1 attempt starts
            30180 #4-1 attempt fails after 20ms: Unavailable, transient
            30180 #4-1 retry in 100ms
            30210 all breaker guard: closed -> open
            30280 #4-1 breaker refuses, back in 29.93s
            30280 #4-1 call stops: breaker_open at breaker_open, throttled asks for 29.93s local; 1 attempts, slept 100ms, took 120ms
        ",
        spans: "
            + #1 pay, payments
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
            all WARN breaker changed its state: stormless.breaker=guard stormless.from=closed stormless.to=open
            = #1: retry_circuit_broken=true
            #1 DEBUG attempt refused by the breaker: retry_circuit_broken=true stormless.retry_after_ms=30000
            #1 WARN call gave up: error.type=Unavailable retry_circuit_broken=true stormless.attempts=2 stormless.budget=payments stormless.kind=transient stormless.reason=breaker_open stormless.retry_id=#1-2 stormless.site=pay stormless.slept_ms=100 suppressed=0
            = #1: error.type=Unavailable otel.status_code=ERROR stormless.attempts=2 stormless.kind=transient stormless.reason=breaker_open
            - #1
            + #2 pay, payments
            = #2: retry_circuit_broken=true
            #2 DEBUG attempt refused by the breaker: retry_circuit_broken=true stormless.retry_after_ms=30000
            = #2: error.type=breaker_open otel.status_code=ERROR stormless.attempts=0 stormless.kind=throttled stormless.reason=breaker_open
            #2 DEBUG call stopped: stormless.attempts=0 stormless.reason=breaker_open stormless.slept_ms=0
            - #2
            + #3 pay, payments
            all DEBUG breaker changed its state: stormless.breaker=guard stormless.from=open stormless.to=half_open
            + #3-1 in #3
            #3-1 DEBUG attempt started
            ~ #3-1
            ~ #3-1
            #3-1 DEBUG attempt succeeded
            - #3-1
            = #3: stormless.attempts=1
            #3 DEBUG call succeeded: stormless.attempts=1 stormless.slept_ms=0
            - #3
            all INFO breaker changed its state: stormless.breaker=guard stormless.from=half_open stormless.to=closed
            + #4 pay, payments
            + #4-1 in #4
            #4-1 DEBUG attempt started
            ~ #4-1
            ~ #4-1
            = #4-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #4-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #4-1
            #4 DEBUG retry scheduled: stormless.delay_ms=100
            all WARN breaker changed its state: stormless.breaker=guard stormless.from=closed stormless.to=open
            = #4: retry_circuit_broken=true
            #4 DEBUG attempt refused by the breaker: retry_circuit_broken=true stormless.retry_after_ms=29930
            #4 WARN call gave up: error.type=breaker_open retry_circuit_broken=true stormless.attempts=1 stormless.budget=payments stormless.kind=throttled stormless.reason=breaker_open stormless.retry_id=#4-1 stormless.site=pay stormless.slept_ms=100 suppressed=1
            = #4: error.type=breaker_open otel.status_code=ERROR stormless.attempts=1 stormless.kind=throttled stormless.reason=breaker_open
            - #4
        ",
        metrics: "
            attempt_duration_seconds pay [0.02, 0.02, 0.02, 0.02]
            attempt_failures_total pay transient Unavailable +3
            attempts_total pay +4
            breaker_state guard closed: 1 -> 0
            breaker_state guard open: 0 -> 1
            budget_level payments: 10 -> 9.1
            call_attempts pay [2.0, 0.0, 1.0, 1.0]
            calls_total pay failure +2
            calls_total pay failure_after_retry +1
            calls_total pay success +1
            retries_refused_total pay payments breaker_open +3
            retry_delay_seconds pay [0.1, 0.1]
        ",
    }
    .is_told_of(scenario)
    .await;
}
