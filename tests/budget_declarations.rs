//! Declarations of one name that differ, that repeat each other, and that come late.

#[path = "support/bodies.rs"]
mod bodies;

use bodies::{Answer, Dependency, T, assert_balance, budget as row};
use stormless::{
    Budget, Note, Problem, Verify, Warning, budget, control, retry, testing::isolated, verify,
    warnings,
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

#[retry(attempts = 3, backoff = "none", budget = "declared.history")]
async fn remembered(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_late_declaration_erases_no_history() {
    let taken = || row("declared.history").stats().withdrawn;
    let in_test = isolated(async {
        assert_eq!(remembered(&Dependency::dead()).await, Err(T));
        tokio::task::yield_now().await;
        let before = taken();
        Budget::new("declared.history").burst(1).declare().expect("it is new");
        let declared = taken();
        assert_eq!(remembered(&Dependency::dead()).await, Err(T));
        (before, declared, taken(), row("declared.history").stats().refused)
    });
    let in_process = async {
        assert_eq!(remembered(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
    };
    let (in_test, ()) = tokio::join!(in_test, in_process);
    assert_eq!(in_test, (2, 2, 3, 1));
    assert_eq!(taken(), 1, "the process has its own counts");
}

/// The note about one budget.
fn amplified(limit: f64) -> Option<Note> {
    let notes = match Verify::new().max_amplification(limit).run() {
        Ok(notes) => notes,
        Err(error) => error.notes().to_vec(),
    };
    notes
        .into_iter()
        .find(|note| matches!(note, Note::Amplification { name, .. } if name == "declared.alike"))
}

#[test]
fn a_bound_above_the_limit_is_noted_and_is_no_error() {
    let Some(note @ Note::Amplification { worst, limit, .. }) = &amplified(1.05) else {
        panic!("1.1 is above 1.05");
    };
    assert!((worst - 1.1).abs() < 1e-9 && (limit - 1.05).abs() < 1e-9);
    assert_eq!(
        note.to_string(),
        "the budget `declared.alike` allows 1.10 attempts for each answered call, above the limit \
         of 1.05"
    );
    assert_eq!(amplified(1.1), None);
}
