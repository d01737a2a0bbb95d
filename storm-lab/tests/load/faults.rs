//! When what goes wrong.

use std::time::Duration;

use storm_lab::{
    load::faults::{Fault, Faults, Schedule},
    scenario::Window,
};

const EVERY: [Faults; 4] = [Faults::Loss, Faults::Outage, Faults::Stall, Faults::All];

fn seconds(from: u64, to: u64) -> Window {
    Window { from: Duration::from_secs(from), to: Duration::from_secs(to) }
}

#[test]
fn a_minute_of_everything_has_these_phases() {
    let phases = Schedule::new(Faults::All, 60).phases();
    let phases: Vec<_> = phases.iter().map(|phase| (phase.name, phase.window)).collect();
    assert_eq!(
        phases,
        [
            ("steady", seconds(0, 12)),
            ("loss", seconds(12, 18)),
            ("outage", seconds(18, 24)),
            ("loss", seconds(24, 30)),
            ("stall", seconds(30, 36)),
            ("loss", seconds(36, 42)),
            ("recovery", seconds(42, 60)),
        ]
    );
}

#[test]
fn phases_cover_the_run_and_begin_steady_and_end_in_recovery() {
    for faults in EVERY {
        for length in [3, 7, 60, 600] {
            let phases = Schedule::new(faults, length).phases();
            let whole = seconds(0, length.into());
            assert_eq!(
                phases.first().map(|phase| (phase.name, phase.window.from)),
                Some(("steady", whole.from))
            );
            assert_eq!(
                phases.last().map(|phase| (phase.name, phase.window.to)),
                Some(("recovery", whole.to))
            );
            assert!(
                phases.windows(2).all(|pair| pair[0].window.to == pair[1].window.from),
                "{phases:?}"
            );
        }
    }
}

#[test]
fn a_fault_is_in_force_from_its_first_moment_to_before_its_end() {
    let (from, to) = (Duration::from_millis(200), Duration::from_millis(500));
    let schedule = Schedule::only(Fault::Outage { after_ms: 7 }, from, to);
    let nanosecond = Duration::from_nanos(1);
    assert_eq!(schedule.at(from.saturating_sub(nanosecond)).outage, None);
    assert_eq!(schedule.at(from).outage, Some(Duration::from_millis(7)));
    assert_eq!(schedule.at(to.saturating_sub(nanosecond)).outage, Some(Duration::from_millis(7)));
    assert_eq!(schedule.at(to).outage, None);
}

#[test]
fn what_is_held_is_held_until_the_stall_ends() {
    let schedule = Schedule::only(Fault::Stall, Duration::from_secs(1), Duration::from_secs(3));
    let held = |ms| schedule.at(Duration::from_millis(ms)).held;
    assert_eq!(held(1_000), Some(Duration::from_secs(2)));
    assert_eq!(held(2_999), Some(Duration::from_millis(1)));
    assert_eq!(held(3_000), None);
}

#[test]
fn faults_that_overlap_are_all_in_force() {
    let schedule = Schedule::new(Faults::All, 60);
    let conditions = schedule.at(Duration::from_secs(20));
    assert_eq!(conditions.loss, Some((0.075, 0.075)));
    assert!(conditions.outage.is_some() && conditions.held.is_none());
    assert!(schedule.at(Duration::from_secs(33)).held.is_some());
}

#[test]
fn the_service_must_recover_from_the_last_hard_fault() {
    let trigger = |faults| Schedule::new(faults, 60).trigger();
    assert_eq!(trigger(Faults::All), Some(seconds(30, 36)));
    assert_eq!(trigger(Faults::Stall), Some(seconds(30, 36)));
    assert_eq!(trigger(Faults::Outage), Some(seconds(18, 24)));
    assert_eq!(trigger(Faults::Loss), Some(seconds(12, 42)));
}

#[test]
fn what_was_usual_is_measured_after_the_fault_before() {
    let calm = |faults| Schedule::new(faults, 60).calm_before_trigger();
    assert_eq!(calm(Faults::All), Duration::from_secs(24));
    assert_eq!(calm(Faults::Stall), Duration::ZERO);
}
