//! Retries switched off: one body, its result passed through, and nothing taken.

#[path = "support/script.rs"]
mod script;

use std::future::Future;

use script::{OK, Outcome, Script, T, assert_balance, bucket, observed, row, secs, t};
use stormless::{
    Budget, StopReason, budget,
    control::{self, Switch},
    retry,
    testing::isolated,
};

budget! {
    static SWITCHED: Budget = Budget::new("switches-orders").burst(10).ratio(0.1);
}

const SITE: &str = "switches::call";

#[retry(attempts = 3, backoff = "fixed", base = "10s", budget = SWITCHED)]
async fn call(script: &Script) -> Outcome {
    script.body().await
}

/// What can be switched off from afar, and the way back on.
fn switches() -> [Switch; 3] {
    [
        control::all(),
        control::budget("switches-orders").unwrap(),
        control::site("switches::call").unwrap(),
    ]
}

/// Takes one retry from the full bucket and earns for the success, so that a deposit would show.
async fn spend_one() {
    assert_eq!(call(&Script::new([T, OK])).await, OK);
    assert_balance("switches-orders", 9.1);
}

async fn off_means_one_body<F: Future<Output = ()>>(off: F) {
    spend_one().await;
    off.await;
    assert_eq!(row(SITE).stops(StopReason::Disabled), 1);
    assert_eq!(bucket("switches-orders").stats().withdrawn, 1);
    assert_balance("switches-orders", 9.2);
}

async fn success_and_failure() {
    let script = Script::new([OK]);
    assert_eq!(call(&script).await, OK);
    assert_eq!(script.bodies(), 1);
    let script = Script::new([t(7)]);
    let (result, report) = observed(call(&script)).await;
    assert_eq!(result, t(7), "the error comes back unchanged");
    assert_eq!((script.bodies(), script.elapsed()), (1, secs(0)));
    assert_eq!(report.reason(), Some(StopReason::Disabled));
    assert_eq!(report.delays().count(), 0);
}

// R007
#[tokio::test(start_paused = true)]
async fn switched_off_means_one_body_and_no_payment_though_successes_earn() {
    for which in 0..3 {
        isolated(off_means_one_body(async {
            let switch = &switches()[which];
            switch.off();
            assert!(switch.is_off());
            success_and_failure().await;
        }))
        .await;
    }
}

// R007
#[tokio::test(start_paused = true)]
async fn a_scope_without_retries_runs_one_body_and_ends_with_the_scope() {
    isolated(async {
        off_means_one_body(control::without_retries(success_and_failure())).await;
        let script = Script::new([T, OK]);
        assert_eq!(call(&script).await, OK, "outside of the scope retries go on");
    })
    .await;
}

// R007
#[tokio::test(start_paused = true)]
async fn a_switch_thrown_during_a_sleep_lets_the_paid_body_run_at_its_time() {
    for which in 0..3 {
        isolated(async {
            let script = Script::new([t(1), t(2), OK]);
            let (observed, ()) = tokio::join!(observed(call(&script)), async {
                tokio::time::sleep(secs(4)).await;
                switches()[which].off();
            });
            let (result, report) = observed;
            assert_eq!(result, t(2));
            assert_eq!(script.starts(), [secs(0), secs(10)], "not woken by the switch");
            assert_eq!(script.elapsed(), secs(10), "and no second sleep");
            assert_eq!((report.attempts(), report.reason()), (2, Some(StopReason::Disabled)));
            let stats = bucket("switches-orders").stats();
            assert_eq!((stats.withdrawn, stats.given_back), (1, 0));
            assert_balance("switches-orders", 9.0);
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_switched_off_retries_again_once_it_is_on() {
    for which in 0..3 {
        isolated(async {
            switches()[which].off();
            assert_eq!(call(&Script::new([T])).await, T);
            switches()[which].on();
            assert_eq!(call(&Script::new([T, OK])).await, OK);
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_switch_is_for_what_it_names_alone() {
    #[retry(attempts = 2, budget = none)]
    async fn other(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let [_, budget, site] = switches();
        budget.off();
        site.off();
        assert_eq!(other(&Script::new([T, OK])).await, OK);
        assert!(control::site("switches::cal").is_err(), "a misspelt name switches nothing");
    })
    .await;
}
