//! Which budget answers to a name. The table is one per process, so each test has its own names.

use std::thread;

use retry_runtime::__private::registry::{self, Conflict, Origin, Registered};
use retry_runtime::__private::{BudgetEntry, NamedBudget, inventory};
use retry_runtime::{Bound, Budget, ConfigError, DeclareError, Moment, budget, control};

/// The budget that answers to a name, if one does.
fn find(name: &str) -> Option<&'static Budget> {
    let registered = registry::snapshot().into_iter();
    registered.map(|entry| entry.holder).find(|budget| budget.name() == name)
}

const NOW: Moment = Moment::from_nanos(0);

budget! {
    static ORDERS: Budget = Budget::new("names-orders").burst(20);
    static TWICE_LOOSE: Budget = Budget::new("names-twice").burst(30).ratio(0.2);
    static TWICE_TIGHT: Budget = Budget::new("names-twice").burst(40).ratio(0.1);
    static TWICE_TIE: Budget = Budget::new("names-twice").burst(50).ratio(0.1);
    static SAME_ONE: Budget = Budget::new("names-same").burst(3);
    static SAME_OTHER: Budget = Budget::new("names-same").burst(3);
    static WINDOW: Budget = Budget::sliding_window("names-window").ratio(0.05);
    static NOT_WINDOW: Budget = Budget::new("names-window");
}

fn registered(name: &str) -> Registered {
    let found = registry::snapshot().into_iter().find(|entry| entry.holder.name() == name);
    found.unwrap_or_else(|| panic!("`{name}` is not in the table"))
}

fn drain(budget: &Budget) -> usize {
    (0..10_000).take_while(|_| budget.withdraw(1, NOW).is_some()).count()
}

fn bound_of(budget: &Budget) -> Bound {
    budget.bound()
}

#[test]
fn a_static_answers_to_its_name_without_a_start_up_call() {
    static SLOT: NamedBudget = NamedBudget::new("names-orders");
    assert!(std::ptr::eq(SLOT.resolve(), &raw const ORDERS));
    let entry = registered("names-orders");
    assert_eq!((entry.origin, entry.others.len()), (Origin::Declared, 0));
    assert!(find("names-orders").is_some_and(|found| std::ptr::eq(found, &raw const ORDERS)));
}

// R077
#[test]
fn an_undeclared_name_gets_the_default_bucket_and_is_listed_as_implicit() {
    static ONE: NamedBudget = NamedBudget::new("names-undeclared");
    static OTHER: NamedBudget = NamedBudget::new("names-undeclared");
    assert!(std::ptr::eq(ONE.resolve(), OTHER.resolve()), "one bucket for all sites");
    assert_eq!(ONE.resolve().bound(), bound_of(&Budget::new("names-undeclared")));
    assert_eq!(drain(ONE.resolve()), 10);
    assert_eq!(registered("names-undeclared").origin, Origin::Implicit);
    assert!(registry::implicit_names().contains(&"names-undeclared"));
}

// R179
#[test]
fn a_misspelt_name_does_not_reach_the_declared_budget() {
    let payments = Budget::dynamic("names-payments").burst(3).declare().expect("a new name");
    let misspelt = NamedBudget::new("names-paymnts");
    assert_eq!(drain(misspelt.resolve()), 10);
    assert_eq!(payments.stats().withdrawn, 0);
    assert!(registry::implicit_names().contains(&"names-paymnts"));
    assert!(!registry::implicit_names().contains(&"names-payments"));
    assert_eq!(find("names-pay").map(Budget::name), None);
}

#[test]
fn a_declaration_after_the_first_use_takes_effect_on_the_next_call() {
    let slot = NamedBudget::new("names-late");
    let implicit = slot.resolve();
    let paid = implicit.withdraw(1, NOW).expect("the bucket is full");

    let declared = Budget::dynamic("names-late").burst(50).declare().expect("not declared yet");
    assert!(std::ptr::eq(slot.resolve(), declared));
    assert!(std::ptr::eq(implicit.in_effect(), declared));

    // What was withdrawn goes back to where it came from.
    implicit.give_back(paid);
    assert_eq!(implicit.balance().to_string(), "10");
    assert_eq!(declared.stats().given_back, 0);

    let entry = registered("names-late");
    assert_eq!(entry.origin, Origin::Declared);
    assert!(entry.others.iter().any(|other| std::ptr::eq(*other, implicit)));
    assert!(!registry::implicit_names().contains(&"names-late"));
    assert!(registry::conflicts().iter().all(|conflict| conflict.name != "names-late"));
}

#[test]
fn the_same_declaration_again_returns_the_budget_that_is_there() {
    let declare = || Budget::dynamic("names-again").burst(7).declare();
    let first = declare().expect("a new name");
    assert!(std::ptr::eq(first, declare().expect("the same settings")));
    let tokens = Budget::tokens("names-tokens", 100, 10, 1).declare().expect("a new name");
    let bucket = Budget::dynamic("names-tokens").declare().expect("settings that mean the same");
    assert!(std::ptr::eq(tokens, bucket));
}

