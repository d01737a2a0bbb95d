//! Names of budgets that nobody declared: never unlimited, and never silent.

#[path = "support/bodies.rs"]
mod bodies;

use bodies::{Answer, Dependency, T, assert_balance, budget as row, site};
use stormless::{
    Budget, Note, Problem, StopReason, Warning, budget, budgets, retry, testing::isolated, verify,
    warnings,
};

budget! {
    static PAYMENTS: Budget = Budget::new("payments").burst(20);
    static ORDERS: Budget = Budget::new("orders").burst(3);
}

#[retry(attempts = 2, backoff = "none", budget = "paymnts", name = "pay")]
async fn pay(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = "nowhere", name = "search")]
async fn search(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = "nowhere", name = "suggest")]
async fn suggest(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = ORDERS, name = "order")]
async fn order(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = "orders", name = "reorder")]
async fn reorder(dependency: &Dependency) -> Answer {
    dependency.answer()
}

fn implicit(name: &str) -> Warning {
    Warning::ImplicitBudget { name: name.to_owned() }
}

// R077
#[tokio::test(start_paused = true)]
async fn an_undeclared_name_is_a_default_bucket_that_its_functions_share() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..5 {
            assert_eq!([search(&dead).await, suggest(&dead).await], [Err(T); 2]);
        }
        assert_eq!(dead.bodies(), 10 + 10);
        assert_eq!(suggest(&dead).await, Err(T));
        assert_eq!((dead.bodies(), site("suggest").stops(StopReason::BudgetExhausted)), (21, 1));
        for _ in 0..10 {
            assert_eq!(search(&Dependency::always(Ok(()))).await, Ok(()));
        }
        assert_balance("nowhere", 1.0);
        assert!(row("nowhere").is_implicit());
        assert_eq!(row("nowhere").sites(), ["search", "suggest"]);
        let warned = warnings().iter().filter(|warning| **warning == implicit("nowhere")).count();
        assert_eq!(warned, 1, "once over many calls");
    })
    .await;
}

// R077, R179
#[tokio::test(start_paused = true)]
async fn verifying_names_every_budget_that_nobody_declared() {
    isolated(async {
        let error = verify().expect_err("two names are not declared");
        assert_eq!(
            error.problems(),
            [
                Problem::ImplicitBudget {
                    name: "nowhere".into(),
                    sites: vec!["search".into(), "suggest".into()],
                    nearest: None,
                },
                Problem::ImplicitBudget {
                    name: "paymnts".into(),
                    sites: vec!["pay".into()],
                    nearest: Some("payments".into()),
                },
            ]
        );
        assert_eq!(
            error.to_string(),
            "the budget `nowhere` is declared nowhere: declare it with `budget!` (used by search, \
             suggest)\n\
             the budget `paymnts` is declared nowhere: did you mean `payments`? (used by pay)"
        );
        // R179: that nobody uses the one that was meant is worth a note, and not an error.
        assert_eq!(error.notes(), [Note::UnusedBudget { name: "payments".into() }]);
        assert_eq!(
            error.notes()[0].to_string(),
            "the budget `payments` is declared, and no function names it"
        );
    })
    .await;
}

// R179
#[tokio::test(start_paused = true)]
async fn a_misspelt_name_does_not_borrow_the_settings_of_the_one_that_was_meant() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..30 {
            assert_eq!(pay(&dead).await, Err(T));
        }
        assert_eq!(dead.bodies(), 30 + 10);
        assert_balance("payments", 20.0);
        assert!(row("paymnts").is_implicit());
        assert!(!row("payments").is_implicit());
        assert_eq!((row("paymnts").sites(), row("payments").sites()), (&["pay"][..], &[][..]));
        assert_eq!(warnings(), [implicit("nowhere"), implicit("paymnts")]);
        assert_eq!(
            implicit("paymnts").to_string(),
            "the budget `paymnts` is declared nowhere and got the default bucket: declare it with \
             `budget!`, or mend its name"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_static_and_its_name_are_one_budget() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!([order(&dead).await, reorder(&dead).await, order(&dead).await], [Err(T); 3]);
        assert_balance("orders", 0.0);
        assert_eq!((reorder(&dead).await, dead.bodies()), (Err(T), 4 + 3));
        assert_eq!(row("orders").sites(), ["order", "reorder"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_table_lists_every_budget_with_its_bound() {
    isolated(async {
        assert_eq!(order(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        let text = budgets().to_string();
        let paragraphs: Vec<&str> = text.split("\n\n").collect();
        let table: Vec<&str> = paragraphs[0].lines().collect();
        assert_eq!(
            table,
            [
                "budget              balance  taken  refused  given back  sites",
                "nowhere (implicit)  10.0     0      0        0           2",
                "orders              2.1      1      0        0           2",
                "payments            20.0     0      0        0           0",
                "paymnts (implicit)  10.0     0      0        0           1",
            ]
        );
        let (warnings, bounds) = paragraphs[1..].split_last().expect("there are some");
        let implicit: Vec<_> = ["nowhere", "paymnts"].map(|name| implicit(name).to_string()).into();
        assert_eq!(warnings.replace("\n  ", " "), implicit.join("\n"));
        let bounds: Vec<_> = bounds.iter().map(|bound| bound.replace('\n', " ")).collect();
        assert_eq!(bounds.len(), 4);
        assert_eq!(bounds[1], format!("orders: {}", ORDERS.bound()));
        assert!(bounds[1].starts_with("orders: At most 3 retries at once, "), "{}", bounds[1]);
        assert!(bounds[2].starts_with("payments: At most 20 retries at once, "), "{}", bounds[2]);
        assert_eq!(PAYMENTS.name(), "payments");
    })
    .await;
}
