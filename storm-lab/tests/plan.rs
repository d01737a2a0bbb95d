//! `storm-lab plan` as one runs it.

use std::{
    fs,
    process::{Command, Output},
};

use serde_json::Value;

fn plan(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_storm-lab"));
    command.arg("plan").args(arguments).env("COLUMNS", "80").output().unwrap()
}

#[test]
fn the_page_keeps_to_its_width_and_has_no_colours_in_a_pipe() {
    let long = r#"base = "400ms", attempts = 13, attempt_timeout = "500ms", budget = "orders", idempotent, nested = "independent""#;
    let around = ["--rps", "300", "--processes", "20", "--capacity", "6500", "--deadline", "9s"];
    let output = plan(&[&[long, "--blackout", "30s"], &around[..]].concat());
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    assert!(!page.contains('\u{1b}'), "{page}");
    for label in [
        "policy",
        "budget",
        "assumed",
        "schedule",
        "longest call",
        "deadline",
        "amplification",
        "load",
        "blackout",
        "promise",
        "warning: ",
        "note: ",
    ] {
        assert!(page.lines().any(|line| line.starts_with(label)), "{label}: {page}");
    }
}

#[test]
fn mistakes_in_a_policy_are_marked() {
    let output = plan(&[r#"attempts = 0, base = "50""#]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.matches("error: ").count(), 2, "{text}");
    assert!(text.contains("\n1 | attempts = 0, base = \"50\"\n  |            ^\n"), "{text}");
    assert!(text.ends_with("  |                      ^^^^\n"), "{text}");
}

#[test]
fn json_has_every_figure() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("plan.json");
    let policy =
        r#"base = "50ms", max = "1s", attempts = 3, deadline = "100ms", budget = "orders""#;
    let around = ["--budget", "burst=20", "--rps", "300", "--processes", "2", "--blackout", "60ms"];
    let printed = plan(&[&[policy, "--json", "-"], &around[..]].concat());
    assert!(printed.status.success(), "{printed:?}");
    let written = plan(&[&[policy, "--json", path.to_str().unwrap()], &around[..]].concat());
    assert_eq!(fs::read(&path).unwrap(), printed.stdout);
    assert!(written.stdout.starts_with(b"policy "));
    let json: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["assumed"]["calls_per_s"], 300.0);
    assert_eq!(json["schedule"][1]["delay_s"]["most"], 0.1);
    assert_eq!(json["schedule"][1]["start_s"]["most"], 0.15);
    assert_eq!(
        json["schedule"][1]["in_time_share"],
        1.0 - json["deadline_cuts_share"].as_f64().unwrap()
    );
    assert_eq!((&json["longest_call_s"], &json["deadline_s"]), (&0.15.into(), &0.1.into()));
    assert_eq!(json["bound"]["burst_retries"], 40.0);
    assert_eq!(json["bound"]["steady_retries_per_call"], 0.1);
    assert_eq!(json["long_run_attempts_per_s"], 660.0);
    // 20 retries of one process: first ones at once, and second ones after U(0, 50) ms unless the deadline comes first.
    let paid = json["every_retry_paid_for_s"].as_f64().unwrap();
    let second = (paid.powi(2) / 2.0 - 10.0 * paid.powi(3) / 6.0) / 0.05;
    assert!((300.0 * (paid + second) - 20.0).abs() < 0.5, "{paid}");
    assert_eq!(json["retries_after_blackout"], 0.0);
    assert_eq!(json["burst_needed_for_blackout"], 27.0);
    assert!(json["warnings"][0].as_str().unwrap().contains("`burst=27`"), "{json}");
}

#[test]
fn of_a_long_argument_only_a_part_is_said_again() {
    let long = "x".repeat(100_000);
    let many = "attempts = 0, ".repeat(5_000);
    let blank = " ".repeat(100_000);
    let valid = format!("attempts = 3, name = \"{}\"", "n".repeat(50_000));
    for arguments in [
        &[long.as_str()][..],
        &[&many],
        &[&format!("{blank}=")],
        &[&valid],
        &["", "--budget", &long],
    ] {
        let output = plan(arguments);
        let said = output.stdout.len() + output.stderr.len();
        assert!((1..20_000).contains(&said), "{said}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_small_number_is_not_said_to_be_none() {
    for (given, shown) in [("1e-300", "1e-300"), ("0.00123", "0.00123"), ("0.25", "0.25")] {
        let output = plan(&["", "--capacity", given]);
        let page = String::from_utf8(output.stdout).unwrap();
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(&format!("capacity of {shown} requests")), "{page}");
    }
}
