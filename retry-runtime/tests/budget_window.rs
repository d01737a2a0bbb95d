//! The sliding window, without threads.

use std::collections::VecDeque;
use std::time::Duration;

use proptest::prelude::*;
use retry_runtime::{Budget, Moment};

const SECOND: u64 = 1_000_000_000;

const fn at(seconds: u64) -> Moment {
    Moment::from_nanos(seconds * SECOND)
}

fn attempts(budget: &Budget, count: u32, now: Moment) {
    (0..count).for_each(|_| budget.record_attempt(now));
}

fn drain(budget: &Budget, now: Moment) -> usize {
    (0..10_000).take_while(|_| budget.withdraw(1, now).is_some()).count()
}

#[test]
fn retries_are_a_tenth_of_the_attempts() {
    let budget = Budget::sliding_window("tenth");
    attempts(&budget, 100, at(5));
    assert_eq!(drain(&budget, at(5)), 10);
    attempts(&budget, 10, at(6));
    assert_eq!(drain(&budget, at(6)), 1);
}

#[test]
fn fewer_than_twenty_attempts_are_not_limited() {
    let budget = Budget::sliding_window("few");
    for call in 0..19 {
        budget.record_attempt(at(1));
        assert!(budget.withdraw(1, at(1)).is_some(), "call {call}");
    }
    budget.record_attempt(at(1));
    assert!(budget.withdraw(1, at(1)).is_none());
}

#[test]
fn at_most_nineteen_retries_are_exempt_however_few_the_attempts() {
    let budget = Budget::sliding_window("exempt");
    budget.record_attempt(at(1));
    assert_eq!(drain(&budget, at(1)), 19);
    let costly = Budget::sliding_window("costly");
    attempts(&costly, 19, at(1));
    assert_eq!((0..19).filter(|_| costly.withdraw(5, at(1)).is_some()).count(), 3);
}

#[test]
fn without_a_minimum_nothing_escapes_the_ratio() {
    for minimum in [0, 1] {
        let budget = Budget::sliding_window("strict").min_samples(minimum).ratio(0.5);
        assert_eq!(drain(&budget, at(0)), 0);
        attempts(&budget, 3, at(0));
        assert_eq!(drain(&budget, at(0)), 1);
    }
}

#[test]
fn shares_are_exact() {
    let budget = Budget::sliding_window("exact").ratio(0.29);
    attempts(&budget, 100, at(0));
    assert_eq!(drain(&budget, at(0)), 29);
}

#[test]
fn the_past_is_forgotten_when_the_window_has_passed() {
    let budget = Budget::sliding_window("past").min_samples(0);
    attempts(&budget, 100, at(10));
    assert_eq!(drain(&budget, at(10)), 10);
    attempts(&budget, 100, at(69));
    assert_eq!(drain(&budget, at(69)), 10);
    // The first hundred and their ten retries are gone, the second are not.
    assert_eq!(drain(&budget, at(70)), 0);
    attempts(&budget, 100, at(70));
    assert_eq!(drain(&budget, at(70)), 10);
}

// R071
#[test]
fn idle_time_neither_freezes_nor_fills_a_window() {
    let budget = Budget::sliding_window("idle");
    attempts(&budget, 1000, at(0));
    attempts(&budget, 100, at(3600));
    assert_eq!(drain(&budget, at(3600)), 10);
}

#[test]
fn the_length_of_the_window_is_honoured() {
    let budget = Budget::sliding_window("short").window(Duration::from_secs(6)).min_samples(0);
    attempts(&budget, 100, at(0));
    assert_eq!(budget.balance_at(at(5)).to_string(), "10");
    assert_eq!(budget.balance_at(at(6)).to_string(), "0");
}

#[test]
fn the_balance_says_what_would_be_granted() {
    let budget = Budget::sliding_window("gauge");
    assert_eq!(budget.balance().to_string(), "19");
    attempts(&budget, 50, at(7));
    assert_eq!(budget.balance().to_string(), "5");
    assert!(budget.withdraw(2, at(7)).is_some());
    assert_eq!(budget.balance().to_string(), "3");
    assert_eq!(budget.balance_at(at(7)).to_string(), "3");
    assert_eq!(budget.balance_at(at(100)).to_string(), "19");
}

#[test]
fn what_never_started_is_given_back_to_the_slot_that_it_came_from() {
    let budget = Budget::sliding_window("returns").min_samples(0);
    attempts(&budget, 20, at(0));
    let paid = budget.withdraw(1, at(0)).expect("two retries of twenty attempts");
    assert_eq!(drain(&budget, at(30)), 1);
    budget.give_back(paid);
    assert_eq!(drain(&budget, at(30)), 1);

    // Late: the window has moved past it, and the retries of now are none of its business.
    attempts(&budget, 20, at(90));
    assert_eq!(drain(&budget, at(90)), 2);
    budget.give_back(paid);
    assert_eq!(drain(&budget, at(90)), 0);
}

#[test]
fn a_clock_that_runs_backwards_unlocks_nothing() {
    let budget = Budget::sliding_window("backwards").min_samples(0);
    attempts(&budget, 100, at(1000));
    assert_eq!(drain(&budget, at(1000)), 10);
    for earlier in [999, 941, 940, 500, 0] {
        assert_eq!(drain(&budget, at(earlier)), 0);
        budget.record_attempt(at(earlier));
    }
    assert_eq!(drain(&budget, at(1000)), 0, "105 attempts allow ten retries");
}

