//! The token bucket, without threads: what it grants, refuses and earns.

use std::time::Duration;

use proptest::prelude::*;
use retry_runtime::{Budget, BudgetStats, Moment};

const NOW: Moment = Moment::from_nanos(0);
const HOUR: Duration = Duration::from_secs(3600);

/// Withdraws until it is refused; the number of retries granted.
fn drain(budget: &Budget, now: Moment) -> u32 {
    let mut granted = 0;
    while budget.withdraw(1, now).is_some() {
        granted += 1;
    }
    granted
}

fn answers(budget: &Budget, calls: u32) {
    (0..calls).for_each(|_| budget.deposit());
}

#[test]
fn the_default_bucket_holds_ten_retries_and_earns_a_tenth() {
    let budget = Budget::new("default");
    assert_eq!(drain(&budget, NOW), 10);
    answers(&budget, 9);
    assert!(budget.withdraw(1, NOW).is_none());
    answers(&budget, 1);
    assert_eq!(drain(&budget, NOW), 1);
}

#[test]
fn the_published_hundred_tokens_behave_like_the_default() {
    let tokens = Budget::tokens("tokens", 100, 10, 1);
    assert_eq!(drain(&tokens, NOW), 10);
    answers(&tokens, 9);
    assert!(tokens.withdraw(1, NOW).is_none());
    answers(&tokens, 1);
    assert_eq!(drain(&tokens, NOW), 1);
    assert_eq!(tokens.bound(), Budget::new("default").bound());
}

#[test]
fn thirds_of_a_retry_add_up_to_a_whole_one() {
    let budget = Budget::tokens("thirds", 30, 3, 1);
    assert_eq!(drain(&budget, NOW), 10);
    answers(&budget, 3);
    assert_eq!(drain(&budget, NOW), 1);
}

// R063
#[test]
fn a_retry_that_was_started_is_spent_and_an_answer_earns_its_share() {
    let budget = Budget::new("r063").burst(5);
    for _ in 0..5 {
        assert!(budget.withdraw(1, NOW).is_some());
        budget.deposit();
    }
    assert_eq!(budget.balance().to_string(), "0.5");
    assert!(budget.withdraw(1, NOW).is_none());
    answers(&budget, 5);
    assert_eq!(drain(&budget, NOW), 1);
}

// R065
#[test]
fn an_empty_bucket_recovers_by_answers_and_not_by_time() {
    let budget = Budget::new("r065");
    assert_eq!(drain(&budget, NOW), 10);
    assert!(budget.withdraw(1, NOW.after(HOUR)).is_none());
    answers(&budget, 10);
    assert_eq!(drain(&budget, NOW), 1);
    answers(&budget, 1000);
    assert_eq!(drain(&budget, NOW), 10);
}

// R067
#[cfg_attr(miri, ignore = "arithmetic over very many values")]
#[test]
fn earned_retries_are_exact() {
    for (ratio, earned) in [(0.1, 100), (0.3, 300), (0.6, 600), (0.7, 700), (0.9, 900)] {
        let budget = Budget::new("r067").burst(1000).ratio(ratio);
        assert_eq!(drain(&budget, NOW), 1000);
        answers(&budget, 1000);
        assert_eq!(drain(&budget, NOW), earned, "ratio {ratio}");
        assert!(budget.balance().abs() < f64::EPSILON, "ratio {ratio} leaves a rest");
    }
}

// R069
#[test]
fn a_refusal_changes_nothing() {
    let budget = Budget::new("r069");
    drain(&budget, NOW);
    for _ in 0..1000 {
        assert!(budget.withdraw(1, NOW).is_none());
        assert!(budget.balance() >= 0.0);
    }
    answers(&budget, 10);
    assert_eq!(drain(&budget, NOW), 1);
}

// R071
#[test]
fn idle_time_neither_freezes_nor_fills_a_bucket() {
    let budget = Budget::new("r071");
    let later = NOW.after(HOUR);
    let granted = (0..100).filter(|_| budget.withdraw(1, later).is_some()).count();
    assert_eq!(granted, 10);
    assert_eq!(budget.stats().refused, 90);
}

// R073
#[test]
fn failing_together_does_not_shrink_the_allowance() {
    let budget = Budget::new("r073").burst(3).ratio(0.5);
    let granted = (0..6).filter(|_| budget.withdraw(1, NOW).is_some()).count();
    assert_eq!(granted, 3);
}

// R075
#[test]
fn a_retry_is_paid_when_it_is_decided_and_only_then() {
    let budget = Budget::new("r075").burst(10).ratio(0.2);
    let granted = (0..1000).filter(|_| budget.withdraw(1, NOW).is_some()).count();
    assert_eq!(granted, 10);
    let after_backoff = NOW.after(Duration::from_secs(20));
    assert!(budget.withdraw(1, after_backoff).is_none());
}

// R079
#[test]
fn half_a_retry_for_each_answer_makes_one_of_two() {
    let budget = Budget::new("r079").burst(10).ratio(0.5);
    drain(&budget, NOW);
    answers(&budget, 2);
    assert_eq!(drain(&budget, NOW), 1);
}

#[test]
fn what_never_started_is_given_back_once_and_never_above_full() {
    let budget = Budget::new("returns").burst(2);
    let first = budget.withdraw(1, NOW).expect("the bucket is full");
    let second = budget.withdraw(1, NOW).expect("one retry is left");
    budget.give_back(first);
    assert_eq!(budget.balance().to_string(), "1");
    answers(&budget, 100);
    budget.give_back(second);
    assert_eq!(budget.balance().to_string(), "2");
    assert_eq!(drain(&budget, NOW), 2);
}

