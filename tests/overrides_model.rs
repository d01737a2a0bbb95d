//! What an override may say, and what it is told if it says something else.

use std::time::Duration;

use retry_grammar::model::Strategy;
use stormless::control::{Override, Target, Value};

fn refused(target: Target, key: &str, value: impl Into<Value>) -> String {
    let value = value.into();
    Override::new(target)
        .set(key, value.clone())
        .map(|set| panic!("`{key} = {value}` is taken: {set}"))
        .unwrap_err()
        .to_string()
}

// R175
#[test]
fn a_value_that_makes_no_sense_is_refused_with_target_key_value_and_what_is_allowed() {
    let largest = u32::MAX - 1;
    let range = format!("it must be a whole number from 1 to {largest}, or \"unlimited\"");
    for (key, value, why) in [
        (
            "attempts",
            Value::from(0),
            "`attempts` is 0: it counts the first call, so the smallest value is 1",
        ),
        ("attempts", Value::from(-1), &range),
        ("attempts", Value::from(i64::from(u32::MAX)), &range),
        (
            "attempts",
            Value::from("many"),
            "it must be a whole number of at least 1, or \"unlimited\"",
        ),
        (
            "base",
            Value::from("5"),
            "`5` has no unit: write \"5ms\" for milliseconds, \"5s\" for seconds",
        ),
        (
            "base",
            Value::from(5),
            "`5` has no unit: write \"5ms\" for milliseconds, \"5s\" for seconds",
        ),
        ("max", Value::from(true), "it must be a duration, such as \"50ms\" or \"1m30s\""),
        ("factor", Value::from(0.5), "`factor` is 0.5: it must be a finite number of at least 1"),
        (
            "factor",
            Value::from(f64::NAN),
            "`factor` is NaN: it must be a finite number of at least 1",
        ),
        ("factor", Value::from("2"), "it must be a finite number of at least 1"),
        ("deadline", Value::from("0s"), "`deadline` is zero: leave it out if it is not wanted"),
        (
            "attempt_timeout",
            Value::from("0ms"),
            "`attempt_timeout` is zero: leave it out if it is not wanted",
        ),
        (
            "time_per_attempt",
            Value::from("0s"),
            "`time_per_attempt` is zero: leave it out if it is not wanted",
        ),
        (
            "max_retry_after",
            Value::from("0s"),
            "`max_retry_after` is zero: leave it out if it is not wanted",
        ),
        ("idempotent", Value::from("yes"), "it must be true or false"),
        (
            "nested",
            Value::from("supress"),
            "it must be one of \"suppress\", \"independent\": did you mean \"suppress\"?",
        ),
        ("inner", Value::from("no"), "it must be one of \"suppress\", \"allow\""),
        ("retries", Value::from(false), "it must be one of \"off\", \"on\""),
        (
            "stop",
            Value::from("timeout"),
            "it must be a list of error labels or kinds, such as [\"Busy\", \"timeout\"]",
        ),
        (
            "stop",
            Value::from([""]),
            "it must be a list of error labels or kinds, none of which is empty",
        ),
    ] {
        let expected = format!("site `orders`: `{key} = {value}`: {why}");
        assert_eq!(refused(Target::Site("orders".into()), key, value), expected);
    }
    let backoff = refused(Target::All, "backoff", "full-jitter");
    assert!(backoff.starts_with(
        "all sites: `backoff = \"full-jitter\"`: it must be one of \"full_jitter\", "
    ));
    assert!(
        backoff.ends_with("\"none\", \"adaptive\": did you mean \"full_jitter\"?"),
        "{backoff}"
    );
}

#[test]
fn an_override_takes_every_backoff_that_the_attribute_takes_and_lists_them_alike() {
    for (word, strategy) in Strategy::ALL {
        if strategy != Strategy::Adaptive || cfg!(feature = "adaptive") {
            assert!(Override::new(Target::All).set("backoff", word).is_ok(), "{word}");
        }
    }
    let words = Strategy::ALL.map(|(word, _)| format!("\"{word}\"")).join(", ");
    let refused = refused(Target::All, "backoff", "");
    assert!(words.starts_with(refused.rsplit_once("one of ").expect(&refused).1), "{refused}");
}

// R175
#[test]
fn an_unknown_key_is_refused_with_the_nearest_and_all_there_are() {
    let error = refused(Target::All, "attemts", 3);
    let begin = "all sites: `attemts = 3`: there is no such key (did you mean `attempts`?); there are `retries`, `attempts`, ";
    assert!(error.starts_with(begin), "{error}");
    assert!(error.ends_with("`deadline`, `stop`"), "{error}");
    let error = refused(Target::Budget("orders".into()), "attempts", 3);
    assert!(
        error.starts_with(
            "budget `orders`: `attempts = 3`: there is no such key; there are `retries`"
        ),
        "{error}"
    );
}

#[test]
fn what_no_override_can_change_says_why() {
    for (key, why) in [
        ("hedge", "attempts side by side need code of their own"),
        ("breaker", "override the breaker's own numbers instead"),
        ("budget", "override the budget's own numbers instead"),
        ("expect", "measuring and checking need code of their own"),
        ("classify", "can be kept from retries with `stop`"),
    ] {
        let error = refused(Target::SitesOf("orders".into()), key, "x");
        let begin =
            format!("sites of budget `orders`: `{key} = \"x\"`: it cannot be overridden, because ");
        assert!(error.starts_with(&begin) && error.contains(why), "{error}");
    }
}

#[test]
fn durations_are_written_as_in_the_attribute() {
    for (text, time) in [
        ("50ms", Duration::from_millis(50)),
        ("1m30s", Duration::from_secs(90)),
        ("1s500ms", Duration::from_millis(1_500)),
    ] {
        let by_text = Override::new(Target::All).set("base", text).unwrap();
        assert_eq!(by_text, Override::new(Target::All).set("base", time).unwrap());
    }
    assert!(Override::new(Target::All).set("base", "1.5s").is_ok());
}

#[test]
fn a_key_that_is_set_twice_says_what_it_was_told_last() {
    let twice = Override::new(Target::All).set("attempts", 3).unwrap().set("base", "1s").unwrap();
    let twice = twice.set("attempts", 5).unwrap().note("INC-4711");
    let values: Vec<_> = twice.values().map(|(key, value)| (key, value.clone())).collect();
    assert_eq!(values, [("base", Value::from("1s")), ("attempts", Value::from(5))]);
    assert_eq!(twice.to_string(), "all sites: `base = \"1s\"`, `attempts = 5` (INC-4711)");
}