#[test]
fn two_clocks_that_disagree_cannot_use_one_window_twice() {
    let budget = Budget::sliding_window("two clocks").min_samples(0);
    attempts(&budget, 100, at(0));
    let mut granted = drain(&budget, at(0));
    for _ in 0..50 {
        granted += drain(&budget, at(100_000));
        granted += drain(&budget, at(0));
    }
    assert_eq!(granted, 10);
}

#[test]
fn no_moment_and_no_setting_panics() {
    let longest = Budget::sliding_window("longest").window(Duration::MAX).min_samples(u32::MAX);
    let shortest = Budget::sliding_window("shortest").window(Duration::from_nanos(1));
    for budget in [longest, shortest] {
        assert_eq!(budget.check(), Ok(()));
        for now in [Moment::from_nanos(0), Moment::NEVER, Moment::from_nanos(1)] {
            budget.record_attempt(now);
            if let Some(paid) = budget.withdraw(1, now) {
                budget.give_back(paid);
            }
            assert!(budget.withdraw(u32::MAX, now).is_none());
            assert!(budget.balance_at(now) >= 0.0);
        }
    }
}

#[test]
fn a_slot_that_cannot_count_further_refuses() {
    let budget = Budget::sliding_window("full slot").min_samples(u32::MAX);
    budget.record_attempt(at(0));
    let most = (1 << 20) - 1;
    assert!(budget.withdraw(most, at(0)).is_some());
    assert!(budget.withdraw(1, at(0)).is_none());
    assert!(budget.withdraw(1, at(1)).is_some());
}

#[test]
fn answers_mean_nothing_to_a_window() {
    let budget = Budget::sliding_window("answers").min_samples(0);
    (0..1000).for_each(|_| budget.deposit());
    assert_eq!(drain(&budget, at(0)), 0);
    assert!(budget.wants_samples());
    assert!(!Budget::new("bucket").wants_samples());
}

/// The same rule, kept as a list of what happened when.
#[derive(Default)]
struct Model {
    attempts: VecDeque<u64>,
    retries: VecDeque<(u64, u32)>,
}

impl Model {
    fn forget(&mut self, second: u64) {
        self.attempts.retain(|then| then + 60 > second);
        self.retries.retain(|(then, _)| then + 60 > second);
    }

    fn spent(&self) -> u64 {
        self.retries.iter().map(|(_, cost)| u64::from(*cost)).sum()
    }

    /// The most retries that these attempts allow, at ten per cent.
    fn most(&self, min_samples: u32) -> u64 {
        let attempts = self.attempts.len() as u64;
        if attempts < u64::from(min_samples) {
            (attempts / 10).max(u64::from(min_samples) - 1)
        } else {
            attempts / 10
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Attempts(u32),
    Retry(u32),
    GiveBack,
    Wait(u64),
    LaggingRetry(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1..30_u32).prop_map(Step::Attempts),
        6 => (1..4_u32).prop_map(Step::Retry),
        1 => Just(Step::GiveBack),
        3 => (0..25_u64).prop_map(Step::Wait),
        1 => (0..200_u64).prop_map(Step::LaggingRetry),
    ];
    prop::collection::vec(step, 0..300)
}

proptest! {
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn a_window_grants_exactly_what_its_rule_says(
        min_samples in 0..40_u32, history in steps(),
    ) {
        let budget = Budget::sliding_window("property").min_samples(min_samples);
        let mut model = Model::default();
        let mut outstanding = Vec::new();
        let mut second = 0;
        for step in history {
            model.forget(second);
            match step {
                Step::Attempts(count) => {
                    attempts(&budget, count, at(second));
                    (0..count).for_each(|_| model.attempts.push_back(second));
                }
                Step::Retry(_) | Step::LaggingRetry(_) => {
                    let (cost, clock) = match step {
                        Step::LaggingRetry(lag) => (1, second.saturating_sub(lag)),
                        Step::Retry(cost) => (cost, second),
                        _ => unreachable!("matched above"),
                    };
                    let covered = model.spent() + u64::from(cost) <= model.most(min_samples);
                    let paid = budget.withdraw(cost, at(clock));
                    prop_assert_eq!(paid.is_some(), covered);
                    if let Some(paid) = paid {
                        model.retries.push_back((second, cost));
                        outstanding.push((paid, second));
                    }
                }
                Step::GiveBack => {
                    if let Some((paid, then)) = outstanding.pop() {
                        budget.give_back(paid);
                        let taken = model.retries.iter().position(|r| *r == (then, paid.cost()));
                        taken.and_then(|index| model.retries.remove(index));
                    }
                }
                Step::Wait(seconds) => {
                    second += seconds;
                    // A clock moves on when somebody uses the budget with it.
                    budget.record_attempt(at(second));
                    model.forget(second);
                    model.attempts.push_back(second);
                }
            }
            let left = model.most(min_samples).saturating_sub(model.spent());
            prop_assert_eq!(budget.balance_at(at(second)).to_string(), left.to_string());
        }
    }
}
