//! Closures whose slow attempts have others beside them, and whose delays go by the load.

use std::future::{Future, IntoFuture};

use crate::plan::Plan;
use crate::script::{
    FOREVER, Failure, OK, P, Script, T, assert_balance, bucket, ms, observed, row, secs, t,
};
use stormless::{
    Backoff, Breaker, Budget, Policy, Quantile, StopReason, adaptive::Adaptive, breaker, breakers,
    budget, report, testing::isolated, warnings,
};

budget! {
    static HEDGES: Budget = Budget::new("closure-hedges").burst(10);
}

breaker! {
    static GUARD: Breaker = Breaker::new("closure-hedges").consecutive(3);
}

const POLICY: Policy =
    Policy::new().attempts(4).base(ms(10)).max(ms(10)).backoff(Backoff::Fixed).idempotent();

#[tokio::test(start_paused = true)]
async fn a_slow_attempt_has_another_one_beside_it_and_the_first_answer_wins() {
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (ms(5), OK)]);
        let (result, call) = observed(async {
            let call = POLICY.run(async || plan.body().await).named("hedged").budget(&HEDGES);
            call.hedge(ms(100)).await
        })
        .await;
        assert_eq!((result, call.attempts()), (OK, 2));
        let runs = plan.runs();
        let seen: Vec<_> = runs.iter().map(|run| (run.number, run.start, run.finished)).collect();
        assert_eq!(seen, [(1, ms(0), false), (2, ms(100), true)]);
        assert_eq!(runs[0].gone, Some(ms(105)));
        assert_eq!((row("hedged").hedges(), row("hedged").retries()), (1, 1));
        assert_balance("closure-hedges", 9.1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_fast_attempt_has_none() {
    isolated(async {
        let plan = Plan::new([(ms(99), OK)]);
        let call = POLICY.run(async || plan.body().await).budget(&HEDGES).hedge(ms(100));
        assert_eq!((call.await, plan.runs().len()), (OK, 1));
        assert_balance("closure-hedges", 10.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn as_many_start_as_are_allowed_and_each_call_says_how_many_and_when() {
    isolated(async {
        for (after, max, starts) in
            [(ms(10), 3, vec![0, 10, 20, 30]), (ms(20), 2, vec![0, 20, 40]), (ms(20), 0, vec![0])]
        {
            let plan = Plan::new(vec![(ms(200), OK); 4]);
            let call = POLICY.run(async || plan.body().await).named("hedged.max").no_budget();
            assert_eq!(call.hedge(after).hedge_max(max).await, OK);
            let seen: Vec<_> = plan.runs().iter().map(|run| run.start.as_millis()).collect();
            assert_eq!(seen, starts, "{after:?}, {max}");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_round_that_failed_is_followed_by_another_with_hedges_of_its_own() {
    isolated(async {
        let plan = Plan::new([(ms(150), T), (ms(70), t(1)), (ms(200), T), (ms(1), OK)]);
        let mut told = Vec::new();
        let call = POLICY.run(async || plan.body().await).named("hedged.rounds").hedge(ms(100));
        let call =
            call.on_retry(|event| told.push((event.attempt(), event.is_hedge(), event.delay())));
        assert_eq!(call.await, OK);
        let seen: Vec<_> = plan.runs().iter().map(|run| (run.number, run.start)).collect();
        assert_eq!(seen, [(1, ms(0)), (2, ms(100)), (3, ms(180)), (4, ms(280))]);
        assert_eq!(told, [(1, true, ms(100)), (2, false, ms(10)), (3, true, ms(100))]);
        assert_eq!((row("hedged.rounds").hedges(), row("hedged.rounds").retries()), (2, 3));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_idempotent_does_not_hedge() {
    isolated(async {
        let plan = Plan::new([(ms(500), OK)]);
        let call = POLICY.idempotent_if(false).run(async || plan.body().await).hedge(ms(100));
        assert_eq!((call.await, plan.runs().len()), (OK, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn limits_gates_and_rules_hold_for_attempts_side_by_side() {
    isolated(async {
        // An attempt timeout for each, counted from its own start.
        let plan = Plan::new(vec![(FOREVER, OK); 4]);
        let call = POLICY.attempts(2).run(async || plan.body().await).named("hedged.timed");
        assert_eq!(call.hedge(ms(30)).attempt_timeout(ms(100)).await, Err(Failure::TimedOut));
        let gone: Vec<_> = plan.runs().iter().map(|run| (run.start, run.gone.unwrap())).collect();
        assert_eq!(gone, [(ms(0), ms(100)), (ms(30), ms(130))]);

        // The deadline of the call.
        let plan = Plan::new(vec![(FOREVER, OK); 4]);
        let call = POLICY.run(async || plan.body().await).deadline(ms(50)).hedge(ms(20));
        let (result, call) = observed(call.into_future()).await;
        assert_eq!(
            (result, call.reason()),
            (Err(Failure::Late), Some(StopReason::DeadlineExceeded))
        );

        // The breaker.
        breakers().get("closure-hedges").unwrap().breaker().open();
        let plan = Plan::new([]);
        let call = POLICY.run(async || plan.body().await).breaker(&GUARD).hedge(ms(20));
        assert_eq!(call.await, Err(Failure::Open));

        // What adjust says, in the wait between two rounds.
        let plan = Plan::new([(ms(1), T), (ms(1), P)]);
        let call = POLICY.run(async || plan.body().await).hedge(ms(20));
        assert_eq!(call.adjust(|_, _| Some(secs(1))).await, P);
        assert_eq!(plan.runs()[1].start, ms(1_001));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_goes_by_the_sites_own_latency_once_that_is_known() {
    isolated(async {
        let call = |takes| {
            let plan = Plan::new([(takes, OK), (ms(1), OK)]);
            async move {
                let call = POLICY.run(async || plan.body().await).named("hedged.usual");
                assert_eq!(call.hedge(Quantile::P95).await, OK);
                plan.runs().len()
            }
        };
        assert_eq!(call(secs(1)).await, 1, "nothing is known yet");
        for _ in 0..40 {
            assert_eq!(call(ms(10)).await, 1);
        }
        assert_eq!(call(secs(1)).await, 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_of_no_length_is_a_fault_and_the_call_runs_once() {
    isolated(async {
        let script = Script::<Failure>::new([T]);
        let call = POLICY.run(async || script.body().await).named("hedged.zero");
        assert_eq!(call.hedge(std::time::Duration::ZERO).await, T);
        let warned: Vec<String> = warnings().iter().map(ToString::to_string).collect();
        assert!(warned.iter().any(|text| text.contains("`hedge` is zero")), "{warned:?}");

        let script = Script::<Failure>::new([T]);
        let call = POLICY.run(async || script.body().await).named("timed.zero");
        assert_eq!(call.attempt_timeout(std::time::Duration::ZERO).await, T);
        assert_eq!(row("timed.zero").stops(StopReason::Disabled), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_side_by_side_ends_the_call_and_drops_all_of_it() {
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (ms(1), OK)]);
        let body = async || {
            let outcome = plan.body().await;
            panic!("on purpose after {outcome:?}")
        };
        let (caught, calls) = report(async {
            let call = POLICY.run(async || -> crate::script::Outcome { body().await });
            let call = call.named("hedged.panic").hedge(ms(10)).into_future();
            let mut call = std::pin::pin!(std::panic::AssertUnwindSafe(call));
            let caught = std::future::poll_fn(|task| {
                let poll = std::panic::AssertUnwindSafe(|| call.as_mut().poll(task));
                match std::panic::catch_unwind(poll) {
                    Ok(polled) => polled.map(Ok),
                    Err(panic) => std::task::Poll::Ready(Err(panic)),
                }
            })
            .await;
            assert!(plan.runs().iter().all(|run| run.gone.is_some()), "nothing is left in flight");
            caught
        })
        .await;
        assert!(caught.is_err());
        assert_eq!(calls[0].outcome(), stormless::Outcome::Panicked);
        assert_eq!(bucket("closure-hedges").stats().withdrawn, 0);
    })
    .await;
}

static PATIENT: Adaptive = Adaptive::new();

#[tokio::test(start_paused = true)]
async fn an_adaptive_policy_goes_by_the_closures_own_latency() {
    isolated(async {
        let policy = POLICY.backoff(Backoff::Adaptive(&PATIENT));
        for lending in [false, true] {
            let script = Script::new([T, t(1), OK]).taking(ms(30));
            let mut adapted = Vec::new();
            let hook = |event: &stormless::RetryEvent<'_, Failure>| {
                adapted.push(event.adaptive().is_some());
            };
            let result = if lending {
                let mut runs = 0;
                let call = policy.run_mut(async || {
                    runs += 1;
                    script.body().await
                });
                call.named("adaptive").on_retry(hook).call().await
            } else {
                policy.run(async || script.body().await).named("adaptive").on_retry(hook).await
            };
            assert_eq!((result, adapted), (OK, vec![true, true]));
        }
        assert_eq!(row("adaptive").recovered(), 2);
    })
    .await;
}
