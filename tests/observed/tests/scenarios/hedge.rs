//! Attempts side by side.

use observed::Scenario;
use stormless::retry;

use crate::{
    plan::Plan,
    script::{FOREVER, OK, Outcome, T, ms, ra, secs},
};

#[retry(idempotent, attempts = 3, hedge = "100ms", name = "search")]
async fn search(plan: &Plan) -> Outcome {
    plan.body().await
}

/// The first attempt is dropped; it fails beside its hedge, which wins; both fail, and what a server asked of the
/// one holds for the retry of the other.
#[tokio::test(start_paused = true)]
async fn a_hedge_wins_or_fails_too() {
    let scenario = async {
        assert_eq!(search(&Plan::new([(FOREVER, OK), (ms(50), OK)])).await, OK);
        assert_eq!(search(&Plan::new([(ms(120), T), (ms(50), OK)])).await, OK);
        let plan = Plan::new([(ms(120), ra(secs(1))), (ms(50), T), (ms(10), OK)]);
        assert_eq!(search(&plan).await, OK);
    };
    Scenario {
        calls: 3,
        events: "
                0 #1-0 call of search, budget (own)
                0 #1-1 attempt starts
              100 #1-2 hedge starts
              150 #1-1 attempt dropped after 150ms
              150 #1-2 attempt succeeds after 50ms
              150 #1-2 call succeeds: 2 attempts, slept 0ns, took 150ms
              150 #2-0 call of search, budget (own)
              150 #2-1 attempt starts
              250 #2-2 hedge starts
              270 #2-1 attempt fails after 120ms: Unavailable, transient
              300 #2-2 attempt succeeds after 50ms
              300 #2-2 call succeeds: 2 attempts, slept 0ns, took 150ms
              300 #3-0 call of search, budget (own)
              300 #3-1 attempt starts
              400 #3-2 hedge starts
              420 #3-1 attempt fails after 120ms: Busy, throttled asks for 1s
              450 #3-2 attempt fails after 50ms: Unavailable, transient
              450 #3-2 hint 970ms
              450 #3-2 retry in 970ms
             1420 #3-3 attempt starts
             1430 #3-3 attempt succeeds after 10ms
             1430 #3-3 call succeeds: 3 attempts, slept 970ms, took 1.13s
        ",
        spans: "
            + #1 search, (own)
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            + #1-2 in #1: http.request.resend_count=1 stormless.hedge=true
            #1-2 DEBUG attempt started
            ~ #1
            ~ #1-2
            ~ #1-2
            ~ #1-1
            ~ #1-2
            = #1-1: stormless.dropped=true
            #1-1 DEBUG attempt dropped
            - #1-1
            #1-2 DEBUG attempt succeeded
            - #1-2
            = #1: stormless.attempts=2
            #1 DEBUG call succeeded: stormless.attempts=2 stormless.slept_ms=0
            - #1
            + #2 search, (own)
            + #2-1 in #2
            #2-1 DEBUG attempt started
            ~ #2-1
            ~ #2-1
            + #2-2 in #2: http.request.resend_count=1 stormless.hedge=true
            #2-2 DEBUG attempt started
            ~ #2
            ~ #2-2
            ~ #2-2
            ~ #2-1
            = #2-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #2-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #2-1
            ~ #2-2
            ~ #2-2
            #2-2 DEBUG attempt succeeded
            - #2-2
            = #2: stormless.attempts=2
            #2 DEBUG call succeeded: stormless.attempts=2 stormless.slept_ms=0
            - #2
            + #3 search, (own)
            + #3-1 in #3
            #3-1 DEBUG attempt started
            ~ #3-1
            ~ #3-1
            + #3-2 in #3: http.request.resend_count=1 stormless.hedge=true
            #3-2 DEBUG attempt started
            ~ #3
            ~ #3-2
            ~ #3-2
            ~ #3-1
            = #3-1: error.type=Busy otel.status_code=ERROR stormless.kind=throttled
            #3-1 DEBUG attempt failed: error.type=Busy stormless.kind=throttled
            - #3-1
            ~ #3-2
            ~ #3-2
            = #3-2: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #3-2 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #3-2
            #3 DEBUG hint used: stormless.asked_ms=970
            #3 DEBUG retry scheduled: stormless.delay_ms=970
            + #3-3 in #3: http.request.resend_count=2 stormless.delay_ms=970
            #3-3 DEBUG attempt started
            ~ #3-3
            ~ #3-3
            #3-3 DEBUG attempt succeeded
            - #3-3
            = #3: stormless.attempts=3
            #3 DEBUG call succeeded: stormless.attempts=3 stormless.slept_ms=970
            - #3
        ",
        metrics: "
            attempt_duration_seconds search [0.15, 0.05, 0.12, 0.05, 0.12, 0.05, 0.01]
            attempt_failures_total search throttled Busy +1
            attempt_failures_total search transient Unavailable +2
            attempts_total search +7
            budget_level (own) search: 10 -> 6.3
            call_attempts search [2.0, 2.0, 3.0]
            calls_total search success_after_retry +3
            retry_delay_seconds search [0.97]
        ",
    }
    .is_told_of(scenario)
    .await;
}