#[test]
fn a_withdrawal_that_is_undone_leaves_no_trace() {
    let window = || Budget::sliding_window("window").min_samples(3);
    for budget in [Budget::new("bucket").burst(2), window()] {
        let (before, stats) = (budget.balance_at(NOW), budget.stats());
        let withdrawal = budget.withdraw(2, NOW).expect("it holds two");
        assert_eq!((budget.balance_at(NOW), budget.stats().withdrawn), (0.0, 1));
        budget.undo(withdrawal);
        assert_eq!((budget.balance_at(NOW), budget.stats()), (before, stats), "{budget:?}");
        // Handed in twice, it neither overfills the budget nor makes the counts wrap.
        budget.undo(withdrawal);
        assert_eq!((budget.balance_at(NOW), budget.stats()), (before, stats), "{budget:?}");
    }
}

#[test]
fn no_retry_is_free_and_none_costs_more_than_the_bucket_holds() {
    let budget = Budget::new("costs").burst(5);
    assert!(budget.withdraw(6, NOW).is_none());
    assert!(budget.withdraw(u32::MAX, NOW).is_none());
    assert_eq!(budget.withdraw(0, NOW).map(|paid| paid.cost()), Some(1));
    assert!(budget.withdraw(4, NOW).is_some());
    assert!(budget.withdraw(1, NOW).is_none());
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let budget = Budget::new("large").burst(u32::MAX).ratio(f64::MAX);
    let all = budget.withdraw(u32::MAX, NOW).expect("the bucket is full");
    assert!(budget.withdraw(u32::MAX, NOW).is_none());
    budget.give_back(all);
    assert_eq!(budget.balance().to_string(), "4294967295");
    assert!(budget.withdraw(u32::MAX, NOW).is_some());
    budget.deposit();
    assert_eq!(budget.balance().to_string(), "4294967295");

    let tokens = Budget::tokens("large", u32::MAX, u32::MAX, u32::MAX);
    assert!(tokens.withdraw(u32::MAX, NOW).is_none());
    assert_eq!(drain(&tokens, NOW), 1);
}

#[test]
fn counts_are_exact_and_a_fresh_copy_starts_from_none() {
    let budget = Budget::dynamic("counted").burst(2).ratio(0.5);
    let paid = budget.withdraw(1, NOW).expect("the bucket is full");
    drain(&budget, NOW);
    budget.give_back(paid);
    let stats = budget.stats();
    assert_eq!((stats.withdrawn, stats.refused, stats.given_back, stats.spent()), (2, 1, 1, 1));

    let copy = budget.fresh_copy();
    assert_eq!(copy.stats(), BudgetStats::default());
    assert_eq!((copy.name(), copy.bound()), ("counted", budget.bound()));
    assert_eq!(drain(&copy, NOW), 2);
}

#[test]
fn every_budget_has_an_id_of_its_own() {
    let (one, other) = (Budget::new("same"), Budget::new("same"));
    assert_ne!(one.id(), 0);
    assert_ne!(one.id(), other.id());
    assert_eq!(one.id(), one.id());
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Answer,
    Retry(u32),
    GiveBack,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => Just(Step::Answer),
        4 => (1..4_u32).prop_map(Step::Retry),
        1 => Just(Step::GiveBack),
    ];
    prop::collection::vec(step, 0..400)
}

/// Plays any history and checks after every step what `Budget::bound` promises.
fn keeps_its_promise(budget: &Budget, history: &[Step]) -> Result<(), TestCaseError> {
    let capacity = budget.balance();
    let bound = budget.bound();
    let (mut answered, mut outstanding) = (0, Vec::new());
    let mut spent = 0.0;
    for step in history {
        let before = budget.balance();
        match *step {
            Step::Answer => {
                budget.deposit();
                answered += 1;
            }
            Step::Retry(cost) => {
                if let Some(paid) = budget.withdraw(cost, NOW) {
                    prop_assert!(before + 1e-9 >= f64::from(cost), "granted without cover");
                    spent += f64::from(cost);
                    outstanding.push(paid);
                } else {
                    prop_assert!(before < f64::from(cost), "refused although covered");
                    prop_assert_eq!(budget.balance().to_bits(), before.to_bits());
                }
            }
            Step::GiveBack => {
                if let Some(paid) = outstanding.pop() {
                    budget.give_back(paid);
                    spent -= f64::from(paid.cost());
                }
            }
        }
        let most = bound.retries(answered).expect("a bucket has a bound");
        prop_assert!(spent <= most + 1e-6, "{spent} retries, promised at most {most}");
        prop_assert!((0.0..=capacity).contains(&budget.balance()));
    }
    Ok(())
}

proptest! {
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn the_default_bucket_never_grants_more_than_its_bound(history in steps()) {
        keeps_its_promise(&Budget::new("property"), &history)?;
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn no_bucket_grants_more_than_its_bound(
        burst in 1..50_u32, ratio in 0.0..3.0_f64, history in steps(),
    ) {
        keeps_its_promise(&Budget::new("property").burst(burst).ratio(ratio), &history)?;
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn no_bucket_of_tokens_grants_more_than_its_bound(
        (capacity, cost) in (1..500_u32).prop_flat_map(|most| (Just(most), 1..=most)),
        reward in 0..20_u32,
        history in steps(),
    ) {
        let budget = Budget::tokens("property", capacity, cost, reward);
        prop_assert_eq!(budget.check(), Ok(()));
        keeps_its_promise(&budget, &history)?;
    }
}
