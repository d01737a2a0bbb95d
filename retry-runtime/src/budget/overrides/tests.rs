use std::time::Duration;

use proptest::prelude::*;

use super::{KEYS, check_value};
use crate::budget::build::RETRY;
use crate::control::Value;
use crate::leaked::leak;
use crate::names::Told;
use crate::{Budget, BudgetSettings, Classification, DeclareError, Moment, Withdrawal, budgets};

const NOW: Moment = Moment::from_nanos(0);
const SECOND: u64 = 1_000_000_000;

fn at(seconds: u64) -> Moment {
    Moment::from_nanos(seconds * SECOND)
}

fn told<const N: usize>(settings: [(&'static str, Value); N]) -> Told {
    settings.into()
}

fn declared(budget: Budget) -> &'static Budget {
    budget.declare().expect("nobody else has its name")
}

/// How many retries it grants until it refuses one.
fn granted(budget: &Budget, now: Moment) -> usize {
    (0..1_000).take_while(|_| budget.withdraw(1, now).is_some()).count()
}

#[derive(Clone, Debug)]
enum Step {
    Numbers(u32, f64),
    Restore,
    Answer,
    Withdraw(u32),
    GiveBack(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => (1..40_u32, 0.0..1.5).prop_map(|(burst, ratio)| Step::Numbers(burst, ratio)),
        1 => Just(Step::Restore),
        4 => Just(Step::Answer),
        6 => (1..4_u32).prop_map(Step::Withdraw),
        2 => (0..8_usize).prop_map(Step::GiveBack),
    ]
}

proptest! {
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn whatever_changes_a_bucket_holds_what_its_numbers_allow_and_keeps_their_bound(
        steps in prop::collection::vec(step(), 1..120), keeps_looking in any::<bool>(),
    ) {
        let budget = Budget::new("numbers-property").burst(10).ratio(0.5);
        // One that never looks full counts in the same way.
        let floor = Duration::from_nanos(1);
        let budget = if keeps_looking { budget.floor(1, floor) } else { budget };
        let budget = leak(Box::new(budget));
        let (mut capacity, mut earned) = (10 * RETRY, RETRY / 2);
        let mut held = capacity;
        let mut paid: Vec<Withdrawal> = Vec::new();
        // Since the numbers changed last: what can have been granted at most, and what was.
        let (mut allowed, mut taken) = (held, 0);
        for step in steps {
            match step {
                Step::Numbers(..) | Step::Restore => {
                    let settings = match step {
                        Step::Numbers(burst, ratio) => {
                            told([("burst", burst.into()), ("ratio", ratio.into())])
                        }
                        _ => Told::new(),
                    };
                    budget.go_by(&settings, NOW);
                    let before = capacity;
                    let BudgetSettings::TokenBucket { burst, ratio, .. } = budget.settings() else {
                        panic!("it is a bucket");
                    };
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
                    let units = |number: f64| (number * 1e9).round() as u64;
                    (capacity, earned) = (units(burst), units(ratio));
                    held = if held == before { capacity } else { held.min(capacity) };
                    (allowed, taken) = (capacity, 0);
                }
                Step::Answer => {
                    budget.succeeded(None, NOW);
                    held = (held + earned).min(capacity);
                    allowed += earned;
                }
                Step::Withdraw(cost) => {
                    // Long after the last success, so that no floor grants it.
                    let receipt = budget.withdraw(cost, at(100));
                    let fits = u64::from(cost) * RETRY <= held;
                    prop_assert_eq!(receipt.is_some(), fits);
                    if let Some(receipt) = receipt {
                        held -= u64::from(cost) * RETRY;
                        taken += u64::from(cost) * RETRY;
                        paid.push(receipt);
                    }
                }
                Step::GiveBack(which) if which < paid.len() => {
                    let receipt = paid.swap_remove(which);
                    budget.give_back(receipt);
                    held = (held + u64::from(receipt.cost()) * RETRY).min(capacity);
                    allowed += u64::from(receipt.cost()) * RETRY;
                }
                Step::GiveBack(_) => {}
            }
            prop_assert_eq!(budget.bucket.available(), held);
            prop_assert_eq!(budget.bucket.capacity(), capacity);
            prop_assert!(held <= capacity && taken <= allowed);
        }
    }
}

#[test]
fn a_change_is_seen_in_settings_bound_and_tables_and_goes_away_without_a_trace() {
    let budget = declared(Budget::dynamic("numbers-seen").burst(10).ratio(0.1));
    let before = (budget.settings(), budget.bound().to_string(), budgets().to_string());
    budget.override_numbers(&told([("burst", 3.into()), ("ratio", 0.5.into())]), NOW);
    assert_eq!(budget.settings().to_string(), "`burst` 3 and `ratio` 0.5");
    assert_eq!(budget.declared_settings(), before.0);
    assert_eq!(budget.bound().burst(), Some(3.0));
    assert!(budgets().to_string().contains("numbers-seen: At most 3 retries at once, then 0.5"));
    assert!(budget.balance() <= 3.0);
    assert_eq!(granted(budget, NOW), 3);
    budget.restore_numbers(NOW);
    assert_eq!((budget.settings(), budget.bound().to_string()), (before.0, before.1));
    assert!(budget.balance() <= 0.0, "what was spent stays spent");
}

// R145
#[test]
fn changing_twice_and_declaring_again_is_harmless_and_the_newest_numbers_are_shown() {
    let make = || Budget::dynamic("numbers-twice").burst(10);
    let budget = declared(make());
    budget.override_numbers(&told([("burst", 3.into())]), NOW);
    budget.override_numbers(&told([("burst", 4.into()), ("per_call", 0.5.into())]), NOW);
    budget.override_numbers(&told([("burst", 5.into())]), NOW);
    assert_eq!(budget.settings().burst(), Some(5.0));
    assert_eq!(budget.settings().options().per_call, None, "it is said no more");
    // Compared with what was declared, and not with what is in force.
    assert!(std::ptr::eq(make().declare().expect("the same again"), budget));
    let differs = make().burst(5).declare().expect_err("ten were declared");
    let DeclareError::Differs { declared, .. } = differs else { panic!("{differs}") };
    assert_eq!(declared.burst(), Some(10.0));
    assert_eq!(budget.in_effect().settings().burst(), Some(5.0), "whoever is in effect by now");
    budget.restore_numbers(NOW);
    budget.restore_numbers(NOW);
    assert_eq!(budget.in_effect().settings().burst(), Some(5.0), "the tighter declaration");
    assert_eq!(budget.settings().burst(), Some(10.0));
}

#[test]
fn who_takes_over_later_goes_by_the_same_numbers_and_leaves_out_what_it_does_not_have() {
    static SLOT: crate::__private::NamedBudget =
        crate::__private::NamedBudget::new("numbers-successor");
    let implicit = SLOT.resolve();
    let settings = told([("burst", 2.into()), ("ratio", 0.3.into())]);
    implicit.override_numbers(&settings, NOW);
    let bucket = declared(Budget::dynamic("numbers-successor").burst(50).ratio(0.4));
    assert_eq!(bucket.settings().to_string(), "`burst` 2 and `ratio` 0.3");
    assert_eq!(bucket.declared_settings().burst(), Some(50.0));
    assert!(std::ptr::eq(SLOT.resolve(), bucket));
    let window = Budget::dynamic("numbers-successor");
    let window = Budget { window: Budget::sliding_window("x").ratio(0.01).window, ..window };
    assert!(window.declare().is_err(), "it is tighter, and differs");
    let BudgetSettings::SlidingWindow { ratio, .. } = SLOT.resolve().settings() else {
        panic!("the window is in effect");
    };
    assert!((ratio - 0.3).abs() < 1e-9);
    bucket.restore_numbers(NOW);
    assert_eq!(bucket.settings().burst(), Some(50.0));
    assert!((SLOT.resolve().settings().steady_share() - 0.01 / 0.99).abs() < 1e-9);
}

#[test]
fn the_buckets_of_keys_change_with_their_budget() {
    let budget = declared(Budget::dynamic("numbers-keys").burst(10));
    let old = budget.keyed("old");
    assert_eq!(granted(&old, NOW), 10);
    budget.override_numbers(&told([("burst", 3.into())]), NOW);
    let new = budget.keyed("new");
    assert_eq!((old.settings().burst(), new.settings().burst()), (Some(3.0), Some(3.0)));
    assert_eq!((new.balance(), old.balance()), (3.0, 0.0));
    assert_eq!(new.declared_settings().burst(), Some(10.0));
    budget.restore_numbers(NOW);
    assert_eq!((old.settings().burst(), new.settings().burst()), (Some(10.0), Some(10.0)));
    assert_eq!((new.balance(), old.balance()), (10.0, 0.0), "full stays full, and empty empty");
}

#[cfg_attr(miri, ignore = "every number of every kind, on one thread")]
#[test]
fn each_kind_has_its_own_numbers_and_says_which() {
    let floored = Budget::new("kinds").floor(5, Duration::from_secs(1)).shed(2.0);
    let kinds: [(Budget, &[&str]); 7] = [
        (Budget::new("kinds"), &["burst", "ratio", "per_call"]),
        (floored, &["burst", "ratio", "per_call", "floor", "floor_silence", "shed"]),
        (Budget::aws_standard("kinds"), &["capacity", "reward", "per_call"]),
        (Budget::sliding_window("kinds"), &["ratio", "window", "min_samples", "per_call"]),
        (Budget::finagle_per_success("kinds"), &["ratio", "window", "reserve", "per_call"]),
        (Budget::envoy("kinds"), &["ratio", "min_concurrency", "per_call"]),
        (Budget::grpc_throttling("kinds", 10, 0.1), &["max_tokens", "token_ratio", "per_call"]),
    ];
    let example = |key: &str| match key {
        "window" | "floor_silence" => Value::from("7s"),
        "ratio" | "token_ratio" | "per_call" => Value::from(0.75),
        "shed" => Value::from(3),
        _ => Value::from(77),
    };
    for (budget, has) in kinds {
        let budget = leak(Box::new(budget));
        assert_eq!(budget.number_keys(), has);
        for key in KEYS {
            let value = example(key);
            assert_eq!(check_value(key, &value), Ok(()), "{key}");
            let checked = budget.check_number(key, &value);
            assert_eq!(checked.is_ok(), has.contains(key), "{key} {checked:?}");
            let before = budget.settings();
            budget.go_by(&vec![(*key, value)], NOW);
            assert_eq!(budget.settings() != before, has.contains(key), "{key}");
            let shown = budget.settings().to_string();
            let number = if matches!(example(key), Value::Float(_)) { "0.75" } else { "7" };
            assert!(
                !has.contains(key) || shown.contains(number) || *key == "shed" || *key == "reward",
                "{key} {shown}"
            );
            budget.go_by(&Told::new(), NOW);
            assert_eq!(budget.settings(), before, "{key}");
        }
    }
}

#[test]
fn what_is_not_allowed_is_refused_with_what_is() {
    let budget = Budget::new("refusals").cost_of(crate::Kind::Throttled, 4);
    let say = |key: &str, value: Value| budget.check_number(key, &value).unwrap_err().to_string();
    assert_eq!(say("burst", 0.into()), "it must be a whole number of at least 1");
    assert_eq!(say("burst", 3.into()), "it must be a whole number of at least 4");
    assert_eq!(say("burst", 2.5.into()), "it must be a whole number of at least 1");
    assert_eq!(say("ratio", (-0.1).into()), "it must be a finite number of at least 0");
    assert_eq!(say("ratio", f64::NAN.into()), "it must be a finite number of at least 0");
    assert_eq!(say("per_call", 1.5.into()), "it must be a number above 0 and at most 1");
    assert_eq!(
        say("floor", 5.into()),
        "it has no `floor`: declare one; this one has `burst`, `ratio`, `per_call`"
    );
    assert_eq!(
        say("min_samples", 5.into()),
        "it is not a number of this kind of budget; this one has `burst`, `ratio`, `per_call`"
    );
    assert!(say("bursts", 5.into()).contains("did you mean `burst`?"));
    let window = Budget::sliding_window("refusals");
    let say = |key: &str, value: Value| window.check_number(key, &value).unwrap_err().to_string();
    assert!(say("ratio", 1.into()).contains("below 1"));
    assert!(say("window", 5.into()).contains("`5` has no unit, write \"5ms\""));
    assert!(say("window", "0s".into()).contains("above zero"));
    let both = told([("ratio", 0.5.into()), ("burst", 3.into())]);
    let both = both.iter().map(|(key, value)| (*key, value));
    assert_eq!(window.check_numbers(both).map_err(|(key, _)| key), Err("burst"));
}

#[cfg_attr(miri, ignore = "thousands of attempts on one thread")]
#[test]
fn a_window_of_another_length_starts_empty_and_goes_on_moving() {
    let budget = leak(Box::new(Budget::sliding_window("lengths").ratio(0.1).min_samples(1)));
    let mut now = 1_000;
    for length in ["10s", "600s", "1s", "1h"] {
        budget.go_by(&told([("window", length.into())]), at(now));
        assert_eq!(granted(budget, at(now)), 0, "nothing was counted in it yet");
        for _ in 0..5 {
            (0..100).for_each(|_| budget.record_attempt(at(now)));
            assert_eq!(granted(budget, at(now)), 10, "{length} {now}");
            let BudgetSettings::SlidingWindow { window, .. } = budget.settings() else {
                panic!("it is a window");
            };
            now += window.as_secs() + window.as_secs() / 10 + 1;
        }
    }
    budget.go_by(&Told::new(), at(now));
    (0..100).for_each(|_| budget.record_attempt(at(now)));
    assert_eq!(granted(budget, at(now)), 10);
}

#[test]
fn numbers_that_time_and_calls_go_by_are_those_in_force() {
    let budget = leak(Box::new(Budget::envoy("flight").min_concurrency(3)));
    budget.go_by(&told([("min_concurrency", 1.into())]), NOW);
    assert_eq!(granted(budget, NOW), 1);
    budget.go_by(&Told::new(), NOW);
    assert_eq!(granted(budget, NOW), 2);

    let budget = leak(Box::new(Budget::new("floor").burst(1).ratio(0.0).floor(2, Duration::MAX)));
    budget.go_by(&told([("floor", 7.into()), ("floor_silence", "5s".into())]), NOW);
    budget.succeeded(None, NOW);
    assert_eq!(granted(budget, NOW), 1 + 7);
    assert_eq!(granted(budget, at(6)), 0, "it is silent");
    budget.go_by(&Told::new(), NOW);
    assert_eq!(granted(budget, at(6)), 2);

    let budget = leak(Box::new(Budget::new("share").burst(10)));
    budget.go_by(&told([("per_call", 0.1.into())]), NOW);
    let third = |budget: &Budget| budget.withdraw_for(&Classification::transient(), 3, NOW);
    assert!(third(budget).is_none());
    budget.go_by(&Told::new(), NOW);
    assert!(third(budget).is_some());

    let budget = leak(Box::new(Budget::finagle_per_request("reserve").reserve(0).ratio(0.0)));
    assert_eq!(granted(budget, NOW), 0);
    budget.go_by(&told([("reserve", 2.into())]), NOW);
    assert_eq!(granted(budget, NOW), 20);
}

#[cfg(feature = "testing")]
#[test]
fn an_isolated_test_has_numbers_of_its_own() {
    use crate::testing::isolated_sync;

    let budget = declared(Budget::dynamic("numbers-isolated").burst(10));
    budget.override_numbers(&told([("burst", 3.into())]), NOW);
    isolated_sync(|| {
        assert_eq!(budget.settings().burst(), Some(10.0), "what was declared");
        budget.override_numbers(&told([("burst", 5.into())]), NOW);
        assert_eq!(budget.settings().burst(), Some(5.0));
        assert_eq!(budget.bound().burst(), Some(5.0));
        let tighter = Budget::dynamic("numbers-isolated").burst(2).declare();
        assert!(tighter.is_err());
        let next = budget.in_effect();
        assert_eq!(next.settings().burst(), Some(5.0), "also who takes over here");
        isolated_sync(|| assert_eq!(next.settings().burst(), Some(2.0)));
    });
    assert_eq!(budget.settings().burst(), Some(3.0));
    assert_eq!(budget.in_effect().settings().burst(), Some(3.0));
}
