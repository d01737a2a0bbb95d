//! Numbers at the end of their range are survived, and never become a hot loop.

use std::time::Duration;

use crate::script::{
    Bare, FOREVER, Failure, OK, Outcome, Script, T, delays, ms, observed, paused, ra, row, secs,
};
use stormless::{
    Backoff, Policy, StopReason, retry,
    testing::{Jitter, isolated, jitter, seed},
};

// R009
#[tokio::test(start_paused = true)]
async fn two_thousand_attempts_saturate_at_the_maximum() {
    #[retry(attempts = 2000, backoff = "exponential", base = "1s", factor = 2, max = "20s",
            budget = none)]
    async fn exponential(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(attempts = 2000, backoff = "full_jitter", base = "1s", factor = 2, max = "20s",
            budget = none)]
    async fn jittered(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::always(T);
    assert_eq!(exponential(&script).await, T);
    let sleeps = script.gaps();
    assert_eq!(sleeps.len(), 1999);
    assert_eq!(sleeps[..5], [1, 2, 4, 8, 16].map(secs));
    assert!(sleeps[5..].iter().all(|sleep| *sleep == secs(20)));

    let script = Script::always(T);
    assert_eq!(jittered(&script).await, T);
    assert_eq!(script.gaps().len(), 1999);
    assert!(script.gaps().iter().all(|sleep| *sleep <= secs(20)));
    assert!(script.gaps().iter().any(|sleep| *sleep > secs(19)), "spread up to the maximum");
}

// R015
#[tokio::test(start_paused = true)]
async fn a_hundred_retries_never_become_a_hot_loop() {
    #[retry(attempts = "unlimited", backoff = "exponential", base = "100ms", max = "10s",
            deadline = "1h", budget = none, inner = "suppress")]
    async fn patient(script: &Script) -> Outcome {
        script.body().await
    }
    let mut outcomes = vec![T; 100];
    outcomes.push(OK);
    let script = Script::new(outcomes);
    assert_eq!(patient(&script).await, OK);
    assert!(script.gaps().is_sorted(), "no sleep is shorter than the one before");
    assert_eq!(script.gaps().len(), 100);
    assert_eq!(script.elapsed(), ms(942_700));
}

// R019
#[tokio::test(start_paused = true)]
async fn limits_of_the_longest_duration_mean_never() {
    #[retry(attempts = 3, deadline = FOREVER, attempt_timeout = FOREVER, budget = none)]
    async fn fixed(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(attempts = 3, deadline = limit, attempt_timeout = FOREVER, budget = none)]
    async fn given(script: &Script, limit: Duration) -> Outcome {
        script.body().await
    }
    let script = Script::new([T, T, OK]).taking(secs(1));
    assert_eq!(fixed(&script).await, OK);
    assert_eq!(script.bodies(), 3);
    let script = Script::new([T, T, OK]).taking(secs(1));
    assert_eq!(given(&script, FOREVER).await, OK);
    assert_eq!(script.bodies(), 3);
}

const AGES: Duration = Duration::from_secs(u64::MAX);

// R019
#[tokio::test(start_paused = true)]
async fn a_hint_of_the_longest_duration_ends_the_call_at_once() {
    #[retry(budget = none)]
    async fn impatient(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(budget = none, max_retry_after = FOREVER, deadline = "1m")]
    async fn limited(script: &Script) -> Outcome {
        script.body().await
    }
    for (reason, patient) in
        [(StopReason::RetryAfterTooLong, false), (StopReason::DeadlineTooClose, true)]
    {
        let script = Script::new([ra(AGES)]);
        let (result, call) = if patient {
            observed(limited(&script)).await
        } else {
            observed(impatient(&script)).await
        };
        assert_eq!(result, ra(AGES));
        assert_eq!((script.bodies(), script.elapsed()), (1, secs(0)));
        assert_eq!(call.reason(), Some(reason));
    }
}

const YEARS: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

#[retry(policy = policy, deadline = deadline, attempt_timeout = FOREVER, budget = none)]
async fn hostile(script: &Script, policy: Policy, deadline: Duration) -> Outcome {
    script.body().await
}

const STRATEGIES: [Backoff; 9] = [
    Backoff::FullJitter,
    Backoff::EqualJitter,
    Backoff::DecorrelatedJitter,
    Backoff::Exponential,
    Backoff::Linear,
    Backoff::Fibonacci,
    Backoff::Fixed,
    Backoff::double_jitter(),
    Backoff::exponential_plus(FOREVER),
];

