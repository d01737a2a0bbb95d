//! Which breaker answers to a name. The table is one per process, so each test has its own names.

#[path = "common/breakers.rs"]
mod breakers;

use std::time::Duration;

use breakers::{at, call, start};
use retry_runtime::__private::{NamedBreaker, Seen};
use retry_runtime::{
    Breaker, BreakerRow, BreakerState, ConfigError, DeclareError, Note, Problem, Warning, breaker,
    breakers as table, verify, warnings,
};

breaker! {
    static ORDERS: Breaker = Breaker::new("names-orders").consecutive(3);
    static TWICE_LOOSE: Breaker = Breaker::new("names-twice").consecutive(9);
    static TWICE_TIGHT: Breaker = Breaker::new("names-twice").consecutive(4);
    static TWICE_BETWEEN: Breaker = Breaker::new("names-twice").consecutive(6);
    static SAME_ONE: Breaker = Breaker::new("names-same").consecutive(2);
    static SAME_OTHER: Breaker = Breaker::new("names-same").consecutive(2);
}

#[track_caller]
fn row(name: &str) -> BreakerRow {
    table().get(name).cloned().unwrap_or_else(|| panic!("`{name}` is not in the table"))
}

#[test]
fn a_static_answers_to_its_name_without_a_start_up_call() {
    static SLOT: NamedBreaker = NamedBreaker::new("names-orders");
    assert!(std::ptr::eq(SLOT.resolve(), &raw const ORDERS));
    assert!(std::ptr::eq(ORDERS.in_effect(), &raw const ORDERS));
    assert!(!row("names-orders").is_implicit());
    assert!(std::ptr::eq(row("names-orders").breaker(), &raw const ORDERS));
}

#[test]
fn an_undeclared_name_gets_the_default_breaker_and_is_reported() {
    static ONE: NamedBreaker = NamedBreaker::new("names-ordres");
    static OTHER: NamedBreaker = NamedBreaker::new("names-ordres");
    assert!(std::ptr::eq(ONE.resolve(), OTHER.resolve()), "one breaker for all sites");
    let row = row("names-ordres");
    assert!(row.is_implicit());
    assert_eq!(row.settings(), Breaker::new("x").settings());
    assert!(warnings().contains(&Warning::ImplicitBreaker { name: "names-ordres".into() }));
    let problems = verify().expect_err("it is declared nowhere");
    let found = problems.problems().iter().find(|problem| {
        matches!(problem, Problem::ImplicitBreaker { name, .. } if name == "names-ordres")
    });
    assert_eq!(
        found.map(ToString::to_string).as_deref(),
        Some(
            "the breaker `names-ordres` is declared nowhere: did you mean `names-orders`? (used by no \
             linked function)"
        )
    );
    let unused = Note::UnusedBreaker { name: "names-orders".into() };
    assert!(problems.notes().contains(&unused));
    assert_eq!(
        unused.to_string(),
        "the breaker `names-orders` is declared, and no function names it"
    );
}

#[test]
fn of_declarations_that_differ_the_one_that_opens_sooner_is_in_effect() {
    let slot = NamedBreaker::new("names-twice");
    for known in [slot.resolve(), TWICE_LOOSE.in_effect(), TWICE_BETWEEN.here()] {
        assert!(std::ptr::eq(known, &raw const TWICE_TIGHT));
    }
    let differing: Vec<_> = warnings()
        .into_iter()
        .filter(|warning| matches!(warning, Warning::DifferingBreakers { name, .. } if name == "names-twice"))
        .collect();
    assert_eq!(differing.len(), 2);
    assert_eq!(
        differing[0].to_string(),
        "the breaker `names-twice` is declared twice and differently: `consecutive` 4, `window` 60s, \
         `open_for` 30s, `probes` 1 is in force, `consecutive` 6, `window` 60s, `open_for` 30s, \
         `probes` 1 is not"
    );
    let problems = verify().expect_err("they differ");
    assert!(problems.problems().contains(&Problem::DifferingBreakers(differing[1].clone())));
}

