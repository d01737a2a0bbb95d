//! A call inside another one's attempt leaves retries to it, and may be let down.

use observed::Scenario;
use stormless::{Budget, budget, retry};

use crate::script::{OK, Outcome, P, Script, T, ms};

budget! { static STOCK: Budget = Budget::new("stock").burst(10).ratio(0.1); }

#[retry(backoff = "fixed", base = "1s", attempts = 3, budget = STOCK, name = "stock")]
async fn stock(script: &Script) -> Outcome {
    script.body().await
}

/// Whatever fails inside is made `otherwise` of.
#[retry(backoff = "fixed", base = "100ms", attempts = 2, name = "checkout")]
async fn checkout(script: &Script, otherwise: Outcome) -> Outcome {
    stock(script).await.or(otherwise.clone())
}

#[tokio::test(start_paused = true)]
async fn the_call_around_retries_and_pays_for_both_or_loses_the_failure() {
    let scenario = async {
        assert_eq!(checkout(&Script::new([T, OK]).taking(ms(20)), T).await, OK);
        assert_eq!(checkout(&Script::new([T]).taking(ms(20)), P).await, P);
    };
    Scenario {
        calls: 5,
        events: r#"
                0 #1-0 call of checkout, budget (own)
                0 #1-1 attempt starts
                0 #2-0 call of stock, budget stock
                0 #2-1 attempt starts
               20 #2-1 attempt fails after 20ms: Unavailable, transient
               20 #2-1 left to the call around
               20 #2-1 call stops: nested at Unavailable, transient; 1 attempts, slept 0ns, took 20ms
               20 #1-1 attempt fails after 20ms: Unavailable, transient
               20 #1-1 retry in 100ms
              120 #1-2 attempt starts
              120 #3-0 call of stock, budget stock
              120 #3-1 attempt starts
              140 #3-1 attempt succeeds after 20ms
              140 #3-1 call succeeds: 1 attempts, slept 0ns, took 20ms
              140 #1-2 attempt succeeds after 20ms
              140 #1-2 call succeeds: 2 attempts, slept 100ms, took 140ms
              140 #4-0 call of checkout, budget (own)
              140 #4-1 attempt starts
              140 #5-0 call of stock, budget stock
              140 #5-1 attempt starts
              160 #5-1 attempt fails after 20ms: Unavailable, transient
              160 #5-1 left to the call around
              160 #5-1 call stops: nested at Unavailable, transient; 1 attempts, slept 0ns, took 20ms
              160 #4-1 attempt fails after 20ms: Refused, permanent
              160 all lost to nesting: 1 of stock in checkout
              160 all warned: a failure of `stock` was retried neither by it nor by `checkout` around it: annotate one of the two, or give `stock` `nested = "independent"`
              160 #4-1 call stops: permanent at Refused, permanent; 1 attempts, slept 0ns, took 20ms
        "#,
        spans: r#"
            + #1 checkout, (own)
            + #1-1 in #1
            #1-1 DEBUG attempt started
            > #1-1
            + #2 in #1-1 stock, stock
            + #2-1 in #2
            #2-1 DEBUG attempt started
            ~ #2-1
            < #1-1
            > #1-1
            ~ #2-1
            = #2-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #2-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #2-1
            #2 DEBUG retry left to the call around
            = #2: error.type=Unavailable otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=nested
            #2 DEBUG call stopped: stormless.attempts=1 stormless.reason=nested stormless.slept_ms=0
            - #2
            < #1-1
            = #1-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #1-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #1-1
            #1 DEBUG retry scheduled: stormless.delay_ms=100
            + #1-2 in #1: http.request.resend_count=1 stormless.delay_ms=100
            #1-2 DEBUG attempt started
            > #1-2
            + #3 in #1-2 stock, stock
            + #3-1 in #3
            #3-1 DEBUG attempt started
            ~ #3-1
            < #1-2
            > #1-2
            ~ #3-1
            #3-1 DEBUG attempt succeeded
            - #3-1
            = #3: stormless.attempts=1
            #3 DEBUG call succeeded: stormless.attempts=1 stormless.slept_ms=0
            - #3
            < #1-2
            #1-2 DEBUG attempt succeeded
            - #1-2
            = #1: stormless.attempts=2
            #1 DEBUG call succeeded: stormless.attempts=2 stormless.slept_ms=100
            - #1
            + #4 checkout, (own)
            + #4-1 in #4
            #4-1 DEBUG attempt started
            > #4-1
            + #5 in #4-1 stock, stock
            + #5-1 in #5
            #5-1 DEBUG attempt started
            ~ #5-1
            < #4-1
            > #4-1
            ~ #5-1
            = #5-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #5-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #5-1
            #5 DEBUG retry left to the call around
            = #5: error.type=Unavailable otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=nested
            #5 DEBUG call stopped: stormless.attempts=1 stormless.reason=nested stormless.slept_ms=0
            - #5
            < #4-1
            = #4-1: error.type=Refused otel.status_code=ERROR stormless.kind=permanent
            #4-1 DEBUG attempt failed: error.type=Refused stormless.kind=permanent
            - #4-1
            all DEBUG failures lost to nesting: stormless.failures=1 stormless.outer=checkout stormless.site=stock
            all WARN a failure of `stock` was retried neither by it nor by `checkout` around it: annotate one of the two, or give `stock` `nested = "independent"`
            #4 WARN call gave up: error.type=Refused stormless.attempts=1 stormless.budget=(own) stormless.kind=permanent stormless.reason=permanent stormless.retry_id=#4-1 stormless.site=checkout stormless.slept_ms=0 suppressed=0
            = #4: error.type=Refused otel.status_code=ERROR stormless.attempts=1 stormless.kind=permanent stormless.reason=permanent
            - #4
        "#,
        metrics: "
            attempt_duration_seconds checkout [0.02, 0.02, 0.02]
            attempt_duration_seconds stock [0.02, 0.02, 0.02]
            attempt_failures_total checkout permanent Refused +1
            attempt_failures_total checkout transient Unavailable +1
            attempt_failures_total stock transient Unavailable +2
            attempts_total checkout +3
            attempts_total stock +3
            budget_level (own) checkout: 10 -> 9.1
            budget_level stock: 10 -> 9
            call_attempts checkout [2.0, 1.0]
            call_attempts stock [1.0, 1.0, 1.0]
            calls_total checkout failure +1
            calls_total checkout success_after_retry +1
            calls_total stock failure +2
            calls_total stock success +1
            retries_refused_total checkout (own) checkout permanent +1
            retries_refused_total stock stock nested +2
            retry_delay_seconds checkout [0.1]
        ",
    }
    .is_told_of(scenario)
    .await;
}
