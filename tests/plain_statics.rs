//! A plain `static` that an attribute names answers to its name like one in `budget!`.

#[path = "support/bodies.rs"]
mod bodies;

use bodies::{Answer, Dependency, T, assert_balance, budget as row};
use stormless::{Budget, budget, budgets, control, retry, testing::isolated, warnings};

static PLAIN: Budget = Budget::new("plain").burst(2);

#[retry(attempts = 9, backoff = "none", budget = PLAIN, name = "by_path")]
async fn by_path(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 9, backoff = "none", budget = "plain", name = "by_name")]
async fn by_name(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn it_is_in_the_table_and_is_what_its_name_finds() {
    isolated(async {
        assert!(!row("plain").is_implicit());
        assert_eq!(row("plain").sites(), ["by_name", "by_path"]);
        assert_eq!(by_name(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        assert_balance("plain", 1.1);
        let dead = Dependency::dead();
        assert_eq!((by_path(&dead).await, dead.bodies()), (Err(T), 2));
        assert_eq!(by_name(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 3, "they share what it holds");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn its_own_methods_see_the_test_that_asks() {
    isolated(async {
        assert_eq!(by_path(&Dependency::dead()).await, Err(T));
        assert_eq!((PLAIN.balance(), PLAIN.stats().withdrawn), (0.0, 2));
    })
    .await;
    assert_eq!((PLAIN.balance(), PLAIN.stats().withdrawn), (2.0, 0));
}

#[tokio::test(start_paused = true)]
async fn it_can_be_switched_off_by_its_name() {
    isolated(async {
        control::budget("plain").expect("a function names it").off();
        assert!(PLAIN.is_off());
        let dead = Dependency::dead();
        assert_eq!((by_path(&dead).await, dead.bodies()), (Err(T), 1));
        control::budget("plain").expect("a function names it").on();
        assert!(!PLAIN.is_off());
        assert_eq!((by_path(&dead).await, dead.bodies()), (Err(T), 4));
        control::budget("plain").expect("a function names it").off();
    })
    .await;
    assert!(!PLAIN.is_off(), "the process has a switch of its own");
}

static LOOSE: Budget = Budget::new("plain.twice").burst(5);
budget! { static TIGHT: Budget = Budget::new("plain.twice").burst(1); }

#[retry(attempts = 9, backoff = "none", budget = LOOSE, name = "loose")]
async fn loose(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn of_two_declarations_the_tighter_one_pays_and_both_are_switched() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!((loose(&dead).await, dead.bodies()), (Err(T), 2));
        assert_eq!((TIGHT.balance(), LOOSE.balance()), (0.0, 5.0));
        control::budget("plain.twice").expect("two of them").off();
        assert!(LOOSE.is_off() && TIGHT.is_off() && row("plain.twice").is_off());
    })
    .await;
    assert!(!TIGHT.is_off() && !LOOSE.is_off());
    assert!(warnings().iter().any(|warning| warning.to_string().contains("`plain.twice`")));
}

#[retry(budget = "plain.undeclared")]
async fn never_called() -> Answer {
    Ok(())
}

#[tokio::test]
async fn a_name_that_a_function_uses_has_a_switch_before_the_first_call() {
    isolated(async {
        let switch = control::budget("plain.undeclared").expect("a function names it");
        switch.off();
        assert!(budgets().get("plain.undeclared").expect("listed").is_off());
        assert_eq!(never_called().await, Ok(()));
    })
    .await;
}
