//! What budgets with options make of calls.

#[path = "support/bodies.rs"]
mod bodies;

use bodies::{Answer, Dependency, Expensive, PE, T, assert_balance, budget as row, reasons};
use stormless::{
    Budget, Note, Problem, Refund, StopReason, budget, control, report, retry, testing::isolated,
    verify,
};

budget! {
    static SHARED: Budget = Budget::new("options.shared").burst(10).per_call(0.2);
    static FLOOR: Budget =
        Budget::new("options.floor").burst(1).ratio(0.0).floor(2, std::time::Duration::from_secs(10));
    static REFUNDED: Budget = Budget::new("options.refunded").burst(10).refund(Refund::LastCost);
    static REGION: Budget = Budget::new("options.region").burst(3);
    static ZONE: Budget = Budget::new("options.zone").burst(10).parent(&REGION);
    static OBSERVED: Budget = Budget::new("options.observed").burst(1).observe_only();
    static ALONE: Budget = Budget::new("options.alone");
    static CIRCLE: Budget = Budget::new("options.circle").parent(&CIRCLE);
}

macro_rules! calls {
    ($($name:ident: $budget:ident;)+) => {$(
        #[retry(attempts = 6, backoff = "none", budget = $budget)]
        async fn $name(dependency: &Dependency) -> Answer {
            dependency.answer()
        }
    )+};
}

calls! {
    shared: SHARED;
    floored: FLOOR;
    refunded: REFUNDED;
    zone: ZONE;
    observed: OBSERVED;
    circle: CIRCLE;
}

#[tokio::test(start_paused = true)]
async fn one_call_gets_its_share_and_leaves_the_rest_to_others() {
    isolated(async {
        for bodies in [3, 3, 3, 2] {
            let dependency = Dependency::dead();
            let (result, calls) = report(shared(&dependency)).await;
            assert_eq!((result, dependency.bodies()), (Err(T), bodies));
            let reason = Some(StopReason::BudgetExhausted);
            assert_eq!(reasons(&calls, calls[0].site()), [reason]);
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_floor_lives_on_successes_alone() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!(floored(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 2);
        assert_eq!(floored(&Dependency::always(Ok(()))).await, Ok(()));
        let dead = Dependency::dead();
        assert_eq!(floored(&dead).await, Err(T));
        assert_eq!((dead.bodies(), row("options.floor").stats().by_floor), (3, 2));
        tokio::time::advance(std::time::Duration::from_secs(11)).await;
        let dead = Dependency::dead();
        assert_eq!(floored(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 1);
        // An answer is a sign of life too.
        assert_eq!(floored(&Dependency::always(Err(PE))).await, Err(PE));
        let dead = Dependency::dead();
        assert_eq!(floored(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_last_retry_comes_back_when_it_succeeds() {
    isolated(async {
        let dependency = Dependency::script([Err(T), Err(Expensive), Ok(())]);
        assert_eq!(refunded(&dependency).await, Ok(()));
        assert_balance("options.refunded", 9.0);
        assert_eq!(refunded(&Dependency::always(Ok(()))).await, Ok(()));
        assert_balance("options.refunded", 9.1);
        let dependency = Dependency::script([Err(T), Err(PE)]);
        assert_eq!(refunded(&dependency).await, Err(PE));
        assert_balance("options.refunded", 8.2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_parent_pays_earns_and_switches_off_too() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!(zone(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 4);
        assert_balance("options.zone", 7.0);
        assert_balance("options.region", 0.0);
        for _ in 0..10 {
            assert_eq!(zone(&Dependency::always(Ok(()))).await, Ok(()));
        }
        assert_balance("options.zone", 8.0);
        assert_balance("options.region", 1.0);
        control::budget("options.region").expect("declared").off();
        let dead = Dependency::dead();
        let (_, calls) = report(zone(&dead)).await;
        assert_eq!((dead.bodies(), calls[0].reason()), (1, Some(StopReason::Disabled)));
        assert_balance("options.region", 1.0);
    })
    .await;
}

#[retry(attempts = 3, backoff = "none", budget = REGION)]
async fn around(dependency: &Dependency) -> Answer {
    zone(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_budget_above_the_inner_and_of_the_outer_call_pays_once() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!(around(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 3);
        assert_balance("options.region", 1.0);
        assert_balance("options.zone", 8.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_observer_lets_all_through_and_the_table_says_so() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!(observed(&dead).await, Err(T));
        assert_eq!((dead.bodies(), row("options.observed").stats().would_refuse), (6, 4));
        let table = stormless::budgets().to_string();
        let line = table.lines().find(|line| line.starts_with("options.observed")).expect("a row");
        assert!(line.contains("(observing)") && line.contains("would 4"), "{line}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_circle_of_budgets_grants_nothing_and_is_a_warning() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!(circle(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 1);
        assert!(stormless::warnings().iter().any(|warning| {
            let said = warning.to_string();
            said.contains("options.circle") && said.contains("in a circle")
        }));
    })
    .await;
}

#[test]
fn a_budget_that_only_stands_above_another_is_in_use() {
    let wrong = verify().expect_err("some come round in a circle");
    let circle = Problem::CircleOfBudgets { budgets: vec!["options.circle".to_owned()] };
    assert_eq!(wrong.problems(), [circle]);
    let unused = wrong.notes().iter().filter_map(|note| match note {
        Note::UnusedBudget { name } => Some(name.as_str()),
        _ => None,
    });
    assert_eq!(unused.collect::<Vec<_>>(), ["options.alone"]);
}
