use std::time::Duration;

use super::{KEYS, check_value};
use crate::breaker::Seen;
use crate::breaker::changes::{Untold, record};
use crate::control::Value;
use crate::names::Told;
use crate::{Breaker, BreakerState, DeclareError, Moment, breakers};
use BreakerState::{Closed, Isolated, Open};

fn at(seconds: u64) -> Moment {
    Moment::from_nanos(seconds * 1_000_000_000)
}

fn told<const N: usize>(settings: [(&'static str, Value); N]) -> Told {
    settings.into()
}

/// As whoever is told of what follows has it.
fn say_all(breaker: &'static Breaker, settings: &Told, now: Moment) {
    breaker.override_numbers(settings, now).into_iter().for_each(Untold::tell);
}

fn declared(breaker: Breaker) -> &'static Breaker {
    breaker.declare().expect("nobody else has its name")
}

/// How many calls in a row that end like this open it.
fn calls_to_open(breaker: &'static Breaker, seen: Seen, now: Moment) -> usize {
    breaker.close();
    let calls = (1..1_000).find(|_| {
        breaker.admit(|| now).expect("it is closed").settle(seen, || now);
        breaker.state_at(now) == Open
    });
    calls.expect("some number of calls opens it")
}

#[test]
fn a_change_is_seen_and_goes_away_without_a_trace() {
    let breaker = declared(Breaker::dynamic("b-numbers").consecutive(5));
    let before = breaker.settings();
    assert_eq!(calls_to_open(breaker, Seen::Failure, at(0)), 5);
    say_all(breaker, &told([("consecutive", 2.into()), ("open_for", "3s".into())]), at(0));
    assert_eq!(calls_to_open(breaker, Seen::Failure, at(0)), 2);
    assert_eq!(breaker.opens_in_at(at(0)), Some(Duration::from_secs(3)));
    assert_eq!(breaker.settings().consecutive, Some(2));
    assert_eq!(breaker.declared_settings(), before);
    let row = breakers();
    let row = row.get("b-numbers").expect("it is declared");
    assert_eq!(row.settings(), breaker.settings());
    breaker.restore_numbers(at(0)).into_iter().for_each(Untold::tell);
    assert_eq!(breaker.settings(), before);
    assert_eq!(calls_to_open(breaker, Seen::Failure, at(0)), 5);
    assert_eq!(breaker.opens_in_at(at(0)), Some(Duration::from_secs(30)));
}

#[test]
fn every_rule_goes_by_the_numbers_in_force() {
    let breaker = Breaker::dynamic("b-rules").consecutive_timeouts(9).failure_rate(1.0);
    let slow = Duration::from_secs(5);
    let breaker = declared(breaker.slow_calls(1.0, slow).min_calls(50));
    assert_eq!(calls_to_open(breaker, Seen::Timeout, at(0)), 9);
    assert_eq!(calls_to_open(breaker, Seen::Failure, at(0)), 50);
    let settings = told([("consecutive_timeouts", 3.into()), ("min_calls", 20.into())]);
    say_all(breaker, &settings, at(0));
    assert_eq!(calls_to_open(breaker, Seen::Timeout, at(0)), 3);
    assert_eq!(calls_to_open(breaker, Seen::Failure, at(0)), 20);
    say_all(breaker, &told([("failure_rate", 0.5.into()), ("min_calls", 2.into())]), at(0));
    breaker.close();
    for seen in [Seen::Success, Seen::Success, Seen::Failure, Seen::Failure] {
        assert_eq!(breaker.state_at(at(0)), Closed);
        breaker.admit(|| at(0)).expect("it is closed").settle(seen, || at(0));
    }
    assert_eq!(breaker.state_at(at(0)), Open);
    let settings = [("slow_calls_over", "1s".into()), ("min_calls", 1.into())];
    say_all(breaker, &told(settings), at(0));
    breaker.close();
    breaker.admit(|| at(0)).expect("it is closed").settle(Seen::Success, || at(2));
    assert_eq!(breaker.state_at(at(2)), Open);
}

#[test]
fn a_window_of_another_length_starts_empty_and_goes_on_moving() {
    let breaker = declared(Breaker::dynamic("b-window").consecutive(3));
    let fail = |now| breaker.admit(|| now).expect("it is closed").settle(Seen::Failure, || now);
    let mut now = 1_000;
    for (length, seconds) in [("10s", 10), ("600s", 600), ("1s", 1), ("1h", 3_600)] {
        breaker.close();
        (0..2).for_each(|_| fail(at(now)));
        say_all(breaker, &told([("window", length.into())]), at(now));
        assert_eq!(breaker.recent_at(at(now)).in_a_row, 0, "{length}");
        for _ in 0..3 {
            (0..2).for_each(|_| fail(at(now)));
            assert_eq!(breaker.recent_at(at(now)).in_a_row, 2, "{length}");
            now += seconds + seconds / 10 + 1;
            assert_eq!(breaker.recent_at(at(now)).in_a_row, 0, "{length}");
        }
    }
    breaker.restore_numbers(at(now)).into_iter().for_each(Untold::tell);
    assert_eq!(calls_to_open(breaker, Seen::Failure, at(now)), 3);
}

#[test]
fn a_state_is_entered_once_and_isolation_lasts_as_long_as_it_is_said() {
    let breaker = declared(Breaker::dynamic("b-state").consecutive(1));
    let say = |state: &str, consecutive: u32| {
        let settings = told([("state", state.into()), ("consecutive", consecutive.into())]);
        say_all(breaker, &settings, at(0));
        breaker.state_at(at(0))
    };
    assert_eq!(say("isolated", 1), Isolated);
    breaker.restore_numbers(at(0)).into_iter().for_each(Untold::tell);
    assert_eq!(breaker.state_at(at(0)), Closed);
    assert_eq!(say("isolated", 1), Isolated);
    breaker.close();
    assert_eq!(say("isolated", 2), Closed, "who closed it by hand meant it");
    assert_eq!(say("closed", 2), Closed);
    assert_eq!(say("open", 2), Open);
    breaker.close();
    assert_eq!(say("open", 3), Closed, "it was opened once");
    assert_eq!(say("isolated", 3), Isolated);
    assert_eq!(say("open", 3), Open);
    let told: Vec<_> = record::of("b-state").into_iter().map(|(from, to, _)| (from, to)).collect();
    let changes = [
        (Closed, Isolated),
        (Isolated, Closed),
        (Closed, Isolated),
        (Isolated, Closed),
        (Closed, Open),
        (Open, Closed),
        (Closed, Isolated),
        (Isolated, Closed),
        (Closed, Open),
    ];
    assert_eq!(told, changes);
}

#[test]
fn who_takes_over_later_goes_by_the_same_numbers_and_is_isolated_too() {
    static SLOT: crate::__private::NamedBreaker =
        crate::__private::NamedBreaker::new("b-successor");
    let settings = told([("consecutive", 2.into()), ("state", "isolated".into())]);
    say_all(SLOT.resolve(), &settings, at(0));
    let other_rule = declared(Breaker::dynamic("b-successor").consecutive_timeouts(9));
    assert_eq!(other_rule.settings(), other_rule.declared_settings(), "it has no such rule");
    assert_eq!(SLOT.resolve().state_at(at(0)), Isolated);
    assert!(Breaker::dynamic("b-successor").consecutive(4).declare().is_err(), "it is tighter");
    let latest = SLOT.resolve();
    assert_eq!((latest.settings().consecutive, latest.state_at(at(0))), (Some(2), Isolated));
    latest.restore_numbers(at(0)).into_iter().for_each(Untold::tell);
    assert_eq!((latest.settings().consecutive, latest.state_at(at(0))), (Some(4), Closed));
}

// R145
#[test]
fn changing_twice_and_declaring_again_is_harmless_and_the_newest_numbers_are_shown() {
    let make = || Breaker::dynamic("b-twice").consecutive(5);
    let breaker = declared(make());
    say_all(breaker, &told([("consecutive", 2.into()), ("probes", 3.into())]), at(0));
    say_all(breaker, &told([("consecutive", 3.into())]), at(0));
    assert_eq!((breaker.settings().consecutive, breaker.settings().probes), (Some(3), 1));
    assert!(std::ptr::eq(make().declare().expect("the same again"), breaker));
    let differs = make().consecutive(9).declare().expect_err("five were declared");
    let DeclareError::Differs { declared, .. } = differs else { panic!("{differs}") };
    assert_eq!(declared.consecutive, Some(5));
    breaker.restore_numbers(at(0)).into_iter().for_each(Untold::tell);
    breaker.restore_numbers(at(0)).into_iter().for_each(Untold::tell);
    assert_eq!(breaker.settings(), breaker.declared_settings());
}

#[test]
fn what_is_not_allowed_is_refused_with_what_is() {
    let breaker = Breaker::new("refusals").consecutive(5).max_open(Duration::from_secs(60));
    let say = |key: &str, value: Value| breaker.check_number(key, &value).unwrap_err().to_string();
    assert_eq!(say("consecutive", 0.into()), "it must be a whole number of at least 1");
    assert_eq!(say("jitter", 2.into()), "it must be a number from 0 to 1");
    assert_eq!(say("growth", 0.5.into()), "it must be a finite number of at least 1");
    assert_eq!(
        say("state", "half_open".into()),
        "it must be one of \"open\", \"closed\", \"isolated\""
    );
    assert_eq!(
        say("failure_rate", 0.5.into()),
        "the breaker has no `failure_rate` rule: declare one; it has `consecutive`, `window`, \
         `open_for`, `growth`, `max_open`, `jitter`, `probes`, `probe_timeout`, `state`"
    );
    assert!(say("min_calls", 5.into()).contains("no `failure_rate` or `slow_calls` rule"));
    assert!(say("open_for", "2m".into()).contains("above `max_open`"));
    assert!(say("max_open", "1s".into()).contains("above `max_open`"));
    let both = told([("open_for", "2m".into()), ("max_open", "3m".into())]);
    assert_eq!(breaker.check_numbers(both.iter().map(|(key, value)| (*key, value))), Ok(()));
    assert!(say("windw", "1s".into()).contains("did you mean `window`?"));
    let all = Breaker::new("x").consecutive(1).consecutive_timeouts(1).failure_rate(0.5);
    let all = all.slow_calls(0.5, Duration::from_secs(1));
    assert_eq!(all.number_keys(), KEYS);
    assert!(check_value("consecutive_timeouts", &Value::from(3)).is_ok());
}

#[cfg(feature = "testing")]
#[test]
fn an_isolated_test_has_numbers_and_a_state_of_its_own() {
    use crate::testing::isolated_sync;

    let breaker = declared(Breaker::dynamic("b-isolated").consecutive(5));
    say_all(breaker, &told([("consecutive", 3.into())]), at(0));
    isolated_sync(|| {
        assert_eq!(breaker.settings().consecutive, Some(5), "what was declared");
        let settings = told([("consecutive", 4.into()), ("state", "isolated".into())]);
        say_all(breaker, &settings, at(0));
        assert_eq!(breaker.settings().consecutive, Some(4));
        assert_eq!(breaker.state_at(at(0)), Isolated);
    });
    assert_eq!((breaker.settings().consecutive, breaker.state_at(at(0))), (Some(3), Closed));
}