fn of_centuries(strategy: Backoff) -> [Policy; 3] {
    let policy = Policy::new().attempts(u32::MAX).backoff(strategy).max(FOREVER);
    [policy.base(YEARS), policy.base(YEARS).factor(1e9), policy.base(FOREVER)]
}

#[tokio::test(start_paused = true)]
async fn delays_of_centuries_never_fit_a_deadline() {
    isolated(async {
        seed(19);
        for strategy in STRATEGIES {
            for policy in of_centuries(strategy) {
                let script = Script::always(T);
                let (result, call) = observed(hostile(&script, policy, secs(3600))).await;
                assert_eq!(result, T, "{}", strategy.name());
                assert_eq!(script.bodies(), 1, "{}", strategy.name());
                assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
            }
        }
    })
    .await;
}

#[test]
fn delays_of_centuries_are_slept_and_not_wrapped_into_none() {
    for (strategy, which) in STRATEGIES.into_iter().flat_map(|one| [(one, 0), (one, 1), (one, 2)]) {
        // Each with a clock of its own: a clock's range is a few centuries.
        paused().block_on(isolated(async {
            jitter(Jitter::Highest);
            let script = Script::new([T, T, OK]);
            assert_eq!(hostile(&script, of_centuries(strategy)[which], FOREVER).await, OK);
            // The timer counts no further than this.
            let least = 30 * 365 * 24 * secs(3600);
            assert!(script.gaps().iter().all(|sleep| *sleep >= least), "{}", strategy.name());
        }));
    }
}

#[tokio::test(start_paused = true)]
async fn a_factor_of_a_billion_reaches_the_maximum_and_stays_there() {
    let policy = Policy::new().attempts(1_000).backoff(Backoff::Exponential).factor(1e9);
    let script = Script::always(T);
    let policy = policy.base(Duration::from_nanos(1)).max(secs(30));
    assert_eq!(hostile(&script, policy, FOREVER).await, T);
    let sleeps = script.gaps();
    assert_eq!(sleeps[..2], [ms(1), secs(1)], "rounded up to the timer's resolution");
    assert_eq!(sleeps.len(), 999);
    assert!(sleeps[2..].iter().all(|sleep| *sleep == secs(30)));
}

#[tokio::test(start_paused = true)]
async fn the_largest_count_is_no_limit_and_the_deadline_still_ends_the_call() {
    let policy = Policy::new().attempts(u32::MAX).backoff(Backoff::Fixed).base(secs(1));
    let script = Script::always(T);
    let (result, call) = observed(hostile(&script, policy, secs(5_000))).await;
    assert_eq!(result, T);
    assert_eq!((script.bodies(), call.attempts()), (5_000, 5_000));
    assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
    assert_eq!(call.failures().len(), 1_000, "the record does not grow without end");
}

#[tokio::test(start_paused = true)]
async fn reserves_of_the_longest_duration_leave_no_time_for_an_attempt() {
    let policy = Policy::new().min_remaining(FOREVER).time_per_attempt(FOREVER);
    let script = Script::new([]);
    let (result, call) = observed(hostile(&script, policy, secs(3600))).await;
    assert_eq!(result, Err(Failure::Late));
    assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::DeadlineTooClose)));
}

// R034
#[tokio::test(start_paused = true)]
async fn a_policy_that_makes_no_sense_is_refused_and_runs_one_body() {
    #[retry(policy = policy, budget = none)]
    async fn faulty(script: &Script<Bare>, policy: Policy) -> Outcome<Bare> {
        script.body().await
    }
    isolated(async {
        let policy = Policy::new().base(secs(5)).max(secs(1));
        let fault = policy.check().unwrap_err();
        let message = fault.to_string();
        assert!(message.contains("`base` (5s)") && message.contains("`max` (1s)"), "{message}");

        let script = Script::new([Err(Bare)]);
        let (result, call) = observed(faulty(&script, policy)).await;
        assert_eq!(result, Err(Bare));
        assert_eq!(call.reason(), Some(StopReason::Disabled));
        let site = "calls::extremes::faulty";
        assert_eq!(row(site).stops(StopReason::Disabled), 1);
        let warnings = stormless::warnings();
        assert!(
            warnings.contains(&stormless::Warning::FaultyPolicy { site, fault }),
            "{warnings:?}"
        );
        assert!(delays(&call).is_empty());
    })
    .await;
}