#[test]
fn of_declarations_that_differ_the_tighter_one_is_in_effect_from_the_next_call_on() {
    let slot = NamedBudget::new("names-differ");
    let first = Budget::dynamic("names-differ").burst(20).declare().expect("a new name");
    assert!(std::ptr::eq(slot.resolve(), first));

    let looser = Budget::dynamic("names-differ").burst(21).declare();
    assert_eq!(
        looser.expect_err("a larger burst").to_string(),
        "budget `names-differ` is declared with `burst` 20 and `ratio` 0.1 and again with `burst` \
         21 and `ratio` 0.1, and the tighter of the two is in effect: declare it once, or give \
         each its own name"
    );
    assert!(std::ptr::eq(slot.resolve(), first));

    let tighter = Budget::dynamic("names-differ").burst(90).ratio(0.05).declare();
    assert!(matches!(tighter, Err(DeclareError::Differs { name: "names-differ", .. })));
    assert_eq!(slot.resolve().bound().burst(), Some(90.0));
    assert!(std::ptr::eq(slot.resolve(), first.in_effect()));

    let repeated = Budget::dynamic("names-differ").burst(21).declare();
    assert!(repeated.is_err());
    let conflicts: Vec<Conflict> = registry::conflicts();
    let conflict = conflicts.iter().find(|conflict| conflict.name == "names-differ");
    let conflict = conflict.expect("it is recorded");
    let others: Vec<_> = conflict.others.iter().map(ToString::to_string).collect();
    assert_eq!(others, ["`burst` 20 and `ratio` 0.1", "`burst` 21 and `ratio` 0.1"]);
    assert_eq!(conflict.in_effect.to_string(), "`burst` 90 and `ratio` 0.05");
}

#[test]
fn of_statics_that_differ_the_tighter_one_wins_whatever_the_link_order() {
    let slot = NamedBudget::new("names-twice");
    for budget in [&TWICE_LOOSE, &TWICE_TIGHT, &TWICE_TIE] {
        assert!(std::ptr::eq(budget.in_effect(), &raw const TWICE_TIGHT));
    }
    assert!(std::ptr::eq(slot.resolve(), &raw const TWICE_TIGHT));
    let window = NamedBudget::new("names-window");
    assert!(std::ptr::eq(window.resolve(), &raw const WINDOW), "5.3 % is tighter than 10 %");
    assert!(std::ptr::eq(NOT_WINDOW.in_effect(), &raw const WINDOW));

    let conflicts = registry::conflicts();
    let conflict = conflicts.iter().find(|conflict| conflict.name == "names-twice");
    let others = &conflict.expect("it is recorded").others;
    let others: Vec<_> = others.iter().map(ToString::to_string).collect();
    assert_eq!(others, ["`burst` 50 and `ratio` 0.1", "`burst` 30 and `ratio` 0.2"]);
}

#[test]
fn equal_statics_of_one_name_share_one_balance() {
    assert!(std::ptr::eq(SAME_ONE.in_effect(), SAME_OTHER.in_effect()));
    assert_eq!(drain(SAME_ONE.in_effect()), 3);
    assert_eq!(drain(SAME_OTHER.in_effect()), 0);
    assert!(registry::conflicts().iter().all(|conflict| conflict.name != "names-same"));
}

#[test]
fn an_entry_that_is_submitted_twice_changes_nothing() {
    static DOUBLE: Budget = Budget::new("names-double");
    inventory::submit! { BudgetEntry(&DOUBLE) }
    inventory::submit! { BudgetEntry(&DOUBLE) }
    assert!(std::ptr::eq(DOUBLE.in_effect(), &raw const DOUBLE));
    assert_eq!(registered("names-double").others.len(), 0);
}

#[test]
fn a_faulty_budget_is_not_declared() {
    let refused = Budget::dynamic("names-faulty").ratio(f64::NAN).declare();
    let Err(DeclareError::Faulty { name, fault: ConfigError::Ratio(ratio), .. }) = refused else {
        panic!("expected a faulty ratio, got {refused:?}");
    };
    assert_eq!((name.as_str(), ratio.is_nan()), ("names-faulty", true));
    assert!(find("names-faulty").is_none());
}

#[test]
fn what_is_switched_off_stays_off_when_another_declaration_takes_over() {
    let slot = NamedBudget::new("names-off");
    let implicit = slot.resolve();
    control::budget("names-off").expect("it is in use").off();
    let declared = Budget::dynamic("names-off").burst(5).declare().expect("not declared yet");
    assert!(declared.is_off());
    assert!(implicit.is_off());
    control::budget("names-off").expect("it is declared").on();
    assert!(!declared.is_off() && !implicit.is_off());
}

#[test]
fn threads_that_use_and_declare_a_name_at_once_end_at_one_budget() {
    static SLOT: NamedBudget = NamedBudget::new("names-raced");
    thread::scope(|scope| {
        for thread in 0..8_u32 {
            scope.spawn(move || {
                SLOT.resolve();
                // Either of the errors and the success are right; what counts is the end.
                let _raced = Budget::dynamic("names-raced").burst(30 - thread).declare();
                SLOT.resolve().deposit();
            });
        }
    });
    assert_eq!(SLOT.resolve().bound().burst(), Some(23.0));
    assert!(std::ptr::eq(SLOT.resolve(), registered("names-raced").holder));
}
