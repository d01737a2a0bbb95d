use std::time::Duration;

use proptest::prelude::*;

use super::NextRetry;
use crate::{Budget, Classification, Moment};

const NOW: Moment = Moment::from_nanos(0);

fn spend_all(budget: &Budget) {
    while budget.withdraw(1, NOW).is_some() {}
}

/// Refused until so many have answered, and granted then.
fn assert_exact(budget: &Budget, answers: u64) {
    for _ in 1..answers {
        budget.succeeded(None, NOW);
        assert_eq!(budget.withdraw(1, NOW), None);
    }
    budget.succeeded(None, NOW);
    assert_eq!(budget.next_retry(NOW), NextRetry::Now);
    assert!(budget.withdraw(1, NOW).is_some());
}

proptest! {
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn what_a_bucket_says_is_what_it_takes(
        burst in 1..20_u32, ratio in 0.001..2.0, spent in 0..20_u32, answers in 0..50,
    ) {
        let budget = Budget::new("next").burst(burst).ratio(ratio);
        for _ in 0..spent {
            let _some_are_refused = budget.withdraw(1, NOW);
        }
        (0..answers).for_each(|_| budget.deposit());
        while budget.next_retry(NOW) == NextRetry::Now {
            prop_assert!(budget.withdraw(1, NOW).is_some());
        }
        prop_assert!(budget.withdraw(1, NOW).is_none());
        match budget.next_retry(NOW) {
            NextRetry::Answers(answers) => assert_exact(&budget, answers),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn what_a_bucket_of_tokens_says_is_what_it_takes(
        capacity in 1..200_u32, cost in 1..200_u32, reward in 1..30_u32,
    ) {
        prop_assume!(cost <= capacity);
        let budget = Budget::tokens("next", capacity, cost, reward);
        spend_all(&budget);
        match budget.next_retry(NOW) {
            NextRetry::Answers(answers) => assert_exact(&budget, answers),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn what_half_a_bucket_says_is_what_it_takes(max in 2..1_000_u32, ratio in 0.001..3.0) {
        let budget = Budget::grpc_throttling("next", max, ratio);
        while budget.next_retry(NOW) == NextRetry::Now {
            budget.failed(&Classification::transient(), None, NOW);
        }
        prop_assert!(budget.withdraw(1, NOW).is_none());
        match budget.next_retry(NOW) {
            NextRetry::Successes(successes) => assert_exact(&budget, successes),
            other => prop_assert!(false, "{other:?}"),
        }
    }
}

#[test]
fn what_earns_nothing_never_grants_again() {
    let budget = Budget::new("next").burst(1).ratio(0.0);
    spend_all(&budget);
    assert_eq!(budget.next_retry(NOW), NextRetry::Never);
    assert_eq!(budget.next_retry(NOW).to_string(), "never");
}

#[test]
fn a_floor_says_when_its_next_retry_comes() {
    let budget = Budget::new("next").burst(1).ratio(0.1).floor(2, Duration::from_secs(10));
    spend_all(&budget);
    assert_eq!(budget.next_retry(NOW), NextRetry::Answers(1), "nothing has succeeded yet");
    budget.succeeded(None, NOW);
    spend_all(&budget);
    let next = NextRetry::After(Duration::from_millis(500));
    assert_eq!(budget.next_retry(NOW), next);
    assert_eq!(budget.withdraw(1, Moment::from_nanos(499_999_999)), None);
    assert!(budget.withdraw(1, Moment::from_nanos(500_000_000)).is_some());
    assert_eq!(budget.next_retry(Moment::from_nanos(11_000_000_000)), NextRetry::Answers(1));
}

#[test]
fn of_budgets_above_one_another_the_last_to_grant_it_counts() {
    static ABOVE: Budget = Budget::new("next-above").burst(1).ratio(0.1);
    let below = Budget::new("next").burst(3).ratio(0.5).parent(&ABOVE);
    assert_eq!(below.next_retry(NOW), NextRetry::Now);
    spend_all(&below);
    assert_eq!(below.next_retry(NOW), NextRetry::Answers(10));
}

#[test]
fn windows_say_when_what_they_hold_has_left_them() {
    let budget = Budget::sliding_window("next").min_samples(2);
    assert_eq!(budget.next_retry(NOW), NextRetry::Now);
    spend_all(&budget);
    let NextRetry::After(wait) = budget.next_retry(NOW) else {
        panic!("{:?}", budget.next_retry(NOW))
    };
    assert!(wait <= Duration::from_secs(62) && wait >= Duration::from_secs(59), "{wait:?}");
    let just_before = NOW.after(wait.saturating_sub(Duration::from_nanos(1)));
    assert_eq!(budget.withdraw(1, just_before), None);
    assert!(budget.withdraw(1, NOW.after(wait)).is_some());
}

#[test]
fn a_share_of_no_calls_takes_more_calls() {
    let budget = Budget::sliding_window("next").min_samples(0);
    assert_eq!(budget.next_retry(NOW), NextRetry::Traffic);
    let concurrent = Budget::envoy("next");
    spend_all(&concurrent);
    assert_eq!(concurrent.next_retry(NOW), NextRetry::End);
}

#[test]
fn who_only_observes_grants_at_once() {
    let observing = Budget::new("next").burst(1).observe_only();
    let _of_one = observing.withdraw(1, NOW);
    assert_eq!(observing.next_retry(NOW), NextRetry::Now);
}
