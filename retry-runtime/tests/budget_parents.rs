//! Budgets above budgets: each retry is paid by all of them or by none.
#![allow(clippy::float_cmp, reason = "units of a retry that a float holds exactly")]

#[path = "common/budgets.rs"]
mod budgets;

use std::time::Duration;

use budgets::leak;
use proptest::prelude::*;
use retry_runtime::{Budget, Classification, ConfigError, Moment, Withdrawal};

const NOW: Moment = Moment::from_nanos(0);

fn drain(budget: &Budget, now: Moment) -> usize {
    std::iter::from_fn(|| budget.withdraw(1, now)).count()
}

#[test]
fn a_retry_is_paid_above_too_and_refused_by_either() {
    let top = leak(Budget::new("top").burst(3));
    let one = Budget::new("one").burst(2).parent(top);
    let two = Budget::new("two").burst(5).parent(top);
    assert_eq!((drain(&one, NOW), drain(&two, NOW)), (2, 1));
    assert_eq!((one.balance(), two.balance(), top.balance()), (0.0, 4.0, 0.0));
    // Neither who refused nor who did not has changed, nor counts it as taken.
    assert_eq!((two.stats().withdrawn, two.stats().refused), (1, 0));
    assert_eq!((top.stats().withdrawn, top.stats().refused), (3, 1));
}

#[test]
fn what_earns_below_earns_above_also_where_below_is_full() {
    let top = leak(Budget::new("top").burst(2));
    let full = Budget::new("full").parent(top);
    assert_eq!(drain(top, NOW), 2);
    (0..10).for_each(|_| full.succeeded(None, NOW));
    assert_eq!((full.balance(), top.balance()), (10.0, 1.0));
    (0..10).for_each(|_| full.deposit());
    assert_eq!((full.balance(), top.balance()), (10.0, 2.0));
}

#[test]
fn a_retry_that_never_starts_is_given_back_everywhere() {
    let top = leak(Budget::sliding_window("top").min_samples(3).window(Duration::from_secs(60)));
    let middle = leak(Budget::envoy("middle").parent(top));
    let bottom = Budget::new("bottom").burst(5).parent(middle);
    let start = NOW.after(Duration::from_secs(1_000));
    let paid: Vec<_> = std::iter::from_fn(|| bottom.withdraw(1, start)).collect();
    assert_eq!(paid.len(), 2);
    assert_eq!((bottom.balance(), middle.balance(), top.balance_at(start)), (3.0, 1.0, 0.0));
    for paid in paid {
        bottom.give_back(paid);
    }
    assert_eq!((bottom.balance(), middle.balance(), top.balance_at(start)), (5.0, 3.0, 2.0));
    for budget in [&bottom, middle, top] {
        assert_eq!(budget.stats().given_back, 2);
    }
    // A retry that ended is no longer under way, and spent elsewhere.
    let paid = bottom.withdraw(1, start);
    bottom.failed(&Classification::transient(), paid, start);
    assert_eq!((bottom.balance(), middle.balance()), (4.0, 3.0));
    assert_eq!(top.balance_at(start).to_string(), "1");
}

#[test]
fn more_budgets_than_pay_together_and_circles_grant_nothing() {
    static ONE: Budget = Budget::new("circle-one").parent(&TWO);
    static TWO: Budget = Budget::new("circle-two").parent(&ONE);
    assert!(ONE.withdraw(1, NOW).is_none() && TWO.withdraw(1, NOW).is_none());
    ONE.succeeded(None, NOW);
    ONE.failed(&Classification::transient(), None, NOW);
    assert_eq!((ONE.balance(), TWO.balance()), (10.0, 10.0));

    let mut budget = leak(Budget::new("level"));
    for levels in 2..=4 {
        budget = leak(Budget::new("level").parent(budget));
        assert!(budget.withdraw(1, NOW).is_some(), "{levels} levels");
    }
    assert!(leak(Budget::new("level").parent(budget)).withdraw(1, NOW).is_none());
    assert!(ConfigError::TooManyParents(4).to_string().contains("at most 4"));
}

#[test]
fn a_parent_that_is_switched_off_or_observes_has_its_own_say() {
    let observer = leak(Budget::new("observer").burst(1).observe_only());
    let bottom = Budget::new("bottom").burst(3).parent(observer);
    assert_eq!(drain(&bottom, NOW), 3);
    assert_eq!((observer.stats().would_refuse, observer.balance()), (2, 0.0));

    let top = leak(Budget::new("top").burst(1));
    let below = Budget::new("observed").burst(3).observe_only().parent(top);
    assert_eq!(drain(&below, NOW), 1);
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Retry { budget: usize, cost: u32 },
    Succeed { budget: usize },
    GiveBack,
    Undo,
    End,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..3_usize, 0..4_u32).prop_map(|(budget, cost)| Step::Retry { budget, cost }),
        3 => (0..3_usize).prop_map(|budget| Step::Succeed { budget }),
        1 => Just(Step::GiveBack),
        1 => Just(Step::Undo),
        1 => Just(Step::End),
    ]
}

proptest! {
    /// Whatever is done to three budgets under one: no balance leaves its range, a refusal changes nothing
    /// anywhere, a grant takes its price from exactly the two that pay, and what is given back comes
    /// back to both.
    #[test]
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    fn all_pay_or_none(steps in prop::collection::vec(step(), 0..200), burst in 1..8_u32) {
        let top = leak(Budget::new("top").burst(burst).ratio(0.25));
        let budgets: Vec<Budget> =
            (1..=3).map(|n| Budget::new("bottom").burst(2 * n).ratio(0.5).parent(top)).collect();
        let full: Vec<f64> = (1..=3_u32).map(|n| f64::from(2 * n)).chain([f64::from(burst)]).collect();
        let balances = || -> Vec<f64> {
            budgets.iter().chain([top]).map(Budget::balance).collect()
        };
        let mut running: Vec<(usize, Withdrawal)> = Vec::new();
        for step in steps {
            let before = balances();
            match step {
                Step::Retry { budget, cost } => {
                    let price = f64::from(cost.max(1));
                    let paid = budgets[budget].withdraw(cost, NOW);
                    let pays = |place: usize| place == budget || place == 3;
                    let possible = before[budget] >= price && before[3] >= price;
                    prop_assert_eq!(paid.is_some(), possible);
                    for (place, (before, after)) in before.iter().zip(balances()).enumerate() {
                        let taken = if possible && pays(place) { price } else { 0.0 };
                        prop_assert!((before - after - taken).abs() < 1e-9);
                    }
                    running.extend(paid.map(|paid| (budget, paid)));
                }
                Step::Succeed { budget } => budgets[budget].succeeded(None, NOW),
                Step::GiveBack | Step::Undo => {
                    if let Some((budget, paid)) = running.pop() {
                        match step {
                            Step::Undo => budgets[budget].undo(paid),
                            _ => budgets[budget].give_back(paid),
                        }
                        for place in [budget, 3] {
                            let expected = (before[place] + f64::from(paid.cost())).min(full[place]);
                            prop_assert!((balances()[place] - expected).abs() < 1e-9);
                        }
                    }
                }
                Step::End => {
                    if let Some((budget, paid)) = running.pop() {
                        budgets[budget].failed(&Classification::transient(), Some(paid), NOW);
                    }
                }
            }
            for (balance, full) in balances().iter().zip(&full) {
                prop_assert!((0.0..=*full).contains(balance));
            }
        }
        let below: u64 = budgets.iter().map(|budget| budget.stats().spent()).sum();
        prop_assert_eq!(below, top.stats().spent());
    }
}
