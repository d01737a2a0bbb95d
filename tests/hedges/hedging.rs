//! Where an attempt is slow another one starts beside it, and the first answer wins.

use std::{sync::Mutex, time::Duration};

use crate::plan::{Plan, REFUSED};
use crate::script::{
    FOREVER, Failure, OK, Outcome, T, assert_balance, bucket, ms, observed, ra, row, t,
};
use stormless::{
    Budget, FailedAttempt, Outcome as End, RetryEvent, StopReason, budget, control, current,
    engine::Moment,
    retry,
    testing::{Jitter, isolated, jitter},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

budget! {
    static ORDERS: Budget = Budget::new("hedging-orders");
}

/// For buckets, which do not look at the time.
const EPOCH: Moment = Moment::from_nanos(0);

#[retry(idempotent, attempts = 3, hedge = "100ms", base = "1s", backoff = "fixed", budget = ORDERS)]
async fn hedged(plan: &Plan) -> Outcome {
    plan.body().await
}

// R108
#[tokio::test(start_paused = true)]
async fn an_attempt_timeout_ends_its_own_attempt_only() {
    #[retry(idempotent, attempts = 2, attempt_timeout = "1s", hedge = "400ms", budget = ORDERS)]
    async fn fetch(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        assert!(bucket("hedging-orders").withdraw(5, EPOCH).is_some());
        let plan = Plan::new([(FOREVER, OK), (ms(800), OK)]);
        let (result, call) = observed(fetch(&plan)).await;
        assert_eq!(result, OK);
        assert_eq!(plan.elapsed(), ms(1_200));
        assert_eq!(plan.starts(), [ms(0), ms(400)]);
        assert_eq!(plan.runs()[0].gone, Some(ms(1_000)), "it was ended at its own timeout");
        assert_balance("hedging-orders", 10.0 - 5.0 - 1.0 + 0.1);
        let labels: Vec<_> = call.failures().iter().map(FailedAttempt::label).collect();
        assert_eq!((call.attempts(), labels), (2, vec!["attempt_timeout"]));
    })
    .await;
}

// R108: a hedge has its own timeout, counted from its own start.
#[tokio::test(start_paused = true)]
async fn each_attempt_in_flight_has_its_whole_timeout() {
    #[retry(idempotent, attempts = 2, attempt_timeout = "1s", hedge = "400ms", budget = none)]
    async fn fetch(plan: &Plan) -> Outcome {
        plan.body().await
    }
    let plan = Plan::new([(FOREVER, OK), (FOREVER, OK)]);
    let (result, call) = observed(fetch(&plan)).await;
    assert_eq!(result, Err(Failure::TimedOut));
    let gone: Vec<_> = plan.runs().iter().map(|run| run.gone).collect();
    assert_eq!(gone, [Some(ms(1_000)), Some(ms(1_400))]);
    assert_eq!(call.reason(), Some(StopReason::AttemptsExhausted));
}

// R110
#[tokio::test(start_paused = true)]
async fn the_winners_value_lives_on_when_the_loser_is_gone() {
    #[retry(idempotent, attempts = 2, hedge = "100ms", budget = none)]
    async fn open(plan: &Plan) -> Result<tokio::io::DuplexStream, Failure> {
        let (reading, mut writing) = tokio::io::duplex(4);
        plan.body().await?;
        tokio::spawn(async move {
            for part in [b"1234", b"5678", b"9abc"] {
                tokio::time::sleep(ms(50)).await;
                writing.write_all(part).await.unwrap();
            }
        });
        Ok(reading)
    }
    let plan = Plan::new([(FOREVER, OK), (ms(50), OK)]);
    let mut stream = open(&plan).await.unwrap();
    assert_eq!(plan.in_flight(), 0, "the loser was dropped before the call returned");
    let mut all = String::new();
    stream.read_to_string(&mut all).await.unwrap();
    assert_eq!(all, "123456789abc");
}

