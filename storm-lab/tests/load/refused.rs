//! What a run does not take.

use std::process::Command;

use storm_lab::load::{Function, Refusal};

use super::{arguments, program};

fn refusal(line: &str) -> Refusal {
    arguments(line).check(program()).unwrap_err()
}

#[test]
fn the_defaults_are_taken() {
    assert!(arguments("").check(program()).is_ok());
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    for (line, option) in [
        ("--seconds 2", "--seconds"),
        ("--seconds 601", "--seconds"),
        ("--processes 0", "--processes"),
        ("--processes 33", "--processes"),
        ("--rate 0", "--rate"),
        ("--rate NaN", "--rate"),
        ("--rate inf", "--rate"),
        ("--rate=-1", "--rate"),
        ("--rate 101", "--rate times --processes"),
        ("--capacity 49", "--capacity"),
        ("--capacity 5001", "--capacity"),
        ("--queue 100001", "--queue"),
    ] {
        match refusal(line) {
            Refusal::Range { option: refused, .. } => assert_eq!(refused, option, "{line}"),
            other => panic!("{line}: {other}"),
        }
    }
}

#[test]
fn a_refusal_says_what_is_wanted_and_why() {
    assert_eq!(
        refusal("--seconds 2").to_string(),
        "`--seconds` must be from 3 to 600, and is 2: phases are shares of it, and a shorter one shows nothing"
    );
}

#[test]
fn what_is_too_small_is_refused_for_another_reason_than_what_is_too_large_and_in_few_digits() {
    let small = refusal("--rate 1e-300").to_string();
    let wanted = "`--rate` must be from 0.1 to 400, and is 1e-300: with fewer calls there is nothing to compare";
    assert_eq!(small, wanted);
    let large = refusal("--rate 1e300").to_string();
    assert!(large.contains("and is 1e300: each call in progress"), "{large}");
}

#[test]
fn more_requests_than_a_laptop_bears_are_refused() {
    let refusal = refusal("--seconds 600 --rate 100 --policy naive,full_jitter,ratio,success");
    assert!(
        matches!(refusal, Refusal::TooManyRequests(requests) if requests > 1_000_000),
        "{refusal}"
    );
}

#[test]
fn a_policy_that_is_named_twice_is_refused() {
    assert_eq!(refusal("--policy naive,ratio,naive"), Refusal::Twice(Function::Naive));
}

#[test]
fn policies_are_those_that_are_compiled_in() {
    let output = Command::new(program()).args(["load", "--policy", "attempts=3"]).output().unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("naive, full_jitter, ratio, success"), "{text}");
}

#[test]
fn help_says_what_is_fair_and_why_policies_are_a_fixed_set() {
    let output = Command::new(program()).args(["load", "--help"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["at the same time", "compiled with the functions", "127.0.0.1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let all = Command::new(program()).arg("--help").output().unwrap();
    assert!(!String::from_utf8(all.stdout).unwrap().contains("load-child"));
}
