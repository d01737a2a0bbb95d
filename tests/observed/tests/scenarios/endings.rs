//! Calls that are dropped, panic, or are told from outside not to retry.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

use observed::Scenario;
use stormless::{
    control::{self, Override, Target},
    retry,
};
use tokio::time::timeout;

use crate::script::{OK, Outcome, Script, T, TM, ms};

#[retry(backoff = "fixed", base = "100ms", attempts = 3, name = "notify")]
async fn notify(script: &Script) -> Outcome {
    script.body().await
}

#[retry(backoff = "fixed", base = "100ms", budget = none, name = "panicking")]
async fn panicking(script: &Script) -> Outcome {
    script.body().await?;
    // As a panic does, without its message.
    std::panic::resume_unwind(Box::new(()))
}

/// Runs a future to its panic.
async fn panics<F: Future>(future: F) -> bool {
    let mut future = pin!(future);
    poll_fn(|task| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
        Ok(poll) => poll.map(|_| false),
        Err(_) => Poll::Ready(true),
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn dropped_and_panicked_calls() {
    let scenario = async {
        let dropped = timeout(ms(30), notify(&Script::hanging())).await;
        assert!(dropped.is_err(), "during its first attempt");
        let dropped = timeout(ms(70), notify(&Script::always(T).taking(ms(20)))).await;
        assert!(dropped.is_err(), "during the wait before its second");
        assert!(panics(panicking(&Script::new([T, OK]).taking(ms(20)))).await);
    };
    Scenario {
        calls: 3,
        events: "
                0 #1-0 call of notify, budget (own)
                0 #1-1 attempt starts
               30 #1-1 attempt dropped after 30ms
               30 #1-1 call stops: cancelled at nothing; 1 attempts, slept 0ns, took 30ms
               30 #2-0 call of notify, budget (own)
               30 #2-1 attempt starts
               50 #2-1 attempt fails after 20ms: Unavailable, transient
               50 #2-1 retry in 100ms
              100 #2-1 call stops: cancelled at nothing; 1 attempts, slept 0ns, took 70ms
              100 #3-0 call of panicking, budget none
              100 #3-1 attempt starts
              120 #3-1 attempt fails after 20ms: Unavailable, transient
              120 #3-1 retry in 100ms
              220 #3-2 attempt starts
              240 #3-2 attempt dropped after 20ms
              240 #3-2 call panics: 2 attempts, took 140ms
        ",
        spans: "
            + #1 notify, (own)
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            = #1-1: stormless.dropped=true
            #1-1 DEBUG attempt dropped
            - #1-1
            = #1: stormless.attempts=1 stormless.reason=cancelled
            #1 DEBUG call stopped: stormless.attempts=1 stormless.reason=cancelled stormless.slept_ms=0
            - #1
            + #2 notify, (own)
            + #2-1 in #2
            #2-1 DEBUG attempt started
            ~ #2-1
            ~ #2-1
            = #2-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #2-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #2-1
            #2 DEBUG retry scheduled: stormless.delay_ms=100
            = #2: stormless.attempts=1 stormless.reason=cancelled
            #2 DEBUG call stopped: stormless.attempts=1 stormless.reason=cancelled stormless.slept_ms=0
            - #2
            + #3 panicking, none
            + #3-1 in #3
            #3-1 DEBUG attempt started
            ~ #3-1
            ~ #3-1
            = #3-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #3-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #3-1
            #3 DEBUG retry scheduled: stormless.delay_ms=100
            + #3-2 in #3: http.request.resend_count=1 stormless.delay_ms=100
            #3-2 DEBUG attempt started
            ~ #3-2
            ~ #3-2
            = #3-2: stormless.dropped=true
            #3-2 DEBUG attempt dropped
            - #3-2
            = #3: error.type=panicked otel.status_code=ERROR stormless.attempts=2
            #3 DEBUG call panicked: stormless.attempts=2
            - #3
        ",
        metrics: "
            attempt_duration_seconds notify [0.03, 0.02]
            attempt_duration_seconds panicking [0.02, 0.02]
            attempt_failures_total notify transient Unavailable +1
            attempt_failures_total panicking transient Unavailable +1
            attempts_total notify +2
            attempts_total panicking +2
            call_attempts notify [1.0, 1.0]
            call_attempts panicking [2.0]
            calls_total notify failure +2
            calls_total panicking failure_after_retry +1
            retries_refused_total notify (own) notify cancelled +2
            retries_refused_total panicking none panicked +1
            retry_delay_seconds notify [0.1]
            retry_delay_seconds panicking [0.1]
        ",
    }
    .is_told_of(scenario)
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_switch_an_override_and_a_warning() {
    let scenario = async {
        control::all().because("INC-7").off();
        assert_eq!(notify(&Script::new([T]).taking(ms(20))).await, T);
        control::all().on();
        let site = Override::new(Target::Site("notify".to_owned()));
        control::set(site.set("stop", ["Unavailable"]).unwrap()).unwrap();
        assert_eq!(notify(&Script::new([T]).taking(ms(20))).await, T);
        for _ in 0..2 {
            assert_eq!(notify(&Script::new([TM]).taking(ms(20))).await, TM, "warned of once");
        }
        control::site("notify").unwrap().off();
    };
    Scenario {
        calls: 4,
        events: r#"
                0 all overrides: the layer `code` overrides all sites: `retries = "off"` (INC-7)
                0 #1-0 call of notify, budget (own)
                0 #1-1 attempt starts
               20 #1-1 attempt fails after 20ms: Unavailable, transient
               20 #1-1 call stops: disabled at Unavailable, transient; 1 attempts, slept 0ns, took 20ms
               20 all overrides: the layer `code` says nothing about all sites any more
               20 all overrides: the layer `code` overrides site `notify`: `stop = ["Unavailable"]`
               20 #2-0 call of notify, budget (own)
               20 #2-1 attempt starts
               40 #2-1 attempt fails after 20ms: Unavailable, transient
               40 #2-1 call stops: disabled at Unavailable, transient; 1 attempts, slept 0ns, took 20ms
               40 #3-0 call of notify, budget (own)
               40 #3-1 attempt starts
               60 #3-1 attempt fails after 20ms: Lost, transient MaybeExecuted
               60 all warned: `notify` stopped at a failure that may have been carried out: add `idempotent` if a repeat is harmless
               60 #3-1 call stops: maybe_executed at Lost, transient MaybeExecuted; 1 attempts, slept 0ns, took 20ms
               60 #4-0 call of notify, budget (own)
               60 #4-1 attempt starts
               80 #4-1 attempt fails after 20ms: Lost, transient MaybeExecuted
               80 #4-1 call stops: maybe_executed at Lost, transient MaybeExecuted; 1 attempts, slept 0ns, took 20ms
               80 all overrides: the layer `code` overrides site `notify`: `retries = "off"`
        "#,
        spans: r#"
            all INFO the layer `code` overrides all sites: `retries = "off"` (INC-7)
            + #1 notify, (own)
            + #1-1 in #1
            #1-1 DEBUG attempt started
            ~ #1-1
            ~ #1-1
            = #1-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #1-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #1-1
            #1 WARN call gave up: error.type=Unavailable stormless.attempts=1 stormless.budget=(own) stormless.kind=transient stormless.reason=disabled stormless.retry_id=#1-1 stormless.site=notify stormless.slept_ms=0 suppressed=0
            = #1: error.type=Unavailable otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=disabled
            - #1
            all INFO the layer `code` says nothing about all sites any more
            all INFO the layer `code` overrides site `notify`: `stop = ["Unavailable"]`
            + #2 notify, (own)
            + #2-1 in #2
            #2-1 DEBUG attempt started
            ~ #2-1
            ~ #2-1
            = #2-1: error.type=Unavailable otel.status_code=ERROR stormless.kind=transient
            #2-1 DEBUG attempt failed: error.type=Unavailable stormless.kind=transient
            - #2-1
            = #2: error.type=Unavailable otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=disabled
            #2 DEBUG call stopped: stormless.attempts=1 stormless.reason=disabled stormless.slept_ms=0
            - #2
            + #3 notify, (own)
            + #3-1 in #3
            #3-1 DEBUG attempt started
            ~ #3-1
            ~ #3-1
            = #3-1: error.type=Lost otel.status_code=ERROR stormless.kind=transient
            #3-1 DEBUG attempt failed: error.type=Lost stormless.kind=transient
            - #3-1
            all WARN `notify` stopped at a failure that may have been carried out: add `idempotent` if a repeat is harmless
            #3 WARN call gave up: error.type=Lost stormless.attempts=1 stormless.budget=(own) stormless.kind=transient stormless.reason=maybe_executed stormless.retry_id=#3-1 stormless.site=notify stormless.slept_ms=0 suppressed=0
            = #3: error.type=Lost otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=maybe_executed
            - #3
            + #4 notify, (own)
            + #4-1 in #4
            #4-1 DEBUG attempt started
            ~ #4-1
            ~ #4-1
            = #4-1: error.type=Lost otel.status_code=ERROR stormless.kind=transient
            #4-1 DEBUG attempt failed: error.type=Lost stormless.kind=transient
            - #4-1
            = #4: error.type=Lost otel.status_code=ERROR stormless.attempts=1 stormless.kind=transient stormless.reason=maybe_executed
            #4 DEBUG call stopped: stormless.attempts=1 stormless.reason=maybe_executed stormless.slept_ms=0
            - #4
            all INFO the layer `code` overrides site `notify`: `retries = "off"`
        "#,
        metrics: "
            attempt_duration_seconds notify [0.02, 0.02, 0.02, 0.02]
            attempt_failures_total notify transient Lost +2
            attempt_failures_total notify transient Unavailable +2
            attempts_total notify +4
            call_attempts notify [1.0, 1.0, 1.0, 1.0]
            calls_total notify failure +4
            overrides code: 0 -> 2
            retries_off site notify: 0 -> 1
            retries_refused_total notify (own) notify disabled +2
            retries_refused_total notify (own) notify maybe_executed +2
        ",
    }
    .is_told_of(scenario)
    .await;
}