#[cfg_attr(miri, ignore = "sixteen pairs of declarations")]
#[test]
fn the_order_of_declarations_is_by_what_opens_it_sooner() {
    // Each is looser than the one before it.
    let order: [fn() -> Breaker; 9] = [
        || Breaker::new("x").consecutive_timeouts(2),
        || Breaker::new("x").consecutive(3).failure_rate(0.2),
        || Breaker::new("x").consecutive(3).failure_rate(0.4),
        || Breaker::new("x").consecutive(3).window(Duration::from_secs(90)),
        || Breaker::new("x").consecutive(3).open_for(Duration::from_secs(60)),
        || Breaker::new("x").consecutive(3),
        || Breaker::new("x").consecutive(3).probes(2),
        || Breaker::new("x").failure_rate(0.1).min_calls(4),
        || Breaker::new("x").slow_calls(0.1, Duration::from_secs(1)),
    ];
    for (number, pair) in order.windows(2).enumerate() {
        for turned in [false, true] {
            let (first, second) = if turned { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
            let name = format!("names-order-{number}-{turned}");
            let renamed = |make: fn() -> Breaker| with_settings_of(&make(), &name);
            let declared = renamed(first).declare().expect("a new name");
            assert!(renamed(second).declare().is_err(), "they differ");
            assert_eq!(declared.in_effect().settings(), pair[0]().settings(), "{number} {turned}");
        }
    }
}

/// The same breaker under another name.
fn with_settings_of(breaker: &Breaker, name: &str) -> Breaker {
    let told = breaker.settings();
    let mut copy = Breaker::dynamic(name);
    copy = told.consecutive.into_iter().fold(copy, Breaker::consecutive);
    copy = told.consecutive_timeouts.into_iter().fold(copy, Breaker::consecutive_timeouts);
    copy = told.failure_rate.into_iter().fold(copy, Breaker::failure_rate);
    copy = told.slow_calls.into_iter().fold(copy, |copy, (rate, time)| copy.slow_calls(rate, time));
    copy.window(told.window).min_calls(told.min_calls).open_for(told.open_for).probes(told.probes)
}

#[test]
fn the_same_settings_twice_are_one_breaker() {
    assert!(std::ptr::eq(SAME_ONE.in_effect(), SAME_OTHER.in_effect()));
    (0..2).for_each(|_| call(SAME_ONE.here(), 0.0, Seen::Failure));
    let both = [&SAME_ONE, &SAME_OTHER].map(|one| (one.state_at(at(1.0)), one.stats().failures));
    assert_eq!(both, [(BreakerState::Open, 2); 2]);
    let again = Breaker::dynamic("names-same").consecutive(2).declare();
    assert!(std::ptr::eq(again.expect("the same"), SAME_ONE.in_effect()));
    assert!(!warnings().iter().any(
        |warning| matches!(warning, Warning::DifferingBreakers { name, .. } if name == "names-same")
    ));
}

#[test]
fn a_declaration_after_the_first_use_takes_effect_on_the_next_call() {
    let slot = NamedBreaker::new("names-late");
    let implicit = slot.resolve();
    let under_way = start(implicit, 0.0);
    call(implicit, 0.0, Seen::Failure);
    let declared =
        Breaker::dynamic("names-late").consecutive(1).declare().expect("not declared yet");
    assert!(std::ptr::eq(slot.resolve(), declared));
    assert!(!row("names-late").is_implicit());
    under_way.settle(Seen::Timeout, || at(0.0));
    assert_eq!(declared.state_at(at(0.0)), BreakerState::Closed, "it was the other one's call");
    call(slot.resolve(), 0.0, Seen::Failure);
    assert_eq!(
        implicit.state_at(at(1.0)),
        BreakerState::Open,
        "whoever knows the old one sees the new"
    );
    let stats = row("names-late").stats();
    assert_eq!((stats.failures, stats.timeouts, stats.opened), (3, 1, 1), "one history");
    assert_eq!(implicit.stats().failures, 1);
}

#[test]
fn isolation_by_hand_holds_for_the_name_whoever_answers_to_it() {
    let slot = NamedBreaker::new("names-isolated");
    let implicit = slot.resolve();
    implicit.isolate();
    let declared = Breaker::dynamic("names-isolated").consecutive(8).declare().expect("a new one");
    assert_eq!(declared.state_at(at(0.0)), BreakerState::Isolated);
    implicit.close();
    assert_eq!(slot.resolve().state_at(at(0.0)), BreakerState::Closed);
    implicit.isolate();
    let tighter = Breaker::dynamic("names-isolated").consecutive(2).declare();
    assert!(matches!(tighter, Err(DeclareError::Differs { name: "names-isolated", .. })));
    assert_eq!(slot.resolve().settings().consecutive, Some(2));
    assert_eq!(slot.resolve().state_at(at(0.0)), BreakerState::Isolated);
    declared.open_at(at(0.0));
    declared.close();
    assert!(slot.resolve().refuses(at(0.0)).is_none());
}

#[test]
fn a_faulty_breaker_is_not_declared() {
    let refused = Breaker::dynamic("names-faulty").probes(0).declare().expect_err("no probes");
    assert!(matches!(
        &refused,
        DeclareError::Faulty { name, fault: ConfigError::ZeroCount("probes"), .. } if name == "names-faulty"
    ));
    assert_eq!(
        refused.to_string(),
        "breaker `names-faulty` cannot be declared: `probes` is 0: the smallest value is 1"
    );
    assert!(table().get("names-faulty").is_none());
}

#[cfg_attr(miri, ignore = "a table of all breakers of this process")]
#[test]
fn the_table_shows_what_each_did() {
    let breaker = Breaker::dynamic("names-table").consecutive(2).declare().expect("a new name");
    (0..2).for_each(|_| call(breaker, 0.0, Seen::Timeout));
    assert_eq!(breakers::refused(breaker, 1.0), Some(29.0));
    call(breaker, 30.0, Seen::Ignored);
    drop(start(breaker, 30.0));
    breaker.isolate();
    let text = table().to_string();
    let head =
        text.lines().next().expect("a head").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        head,
        "breaker state opened ok failed timeouts slow rejected cancelled ignored sites"
    );
    let line = text.lines().find(|line| line.starts_with("names-table ")).expect("its line");
    let cells: Vec<_> = line.split_whitespace().skip(1).collect();
    assert_eq!(cells[0], "isolated");
    assert_eq!((cells[1], &cells[3..]), ("1", &["2", "2", "0", "1", "1", "1", "0"][..]));
    assert!(
        text.contains("names-table: `consecutive` 2, `window` 60s, `open_for` 30s, `probes` 1")
    );
}

#[test]
fn the_macro_takes_attributes_visibility_and_statics_in_functions() {
    breaker! {
        /// In a function.
        pub(crate) static LOCAL: Breaker = Breaker::new("names-local");
        #[cfg(any())]
        static NEVER_COMPILED: Breaker = Breaker::new("names-never");
    }
    assert!(std::ptr::eq(NamedBreaker::new("names-local").resolve(), &raw const LOCAL));
    assert!(table().get("names-never").is_none());
}
