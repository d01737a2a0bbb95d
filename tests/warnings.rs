//! What is kept for the tables, once for each function and thing, and where they show it.

#[path = "support/bodies.rs"]
mod bodies;
#[path = "support/bomb.rs"]
mod bomb;
#[path = "support/listening.rs"]
mod listening;

use std::{panic::AssertUnwindSafe, time::Duration};

use bodies::{Answer, Dependency, P, T, assert_balance, ms, site};
use futures_util::FutureExt;
use listening::listening;
use stormless::{
    Breaker, BreakerState, Budget, BudgetRow, ConfigError, Policy, RetryEvent, SiteRow, Warning,
    breakers, budgets, retry, sites, testing::isolated, warnings,
};

#[retry(policy = Policy::new().base(ms(30_000 + step)).max(ms(1)), budget = none, name = "drifting")]
async fn drifting(step: u64, dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(policy = Policy::new().factor(f64::NAN), budget = none, name = "not_a_number")]
async fn not_a_number(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_faulty_policy_is_one_warning_for_each_function_whatever_its_values() {
    isolated(async {
        let dead = Dependency::dead();
        for step in 0..1_000 {
            assert_eq!(drifting(step, &dead).await, Err(T));
            assert_eq!(not_a_number(&dead).await, Err(T));
        }
        let kept = warnings();
        let of = |name: &str| {
            let wanted = |warning: &&Warning| matches!(warning, Warning::FaultyPolicy { site, .. } if *site == name);
            kept.iter().filter(wanted).count()
        };
        assert_eq!((of("drifting"), of("not_a_number")), (1, 1));
    })
    .await;
}

fn leaked(name: &str, ratio: f64) -> &'static Budget {
    Box::leak(Box::new(Budget::dynamic(name).ratio(ratio)))
}

#[retry(attempts = 2, backoff = "none", budget = budget, name = "paying")]
async fn paying(budget: &'static Budget, dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_faulty_budget_is_one_warning_for_each_function_and_budget() {
    isolated(async {
        let dead = Dependency::dead();
        for ratio in [f64::NAN, f64::NAN, -1.0, -2.0] {
            for name in ["one", "other"] {
                assert_eq!(paying(leaked(name, ratio), &dead).await, Err(T));
            }
        }
        let names: Vec<String> = warnings()
            .into_iter()
            .filter_map(|warning| match warning {
                Warning::FaultyBudget { site: "paying", budget, .. } => Some(budget),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["one", "other"]);
        for text in [sites().to_string(), budgets().to_string()] {
            assert!(text.contains("the budget `one` that pays for `paying` is faulty"), "{text}");
        }
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = none, breaker = FAULTY, cut_error = |_| T,
        name = "asking")]
async fn asking(dependency: &Dependency) -> Answer {
    dependency.answer()
}

/// Nobody has checked it.
static FAULTY: Breaker = Breaker::new("faulty").consecutive(0);

#[tokio::test(start_paused = true)]
async fn a_faulty_breaker_is_one_warning_and_works_with_the_settings_that_make_sense() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..2 {
            assert_eq!(asking(&dead).await, Err(T));
        }
        let fault = ConfigError::ZeroCount("consecutive");
        let wanted = Warning::FaultyBreaker { site: "asking", breaker: "faulty".to_owned(), fault };
        assert_eq!(warnings().iter().filter(|warning| **warning == wanted).count(), 1);
        for text in [sites().to_string(), breakers().to_string()] {
            assert!(text.contains("the breaker `faulty` that `asking` asks is faulty"), "{text}");
        }
        // It opens after five failures, as one that was given no rule.
        assert_eq!(FAULTY.state(), BreakerState::Closed);
        assert_eq!(asking(&dead).await, Err(T));
        assert_eq!(FAULTY.state(), BreakerState::Open);
    })
    .await;
}

fn panics<E>(_: &RetryEvent<'_, E>) {
    bomb::explode()
}

#[retry(attempts = 3, backoff = "none", budget = none, on_retry = panics, name = "hooked")]
async fn hooked(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = none, name = "panicking")]
async fn panicking() -> Answer {
    panic!("on purpose");
}

#[tokio::test(start_paused = true)]
async fn the_table_of_functions_lists_panics_and_warnings() {
    isolated(async {
        assert_eq!(hooked(&Dependency::script([Err(T), Err(T), Err(P)])).await, Err(P));
        let panicked = AssertUnwindSafe(panicking()).catch_unwind().await;
        assert!(panicked.is_err());
        assert_eq!((site("panicking").panics(), site("hooked").hook_panics()), (1, 2));
        let text = sites().to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        let of = |name: &str, count: usize| {
            let at = words.iter().position(|word| *word == name).expect("it is listed");
            words[at + 7..][..count].join(" ")
        };
        assert_eq!(of("panicking", 2), "1 panicked", "{text}");
        assert_eq!(of("hooked", 4), "1 permanent, 2 hooks_panicked", "{text}");
        assert!(text.ends_with("\n\nthe hook `on_retry` of `hooked` panicked"), "{text}");
    })
    .await;
}

#[test]
fn the_tables_are_iterated_by_reference() {
    let (sites, budgets) = (sites(), budgets());
    let mut names = Vec::new();
    for row in &sites {
        names.push(row.name());
    }
    assert_eq!(names, sites.iter().map(SiteRow::name).collect::<Vec<_>>());
    assert!(names.contains(&"hooked".to_owned()));
    let mut names = Vec::new();
    for row in &budgets {
        names.push(row.name());
    }
    assert_eq!(names, budgets.iter().map(BudgetRow::name).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn the_balance_of_a_window_is_as_of_now() {
    static WINDOW: Budget =
        Budget::sliding_window("warnings.window").min_samples(3).window(Duration::from_secs(6));
    #[retry(backoff = "none", budget = WINDOW)]
    async fn sampled(dependency: &Dependency) -> Answer {
        dependency.answer()
    }
    isolated(async {
        assert_balance("warnings.window", 2.0);
        assert_eq!(sampled(&Dependency::dead()).await, Err(T));
        assert_balance("warnings.window", 0.0);
        tokio::time::advance(Duration::from_secs(3_600)).await;
        assert_balance("warnings.window", 2.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_observer_is_warned_once_whenever_it_came() {
    isolated(async {
        let (early, by_early) = listening();
        for _ in 0..2 {
            assert_eq!(hooked(&Dependency::script([Err(T), Err(P)])).await, Err(P));
        }
        let (late, by_late) = listening();
        assert_eq!(asking(&Dependency::dead()).await, Err(T));
        let wanted: Vec<_> = [
            "the hook `on_retry` of `hooked` panicked",
            "the breaker `faulty` that `asking` asks is faulty: `consecutive`",
        ]
        .into();
        for told in [by_early(&early), by_late(&late)] {
            let same = told.iter().zip(&wanted).all(|(told, wanted)| told.starts_with(wanted));
            assert!(same && told.len() == wanted.len(), "{told:?}");
        }
    })
    .await;
}
