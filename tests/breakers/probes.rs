//! Half-open breakers, and the few calls that they let through.

use std::{pin::pin, time::Duration};

use crate::half_open::{assert_refused, at, half_open, until_half_open};
use crate::script::{Failure, OK, Outcome, P, PE, Script, T, bucket, ms, observed, secs};
use futures_util::{FutureExt, future::join_all};
use stormless::{
    Breaker, BreakerState, Budget, StopReason, breaker, budget, control, retry, testing::isolated,
};
use tokio::time::Instant;

budget! {
    static PROBED: Budget = Budget::new("breaker-probes");
}

breaker! {
    static ONE: Breaker = half_open("breaker-probes-one").probes(1);
    static TWO: Breaker = half_open("breaker-probes-two").probes(2);
    static THREE: Breaker = half_open("breaker-probes-three").probes(3);
}

#[retry(attempts = 1, breaker = ONE, budget = none)]
async fn one(script: &Script) -> Outcome {
    script.body().await
}

#[retry(attempts = 1, breaker = TWO, budget = none)]
async fn two(script: &Script) -> Outcome {
    script.body().await
}

#[retry(attempts = 1, breaker = THREE, budget = none)]
async fn three(script: &Script) -> Outcome {
    script.body().await
}

// R086
#[tokio::test(start_paused = true)]
async fn a_probe_that_never_reports_back_loses_its_slot_after_its_lease() {
    isolated(async {
        until_half_open(&ONE).await;
        let start = Instant::now();
        let none = Script::new([]);
        let first = Script::new([OK]).taking(secs(7));
        let second = Script::hanging();
        let probes = async {
            let second = async {
                at(start, secs(5)).await;
                tokio::time::timeout(secs(4), one(&second)).await
            };
            let (first, second) = tokio::join!(one(&first), second);
            assert_eq!(first, OK, "its caller has the late result all the same");
            assert!(second.is_err());
        };
        let others = async {
            assert_refused(one(&none)).await;
            at(start, ms(4_999)).await;
            assert_refused(one(&none)).await;
            at(start, ms(5_001)).await;
            assert_eq!(second.starts().len(), 1, "one more probe");
            assert_refused(one(&none)).await;
            at(start, ms(7_001)).await;
            assert_eq!(ONE.state(), BreakerState::HalfOpen, "the late result changes nothing");
            assert_refused(one(&none)).await;
        };
        tokio::join!(probes, others);
    })
    .await;
}

// R088
#[tokio::test(start_paused = true)]
async fn a_probe_that_is_dropped_gives_its_slot_back_and_counts_neither_way() {
    isolated(async {
        control::count_successes(true);
        until_half_open(&ONE).await;
        let before = ONE.stats();
        let hanging = Script::hanging();
        assert!(one(&hanging).now_or_never().is_none());
        assert_eq!((hanging.bodies(), ONE.state()), (1, BreakerState::HalfOpen));
        let after = ONE.stats();
        assert_eq!((after.failures, after.successes), (before.failures, before.successes));
        assert_eq!(after.cancelled, before.cancelled + 1);
        assert_eq!(one(&Script::new([OK])).await, OK);
        assert_eq!(ONE.state(), BreakerState::Closed);
    })
    .await;
}

// R090
#[tokio::test(start_paused = true)]
async fn while_a_probe_runs_all_others_are_refused_at_once() {
    #[retry(attempts = 3, breaker = ONE, budget = PROBED)]
    async fn thrice(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        until_half_open(&ONE).await;
        let script = Script::new([OK]).taking(secs(1));
        let start = Instant::now();
        let calls = (0..100).map(|_| async {
            let (result, call) = observed(thrice(&script)).await;
            (result, call.reason(), call.slept(), start.elapsed())
        });
        let ends = join_all(calls).await;
        let refused =
            (Err(Failure::Open), Some(StopReason::BreakerOpen), Duration::ZERO, Duration::ZERO);
        assert_eq!(ends.iter().filter(|end| **end == refused).count(), 99);
        assert_eq!((script.bodies(), ONE.state()), (1, BreakerState::Closed));
        assert_eq!(bucket("breaker-probes").stats().withdrawn, 0);
    })
    .await;
}

// R092
#[tokio::test(start_paused = true)]
async fn a_probe_of_an_earlier_period_does_not_count_for_a_later_one() {
    isolated(async {
        until_half_open(&TWO).await;
        let start = Instant::now();
        let earlier = Script::new([OK]).taking(secs(15));
        let later = async {
            assert_eq!(two(&Script::new([T])).await, T);
            assert_eq!(TWO.state(), BreakerState::Open);
            at(start, ms(14_500)).await;
            let third = Script::hanging();
            let third = tokio::time::timeout(secs(4), two(&third));
            let others = async {
                at(start, ms(15_500)).await;
                assert_eq!(TWO.state(), BreakerState::HalfOpen, "one ended well, of before");
                let fourth = Script::hanging();
                let mut fourth = pin!(two(&fourth));
                assert!(fourth.as_mut().now_or_never().is_none(), "the second slot is free");
                assert_refused(two(&Script::new([]))).await;
            };
            assert!(tokio::join!(third, others).0.is_err());
        };
        assert_eq!(tokio::join!(two(&earlier), later).0, OK);
    })
    .await;
}

// R094
#[tokio::test(start_paused = true)]
async fn a_probe_that_the_breaker_does_not_count_gives_its_slot_back() {
    isolated(async {
        for unseen in [Err(Failure::Exhausted), P] {
            until_half_open(&ONE).await;
            assert_eq!(one(&Script::new([unseen.clone()])).await, unseen);
            assert_eq!(ONE.state(), BreakerState::HalfOpen);
            assert_eq!(one(&Script::new([PE])).await, PE, "an answer proves that it lives");
            assert_eq!(ONE.state(), BreakerState::Closed);
        }
    })
    .await;
}

// R104
#[tokio::test(start_paused = true)]
async fn slots_that_were_given_back_are_used_again_and_no_more_than_there_are() {
    isolated(async {
        until_half_open(&THREE).await;
        let (hanging, none) = (Script::hanging(), Script::new([]));
        let mut probes: Vec<_> = (0..3).map(|_| Box::pin(three(&hanging))).collect();
        for probe in &mut probes {
            assert!(probe.now_or_never().is_none());
        }
        assert_refused(three(&none)).await;
        probes.truncate(1);
        let mut more: Vec<_> = (0..2).map(|_| Box::pin(three(&hanging))).collect();
        for probe in &mut more {
            assert!(probe.now_or_never().is_none());
        }
        assert_eq!(hanging.bodies(), 5);
        for _ in 0..10 {
            assert_refused(three(&none)).await;
        }
        assert_eq!(THREE.state(), BreakerState::HalfOpen);
    })
    .await;
}