// R112
#[tokio::test(start_paused = true)]
async fn nothing_in_flight_and_nothing_allowed_is_the_end() {
    #[retry(idempotent, hedge = "1s", deadline = "30s", budget = ORDERS)]
    async fn fetch(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        assert!(bucket("hedging-orders").withdraw(10, EPOCH).is_some());
        let plan = Plan::new([(ms(5), T)]);
        let (result, call) = observed(fetch(&plan)).await;
        assert_eq!((result, plan.elapsed()), (T, ms(5)));
        assert_eq!(call.reason(), Some(StopReason::BudgetExhausted));
        assert_eq!(call.attempts(), 1);
    })
    .await;
}

// R116
#[tokio::test(start_paused = true)]
async fn a_hedge_event_means_that_a_hedge_has_started() {
    type Seen = (bool, u32, Duration, &'static str, Duration);
    struct Log(Mutex<Vec<Seen>>, tokio::time::Instant);
    fn note(log: &Log, event: &RetryEvent<'_, Failure>) {
        assert!(event.error().is_none());
        let seen =
            (event.is_hedge(), event.attempt(), event.delay(), event.label(), log.1.elapsed());
        log.0.lock().unwrap().push(seen);
    }
    #[retry(idempotent, attempts = 3, hedge = "100ms", hedge_max = 2, budget = none,
            on_retry = |event| note(log, event))]
    async fn slow(plan: &Plan, log: &Log) -> Outcome {
        plan.body().await
    }
    let log = Log(Mutex::default(), tokio::time::Instant::now());
    let plan = Plan::new([(ms(1_000), OK), (ms(1_000), OK), (ms(1_000), OK)]);
    assert_eq!(slow(&plan, &log).await, OK);
    let hedge = |attempt, at| (true, attempt, ms(100), "hedge", ms(at));
    assert_eq!(*log.0.lock().unwrap(), [hedge(1, 100), hedge(2, 200)]);
    assert_eq!(plan.starts(), [ms(0), ms(100), ms(200)]);
    assert_eq!(plan.elapsed(), ms(1_000));
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_keeps_no_hedge_from_starting() {
    #[retry(idempotent, hedge = "100ms", budget = none, on_retry = |_| panic!("on purpose"))]
    async fn told(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (ms(10), OK)]);
        assert_eq!((told(&plan).await, plan.bodies()), (OK, 2));
        assert_eq!(row("hedges::hedging::told").hook_panics(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn losers_add_nothing_but_what_their_hedges_cost() {
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (ms(30), OK)]);
        let (result, call) = observed(hedged(&plan)).await;
        assert_eq!((result, plan.elapsed()), (OK, ms(130)));
        assert_eq!(plan.in_flight(), 0);
        assert_eq!((call.outcome(), call.attempts()), (End::Succeeded, 2));
        assert!(call.failures().is_empty(), "{call}");
        let site = row("hedges::hedging::hedged");
        assert_eq!((site.failures(), site.retries(), site.hedges()), (0, 1, 1));
        let stats = bucket("hedging-orders").stats();
        assert_eq!((stats.withdrawn, stats.given_back, stats.refused), (1, 0, 0));
        // One deposit.
        assert_balance("hedging-orders", 10.0 - 1.0 + 0.1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_before_the_delay_has_no_hedge() {
    isolated(async {
        let plan = Plan::new([(ms(99), OK)]);
        assert_eq!(hedged(&plan).await, OK);
        assert_eq!((plan.elapsed(), plan.bodies()), (ms(99), 1));
        assert_balance("hedging-orders", 10.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_first_attempt_may_still_win() {
    isolated(async {
        let plan = Plan::new([(ms(150), OK), (FOREVER, OK)]);
        let (result, call) = observed(hedged(&plan)).await;
        assert_eq!((result, plan.elapsed()), (OK, ms(150)));
        assert_eq!((plan.in_flight(), call.attempts()), (0, 2));
        assert_eq!(
            row("hedges::hedging::hedged").recovered(),
            0,
            "its first attempt was the answer"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_final_failure_ends_the_call_at_once_and_drops_the_others() {
    isolated(async {
        for (steps, ends) in [
            ([(FOREVER, OK), (ms(30), REFUSED)], 130),
            ([(ms(150), REFUSED), (FOREVER, OK)], 150),
            ([(FOREVER, OK), (ms(1), Err(Failure::Stopped))], 101),
        ] {
            let plan = Plan::new(steps);
            let (_, call) = observed(hedged(&plan)).await;
            assert_eq!((plan.elapsed(), plan.in_flight()), (ms(ends), 0));
            assert_eq!((call.attempts(), call.failures().len()), (2, 1));
            let stopped = [StopReason::Permanent, StopReason::Cancelled];
            assert!(call.reason().is_some_and(|reason| stopped.contains(&reason)), "{call}");
        }
        assert_eq!(row("hedges::hedging::hedged").failures(), 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_retryable_failure_waits_for_what_is_in_flight() {
    isolated(async {
        let plan = Plan::new([(ms(150), T), (ms(500), OK)]);
        let (result, call) = observed(hedged(&plan)).await;
        assert_eq!((result, plan.elapsed()), (OK, ms(600)));
        let failed: Vec<_> =
            call.failures().iter().map(|one| (one.number(), one.delay())).collect();
        assert_eq!(failed, [(1, None)]);
        assert_eq!(row("hedges::hedging::hedged").failures(), 1, "it did fail");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn when_all_have_failed_the_last_failure_decides_and_the_next_round_hedges_too() {
    #[retry(idempotent, attempts = 4, hedge = "100ms", base = "1s", backoff = "fixed",
            budget = ORDERS)]
    async fn rounds(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        let plan = Plan::new([(ms(200), t(1)), (ms(50), t(2)), (FOREVER, OK), (ms(10), OK)]);
        let (result, call) = observed(rounds(&plan)).await;
        assert_eq!(result, OK);
        // The last failure comes at 200 ms; the next round begins a second later.
        assert_eq!(plan.starts(), [0, 100, 1_200, 1_300].map(ms));
        assert_eq!(plan.numbers(), [1, 2, 3, 4]);
        let failed: Vec<_> =
            call.failures().iter().map(|one| (one.number(), one.delay())).collect();
        assert_eq!(failed, [(2, None), (1, Some(ms(1_000)))]);
        assert_eq!((call.attempts(), call.slept()), (4, ms(1_000)));
        assert_eq!(bucket("hedging-orders").stats().withdrawn, 3);

        let plan = Plan::new([(ms(200), t(1)), (ms(150), t(2)), (ms(200), t(3)), (ms(150), t(4))]);
        let (result, call) = observed(rounds(&plan)).await;
        assert_eq!(result, t(4), "the last one to fail");
        assert_eq!(call.reason(), Some(StopReason::AttemptsExhausted));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn no_hedge_and_no_retry_comes_earlier_than_a_server_asked() {
    #[retry(idempotent, attempts = 4, hedge = "100ms", hedge_max = 2, base = "1ms", budget = none)]
    async fn asked(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        jitter(Jitter::Lowest);
        // The first asks for two seconds at 150 ms; the hedge fails at 300 ms and asks for nothing.
        let plan = Plan::new([(ms(150), ra(ms(2_000))), (ms(200), T), (ms(0), OK)]);
        assert_eq!(asked(&plan).await, OK);
        assert_eq!(plan.starts(), [0, 100, 2_150].map(ms));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn attempts_in_flight_have_numbers_of_their_own_and_one_key() {
    #[retry(idempotent, attempts = 3, hedge = "100ms", hedge_max = 2, budget = none)]
    async fn keyed(plan: &Plan) -> Outcome {
        let result = plan.keyed_body().await;
        // Polls of attempts take turns, and each still sees itself.
        let run = current().unwrap().number() as usize - 1;
        assert_eq!(plan.runs()[run].key, Some(current().unwrap().idempotency_key()));
        result
    }
    let plan = Plan::new([(ms(250), T), (ms(250), T), (ms(250), OK)]);
    assert_eq!(keyed(&plan).await, OK);
    assert_eq!(plan.numbers(), [1, 2, 3]);
    let keys: Vec<_> = plan.runs().into_iter().map(|run| run.key.unwrap()).collect();
    assert!(keys.windows(2).all(|pair| pair[0] == pair[1]), "{keys:?}");
}

#[tokio::test(start_paused = true)]
async fn calls_inside_attempts_in_flight_send_the_same_keys() {
    static KEYS: Mutex<Vec<(u32, String)>> = Mutex::new(Vec::new());
    #[retry(idempotent)]
    async fn inner(number: u32) -> Outcome {
        tokio::time::sleep(ms(150)).await;
        let key = current().unwrap().idempotency_key().to_string();
        KEYS.lock().unwrap().push((number, key));
        OK
    }
    #[retry(idempotent, attempts = 2, hedge = "100ms", budget = none)]
    async fn outer() -> Outcome {
        let number = current().unwrap().number();
        inner(number).await?;
        inner(number).await?;
        std::future::pending().await
    }
    assert!(tokio::time::timeout(ms(1_000), outer()).await.is_err());
    let keys = KEYS.lock().unwrap().clone();
    let of = |number| keys.iter().filter(move |key| key.0 == number).map(|key| &key.1);
    assert_eq!(of(1).count(), 2);
    assert!(of(1).eq(of(2)), "{keys:?}");
    assert_ne!(of(1).next(), of(1).nth(1));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_drops_all_its_attempts() {
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (FOREVER, OK)]);
        let (result, call) =
            observed(async { tokio::time::timeout(ms(300), hedged(&plan)).await }).await;
        assert!(result.is_err());
        assert_eq!((plan.bodies(), plan.in_flight()), (2, 0));
        assert_eq!((call.outcome(), call.attempts()), (End::Cancelled, 2));
        // The hedge did start, so that its price is not given back.
        assert_balance("hedging-orders", 9.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_one_attempt_is_the_calls() {
    #[retry(idempotent, attempts = 2, hedge = "100ms", budget = none)]
    async fn panics(plan: &Plan) -> Outcome {
        plan.body().await?;
        panic!("on purpose")
    }
    isolated(async {
        let plan = std::sync::Arc::new(Plan::new([(FOREVER, OK), (ms(10), OK)]));
        let other = plan.clone();
        let task = async move { panics(&other).await };
        let caught =
            futures_util::FutureExt::catch_unwind(std::panic::AssertUnwindSafe(task)).await;
        assert!(caught.is_err());
        assert_eq!((plan.bodies(), plan.in_flight()), (2, 0));
        assert_eq!(row("hedges::hedging::panics").panics(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_deadline_ends_all_that_is_in_flight() {
    #[retry(idempotent, attempts = 2, hedge = "100ms", deadline = "1s", budget = none)]
    async fn fetch(plan: &Plan) -> Outcome {
        plan.body().await
    }
    let plan = Plan::new([(FOREVER, OK), (FOREVER, OK)]);
    let (result, call) = observed(fetch(&plan)).await;
    assert_eq!(result, Err(Failure::Late));
    assert_eq!((plan.elapsed(), plan.in_flight()), (ms(1_000), 0));
    assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
    assert_eq!(call.attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn switches_keep_hedges_from_starting() {
    isolated(async {
        let plan = Plan::new([(ms(500), OK)]);
        assert_eq!(control::without_retries(hedged(&plan)).await, OK);
        assert_eq!(plan.bodies(), 1);
        control::site("hedges::hedging::hedged").unwrap().off();
        let plan = Plan::new([(ms(500), OK)]);
        assert_eq!(hedged(&plan).await, OK);
        assert_eq!(plan.bodies(), 1);
        assert_balance("hedging-orders", 10.0);
    })
    .await;
}
