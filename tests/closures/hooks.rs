//! What a closure's call may be told and asked: `adjust`, `on_retry`, `fallback`.

use std::{
    future::{IntoFuture, Ready, ready},
    sync::Mutex,
    time::Duration,
};

use crate::bomb;
use crate::script::{
    Failure, OK, Outcome, P, Script, T, assert_balance, bucket, delays, ms, observed, ra, row,
    secs, t,
};
use stormless::{
    Backoff, Breaker, Budget, Classification, Policy, RetryError, StopReason, breaker, budget,
    control, current, deadline,
    run::{Operation, Turn},
    testing::isolated,
    warnings,
};

budget! {
    static HOOKS: Budget = Budget::new("hooks").burst(10).ratio(0.1);
}

breaker! {
    static GUARD: Breaker = Breaker::new("hooks").consecutive(2);
}

const POLICY: Policy = Policy::new().attempts(4).base(ms(10)).max(ms(20)).backoff(Backoff::Fixed);

#[tokio::test(start_paused = true)]
async fn a_delay_becomes_what_adjust_says_whatever_the_policy_says() {
    isolated(async {
        let script = Script::new([T, t(1), t(2), OK]);
        let asked = Mutex::new(Vec::new());
        let (result, call) = observed(async {
            POLICY
                .run(async || script.body().await)
                .named("hooks.adjusted")
                .adjust(|error: &Failure, delay| {
                    asked.lock().unwrap().push((error.clone(), delay));
                    match error {
                        Failure::Unavailable(0) => Some(secs(3)),
                        Failure::Unavailable(1) => Some(Duration::ZERO),
                        _ => Some(delay + Duration::from_micros(1)),
                    }
                })
                .await
        })
        .await;
        assert_eq!(result, OK);
        let unavailable = |number| (Failure::Unavailable(number), ms(10));
        assert_eq!(*asked.lock().unwrap(), [unavailable(0), unavailable(1), unavailable(2)]);
        // Above `max`, none at all, and rounded up to what the timer can tell.
        assert_eq!(script.gaps(), [secs(3), Duration::ZERO, ms(11)]);
        assert_eq!((delays(&call), call.slept()), (script.gaps(), ms(3_011)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn adjust_ends_a_call_that_would_be_retried_and_nothing_is_paid() {
    isolated(async {
        let script = Script::new([T, t(1)]);
        let (result, call) = observed(async {
            let call = POLICY.run(async || script.body().await).named("hooks.declined");
            call.budget(&HOOKS)
                .explain()
                .adjust(|error, delay| (*error == Failure::Unavailable(0)).then_some(delay))
                .await
        })
        .await;
        let error: RetryError<Failure> = result.unwrap_err();
        assert_eq!((error.reason(), error.attempts()), (StopReason::Declined, 2));
        assert_eq!(error.get_ref(), Some(&Failure::Unavailable(1)));
        assert_eq!(
            error.to_string(),
            "unavailable, number 1 (after 2 attempts: `adjust` asked for no retry)"
        );
        assert_eq!(call.reason(), Some(StopReason::Declined));
        assert_eq!(row("hooks.declined").stops(StopReason::Declined), 1);
        assert_eq!((bucket("hooks").stats().withdrawn, bucket("hooks").stats().refused), (1, 0));
        assert!(stormless::sites().to_string().contains("1 declined"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn adjust_is_not_asked_where_no_retry_would_follow_anyway() {
    isolated(async {
        let never = |_: &Failure, _: Duration| -> Option<Duration> { panic!("nobody asks") };
        for (policy, outcome, reason) in [
            (POLICY, P, StopReason::Permanent),
            (POLICY, crate::script::TM, StopReason::MaybeExecuted),
            (POLICY.attempts(1), T, StopReason::AttemptsExhausted),
            (POLICY, ra(secs(60)), StopReason::RetryAfterTooLong),
        ] {
            let script = Script::new([outcome]);
            let call =
                policy.run(async || script.body().await).named("hooks.unasked").adjust(never);
            assert_eq!(observed(call.into_future()).await.1.reason(), Some(reason));
        }
        let script = Script::new([T]);
        let call = POLICY.run(async || script.body().await).named("hooks.unasked").adjust(never);
        assert_eq!(control::without_retries(call.into_future()).await, T);
        assert_eq!(row("hooks.unasked").hook_panics(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_adjust_says_obeys_the_deadline_the_breaker_and_the_budget() {
    isolated(async {
        let script = Script::new([T]);
        let late = POLICY
            .run(async || script.body().await)
            .budget(&HOOKS)
            .deadline(secs(1))
            .adjust(|_, _| Some(secs(1)));
        let (_, call) = observed(late.into_future()).await;
        assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));

        let script = Script::new([T, T]);
        let guarded = POLICY.run(async || script.body().await).budget(&HOOKS).breaker(&GUARD);
        let (_, call) = observed(guarded.adjust(|_, _| Some(ms(1))).into_future()).await;
        assert_eq!(call.reason(), Some(StopReason::BreakerOpen));
        assert_balance("hooks", 9.0);

        let script = Script::always(T);
        let poor = POLICY.attempts(99).run(async || script.body().await).budget(&HOOKS);
        let (_, call) = observed(poor.adjust(|_, _| Some(ms(1))).into_future()).await;
        assert_eq!((call.reason(), script.bodies()), (Some(StopReason::BudgetExhausted), 10));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_server_is_never_asked_earlier_than_it_said_whatever_adjust_says() {
    isolated(async {
        let script = Script::new([ra(ms(1_500)), ra(ms(1_500)), OK]);
        let mut answers = [Duration::ZERO, secs(2)].into_iter();
        let call = POLICY.max_retry_after(secs(5)).run(async || script.body().await);
        assert_eq!(call.adjust(|_, _| answers.next()).await, OK);
        assert_eq!(script.gaps(), [ms(1_500), secs(2)]);
    })
    .await;
}

// R123
#[tokio::test(start_paused = true)]
async fn hooks_that_panic_are_counted_and_change_nothing() {
    isolated(async {
        let script = Script::new([T, OK]);
        let call = POLICY
            .run(async || script.body().await)
            .named("hooks.panic")
            .adjust(|_, _| bomb::explode())
            .on_retry(|_| bomb::explode());
        assert_eq!(call.await, OK);
        assert_eq!((script.gaps(), row("hooks.panic").hook_panics()), (vec![ms(10)], 2));
        let warned: Vec<String> = warnings().iter().map(ToString::to_string).collect();
        assert!(warned.iter().any(|text| text.contains("`adjust`")), "{warned:?}");
        assert!(warned.iter().any(|text| text.contains("`on_retry`")), "{warned:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn on_retry_is_told_of_the_delay_that_will_be_slept() {
    isolated(async {
        let script = Script::new([T, t(1), OK]);
        let mut told = Vec::new();
        let call = POLICY
            .run(async || script.body().await)
            .named("hooks.told")
            .adjust(|_, delay| Some(delay * 2))
            .on_retry(|event| {
                told.push((event.site(), event.attempt(), event.delay(), event.error().cloned()));
            });
        assert_eq!(call.await, OK);
        let event =
            |attempt, error| ("hooks.told", attempt, ms(20), Some(Failure::Unavailable(error)));
        assert_eq!(told, [event(1, 0), event(2, 1)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn adjust_is_asked_about_an_attempt_that_was_cut_where_the_error_says_so() {
    isolated(async {
        let script = Script::<Failure>::hanging();
        let mut asked = Vec::new();
        let call = POLICY.idempotent().attempts(2).run(async || script.body().await);
        let call = call.attempt_timeout(ms(100)).adjust(|error, delay| {
            asked.push(error.clone());
            Some(delay)
        });
        assert_eq!(call.await, Err(Failure::TimedOut));
        assert_eq!(asked, [Failure::TimedOut]);

        let script = Script::<Failure>::hanging();
        let explained = POLICY.idempotent().attempts(2).run(async || script.body().await).explain();
        let call = explained.attempt_timeout(ms(100)).adjust(|_, _| panic!("there is no error"));
        let error = call.await.unwrap_err();
        assert_eq!((error.reason(), error.attempts()), (StopReason::AttemptsExhausted, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_fallback_stands_in_where_the_call_gives_up_and_the_call_has_failed_all_the_same() {
    isolated(async {
        let script = Script::new([T, P]);
        let (value, call) = observed(async {
            POLICY
                .run(async || script.body().await.map(|()| 7))
                .named("hooks.fallback")
                .fallback(|error| if error == Failure::Refused(0) { 8 } else { 9 })
                .await
        })
        .await;
        assert_eq!(value, 8);
        assert_eq!(
            (call.outcome(), call.reason()),
            (stormless::Outcome::Failed, Some(StopReason::Permanent))
        );
        assert_eq!((row("hooks.fallback").recovered(), row("hooks.fallback").failures()), (0, 2));

        let script = Script::new([T, OK]);
        let call = POLICY.run(async || script.body().await.map(|()| 7));
        assert_eq!(call.fallback(|_| panic!("it succeeded")).await, 7);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_fallback_that_waits_runs_outside_of_the_call() {
    isolated(async {
        let script = Script::<Failure>::hanging();
        let call = POLICY.run(async || script.body().await.map(|()| secs(1))).deadline(ms(50));
        let fallback = call.fallback_with(async |error| {
            assert_eq!(error, Failure::Late);
            assert!(current().is_none() && deadline::remaining().is_none());
            tokio::time::sleep(secs(2)).await;
            script.elapsed()
        });
        assert_eq!(fallback.await, ms(2_050));

        let blocking = POLICY.run_blocking(|| Err::<u32, _>(Failure::Refused(3)));
        assert_eq!(blocking.explain().fallback(|error| error.attempts()).call(), 1);
    })
    .await;
}

/// Something that can be done so often, and then no more.
struct Stock {
    left: u32,
    turns: Vec<Turn>,
}

impl Operation for &mut Stock {
    type Output = Outcome;
    type Body = Ready<Outcome>;

    fn start(&mut self, turn: Turn) -> Ready<Outcome> {
        self.left -= 1;
        self.turns.push(turn);
        ready(T)
    }

    fn is_repeatable(&self) -> bool {
        self.left > 0
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_done_again_is_not_and_says_so() {
    isolated(async {
        let mut stock = Stock { left: 2, turns: Vec::new() };
        let call = POLICY.run(&mut stock).budget(&HOOKS).named("hooks.unrepeatable");
        let (result, call) = observed(call.into_future()).await;
        assert_eq!((result, call.reason()), (T, Some(StopReason::Unrepeatable)));
        assert_eq!((row("hooks.unrepeatable").retries(), stock.turns.len()), (1, 2));
        assert_balance("hooks", 9.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_operation_knows_its_last_turn() {
    isolated(async {
        let turns = async |policy: Policy| {
            let mut stock = Stock { left: 9, turns: Vec::new() };
            let _ = policy.run(&mut stock).await;
            stock.turns.iter().map(|turn| (turn.number(), turn.is_last())).collect::<Vec<_>>()
        };
        assert_eq!(turns(POLICY.attempts(2)).await, [(1, false), (2, true)]);
        assert_eq!(turns(POLICY.attempts(1)).await, [(1, true)]);
        assert_eq!(turns(POLICY.factor(0.1)).await, [(1, true)]);
        // Inside another call's attempt, which does the retrying.
        let outer =
            POLICY.attempts(1).run(async || Ok::<_, Failure>(turns(POLICY.attempts(2)).await));
        assert_eq!(
            outer.await.unwrap(),
            [(1, false), (2, true)],
            "one that never repeats leaves it to those inside"
        );
        let outer = POLICY.run(async || Ok::<_, Failure>(turns(POLICY.attempts(2)).await));
        assert_eq!(outer.await.unwrap(), [(1, true)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn classify_may_be_said_before_or_after_classify_result() {
    isolated(async {
        let class = |_: &Failure| Classification::transient();
        let whole = |result: &Outcome| {
            matches!(result, Err(Failure::Refused(1))).then(Classification::permanent)
        };
        let script = Script::new([P, crate::script::p(1)]);
        let call = POLICY.run(async || script.body().await).classify(class).classify_result(whole);
        assert_eq!(call.await, crate::script::p(1));
        let script = Script::new([P, crate::script::p(1)]);
        let call = POLICY.run(async || script.body().await).classify_result(whole).classify(class);
        assert_eq!(call.await, crate::script::p(1));
    })
    .await;
}
