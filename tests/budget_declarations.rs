//! Declarations of one name that differ, that repeat each other, and that come late.

#[path = "support/bodies.rs"]
mod bodies;

use bodies::{Answer, Dependency, T, assert_balance, budget as row};
use stormless::{
    Budget, Problem, Verify, Warning, budget, control, retry, testing::isolated, verify, warnings,
};

budget! {
    static LOOSE: Budget = Budget::new("declared.twice").burst(10).ratio(0.2);
    static TIGHT: Budget = Budget::new("declared.twice").burst(4).ratio(0.1);
    static SAME: Budget = Budget::new("declared.alike").burst(5).ratio(0.1);
    static AGAIN: Budget = Budget::new("declared.alike").burst(5).ratio(0.1);
}

#[retry(attempts = 2, backoff = "none", budget = LOOSE)]
async fn by_loose_static(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = TIGHT)]
async fn by_tight_static(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = "declared.twice")]
async fn by_name(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = budget())]
async fn by_expression(dependency: &Dependency) -> Answer {
    dependency.answer()
}

fn budget() -> &'static Budget {
    &LOOSE
}

fn differing() -> Warning {
    Warning::DifferingBudgets {
        name: "declared.twice".into(),
        kept: "`burst` 4 and `ratio` 0.1".into(),
        refused: "`burst` 10 and `ratio` 0.2".into(),
    }
}

#[tokio::test(start_paused = true)]
async fn of_declarations_that_differ_the_tighter_one_pays_for_all() {
    isolated(async {
        let dead = Dependency::dead();
        let mut results = Vec::new();
        for _ in 0..3 {
            results.push(by_loose_static(&dead).await);
            results.push(by_tight_static(&dead).await);
            results.push(by_name(&dead).await);
            results.push(by_expression(&dead).await);
        }
        assert_eq!(results, [Err(T); 12]);
        assert_eq!(dead.bodies(), 12 + 4);
        assert_balance("declared.twice", 0.0);
        let healthy = Dependency::always(Ok(()));
        assert_eq!(by_loose_static(&healthy).await, Ok(()));
        assert_balance("declared.twice", 0.1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_difference_is_warned_of_once_and_fails_the_verification() {
    isolated(async {
        for _ in 0..3 {
            assert_eq!(by_name(&Dependency::always(Ok(()))).await, Ok(()));
        }
        let differences: Vec<_> = warnings()
            .into_iter()
            .filter(|warning| matches!(warning, Warning::DifferingBudgets { .. }))
            .collect();
        assert_eq!(differences, [differing()]);
        let error = verify().expect_err("two declarations differ");
        let problem = Problem::DifferingBudgets(differing());
        assert_eq!(error.problems().iter().filter(|found| **found == problem).count(), 1);
        assert_eq!(
            problem.to_string(),
            "the budget `declared.twice` is declared twice and differently: `burst` 4 and `ratio` \
             0.1 is in force, `burst` 10 and `ratio` 0.2 is not"
        );
        assert!(error.to_string().contains(&problem.to_string()));
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = SAME)]
async fn same(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = AGAIN)]
async fn again(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn one_budget_declared_alike_in_two_places_is_not_twice_as_large() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..5 {
            assert_eq!([same(&dead).await, again(&dead).await], [Err(T); 2]);
        }
        assert_eq!(dead.bodies(), 10 + 5);
        assert_eq!(row("declared.alike").sites().len(), 2);
        control::budget("declared.alike").expect("it is declared").off();
        assert!(row("declared.alike").is_off());
    })
    .await;
}

#[retry(attempts = 4, backoff = "fixed", base = "1s", budget = "declared.late")]
async fn late(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_name_declared_after_its_first_use_takes_effect_on_the_next_call() {
    isolated(async {
        let (dead, early) = (Dependency::dead(), Dependency::dead());
        assert!(row("declared.late").is_implicit());
        let declared = async {
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            Budget::dynamic("declared.late").burst(2).declare().expect("it is new");
        };
        let (result, ()) = tokio::join!(late(&early), declared);
        // A call in progress goes on with the bucket that it began with.
        assert_eq!((result, early.bodies()), (Err(T), 4));
        assert!(!row("declared.late").is_implicit());
        assert_balance("declared.late", 2.0);
        assert_eq!((late(&dead).await, dead.bodies()), (Err(T), 3));
        assert_balance("declared.late", 0.0);
    })
    .await;
    assert!(!warnings().contains(&Warning::ImplicitBudget { name: "declared.late".into() }));
}

#[test]
fn a_limit_on_amplification_is_checked_for_every_declared_budget() {
    let error = Verify::new().max_amplification(1.05).run().expect_err("1.1 is above 1.05");
    let amplified = error.problems().iter().find_map(|problem| match problem {
        Problem::Amplification { name, worst, limit } if name == "declared.alike" => {
            Some((*worst, *limit, problem.to_string()))
        }
        _ => None,
    });
    let (worst, limit, text) = amplified.expect("the budget is listed");
    assert!((worst - 1.1).abs() < 1e-9 && (limit - 1.05).abs() < 1e-9);
    assert_eq!(
        text,
        "the budget `declared.alike` allows 1.10 attempts for each answered call, above the limit \
         of 1.05"
    );
    let error = Verify::new().max_amplification(1.1).run().expect_err("of the differing ones");
    assert!(
        !error.problems().iter().any(|problem| matches!(problem, Problem::Amplification { .. }))
    );
}
