use std::time::Duration;

use super::{Tally, sum};
use crate::{
    load::{
        Faults, Function, Settings,
        faults::Schedule,
        protocol::{Called, Served, Steps},
    },
    outcome::{Outcome, Recovery},
};

fn settings() -> Settings {
    let arguments = crate::load::settings::tests::arguments();
    arguments.check("storm-lab".into()).unwrap()
}

/// Ten calls a second, all of which succeed except in these seconds.
fn told(fails: impl Fn(u32) -> bool) -> Called {
    let calls: Steps = (0..60).map(|second| (second * 100, 10)).collect();
    let ends = |failed: bool| {
        calls.clone().into_iter().filter(|(step, _)| fails(step / 100) == failed).collect()
    };
    Called {
        calls: calls.clone(),
        attempts: calls.clone(),
        succeeded: ends(false),
        failed: ends(true),
        ..Called::default()
    }
}

fn outcome(fails: impl Fn(u32) -> bool) -> Outcome {
    let length = Duration::from_secs(60);
    let mut tally = Tally::new(Function::Naive, length);
    assert!(tally.called(1, told(fails)));
    tally.outcome(&settings(), &Schedule::new(Faults::All, 60), length).unwrap()
}

#[test]
fn what_is_told_in_parts_adds_up() {
    let mut tally = Tally::new(Function::Naive, Duration::from_secs(60));
    assert!(tally.called(1, told(|_| false)) && tally.called(2, told(|second| second == 3)));
    assert_eq!(sum(&tally.series.calls), 1_200);
    assert_eq!((sum(&tally.series.succeeded), sum(&tally.failed)), (1_190, 10));
}

#[test]
fn times_that_cannot_be_are_not_believed() {
    let mut tally = Tally::new(Function::Naive, Duration::from_secs(60));
    let late = || [(u32::MAX, 1)].into();
    assert!(!tally.called(1, Called { calls: late(), ..Called::default() }));
    assert!(!tally.called(1, Called { took: vec![(u32::MAX, 1)], ..Called::default() }));
    assert!(!tally.served(&Served { in_time: late(), ..Served::default() }));
    let ages = Called { at_us: u64::MAX, budget: Some(1.0), ..Called::default() };
    assert!(tally.called(1, ages), "the level is left out, the rest is kept");
    assert_eq!((sum(&tally.series.calls), tally.budget.len()), (0, 0));
}

#[test]
fn recovery_is_counted_from_the_stall_s_end() {
    assert_eq!(
        outcome(|second| (30..40).contains(&second)).recovery,
        Recovery::After(Duration::from_secs(4))
    );
    assert_eq!(outcome(|second| second >= 30).recovery, Recovery::Never);
}

#[test]
fn what_failed_all_along_has_not_recovered_and_is_noted() {
    let outcome = outcome(|_| true);
    assert_eq!(outcome.recovery, Recovery::Never);
    assert!(
        outcome.notes[0].starts_with("calls failed before anything went wrong"),
        "{:?}",
        outcome.notes
    );
    assert!(self::outcome(|second| second >= 30).notes.is_empty());
}
