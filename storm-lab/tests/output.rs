//! Tables and files of made-up outcomes.

mod common;

use common::{outcome, results, scenario, seconds};
use serde_json::{Value, json};
use storm_lab::{
    outcome::Recovery,
    output::{self, Finished, Style, VERSION},
    runner::{Failure, Results},
};

fn table(finished: &Finished, width: usize) -> String {
    output::table(finished, Style { width, colour: false })
}

fn csv(finished: &Finished) -> String {
    let mut bytes = Vec::new();
    output::csv(&[finished], &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn as_json(finished: &Finished) -> Value {
    let mut bytes = Vec::new();
    output::json(&[finished], &mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn noted() -> Finished {
    let mut results = results();
    results.outcomes[3].notes =
        vec!["the budget was never in force: too few calls in its window".to_owned()];
    Finished::from(results)
}

/// A figure that is no number, nothing that succeeded, and nothing to recover from.
fn undefined() -> Finished {
    let mut broken = outcome("naive", 1, 0, 1_000, Recovery::NoTrigger);
    broken.tiers[1].utilisation = f64::NAN;
    broken.series.budget = vec![f32::NAN];
    let outcomes = vec![broken, outcome("ratio", 1, 10, 1_000, seconds(1))];
    let scenario = scenario(&["naive", "ratio"], &[1]);
    Finished::from(Results { scenario, outcomes, failures: Vec::new(), complete: true })
}

#[test]
fn the_table_is_as_wide_as_it_may_be() {
    let finished = noted();
    assert_eq!(table(&finished, 80), include_str!("snapshots/table-80.txt"));
    assert_eq!(table(&finished, 100), include_str!("snapshots/table-100.txt"));
    assert_eq!(table(&finished, 160), include_str!("snapshots/table-160.txt"));
    for width in [80, 100, 160] {
        let widest = table(&finished, width).lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width), "{widest:?} of {width}");
    }
}

#[test]
fn one_seed_of_one_policy_has_neither_range_nor_ratio() {
    let scenario = scenario(&["naive"], &[1]);
    let outcomes = vec![outcome("naive", 1, 500, 3_000, seconds(9))];
    let text = table(
        &Finished::from(Results { scenario, outcomes, failures: Vec::new(), complete: true }),
        100,
    );
    assert!(text.contains("1 seed, counted"), "{text}");
    for absent in ["P/N", "lowest", "median", "PARTIAL"] {
        assert!(!text.contains(absent), "{absent}: {text}");
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let coloured = output::table(&noted(), Style { width: 100, colour: true });
    assert!(coloured.contains("\x1b[31mnever\x1b[0m"));
    assert_eq!(console::strip_ansi_codes(&coloured), table(&noted(), 100));
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let detect = |terminal, set: &[(&str, &str)]| {
        Style::detect(terminal, &|name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    };
    assert_eq!(detect(Some(120), &[]), Style { width: 120, colour: true });
    assert_eq!(detect(Some(120), &[("NO_COLOR", "")]), Style { width: 120, colour: true });
    assert_eq!(detect(Some(120), &[("NO_COLOR", "1")]), Style { width: 120, colour: false });
    assert_eq!(detect(Some(0), &[("TERM", "dumb")]), Style { width: 100, colour: false });
    assert_eq!(detect(None, &[]), Style { width: 100, colour: false });
    assert_eq!(detect(None, &[("COLUMNS", "80")]), Style { width: 80, colour: false });
    assert_eq!(detect(None, &[("COLUMNS", "0")]), Style { width: 100, colour: false });
}

#[test]
fn what_is_partial_says_so_everywhere() {
    let mut results = results();
    results.outcomes.truncate(4);
    results.complete = false;
    results.failures.push(Failure {
        scenario: "storm".to_owned(),
        policy: "ratio".to_owned(),
        seed: 2,
        message: "no such tier".to_owned(),
    });
    let finished = Finished::from(results);
    let text = table(&finished, 200);
    assert!(text.contains("PARTIAL: 4 of 6 simulations were finished"), "{text}");
    assert!(text.contains("ratio: 1 of 3 seeds were finished."), "{text}");
    assert!(text.contains("with policy `ratio` and seed 2 failed: no such tier"), "{text}");
    assert!(csv(&finished).starts_with("# partial: storm was not finished\nscenario,policy,seed,"));
    let json = as_json(&finished);
    assert_eq!(json["complete"], json!(false));
    assert_eq!(json["scenarios"][0]["complete"], json!(false));
    assert!(json["scenarios"][0]["failures"][0].as_str().unwrap().contains("seed 2 failed"));
    assert_eq!(as_json(&noted())["complete"], json!(true));
    assert!(csv(&noted()).starts_with("scenario,"));
}

#[test]
fn no_output_says_that_something_is_not_a_number() {
    let text = table(&undefined(), 200);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("naive ")).collect();
    // Three latencies, utilisation, recovery.
    assert_eq!(lines[0].matches('–').count(), 5, "{text}");
    let csv = csv(&undefined());
    let json = as_json(&undefined());
    for output in [&text, &csv, &json.to_string()] {
        assert!(!output.contains("NaN") && !output.contains("inf"), "{output}");
    }
    let figures = &json["scenarios"][0]["policies"][0]["outcomes"][0]["figures"];
    assert_eq!(figures["p95_ms"], Value::Null);
    assert_eq!(figures["utilisation_percent"], Value::Null);
    assert_eq!(figures["recovery_s"], json!("no trigger"));
    let series = &json["scenarios"][0]["policies"][0]["outcomes"][0]["series"];
    assert_eq!(series["budget"], json!([null]));
}

#[test]
fn names_of_others_do_not_steer_the_terminal() {
    let name = format!("evil\x1b[2J\n{}", "x".repeat(100));
    let scenario = scenario(&[&name], &[1]);
    let outcomes = vec![outcome(&name, 1, 500, 3_000, seconds(9))];
    let text = table(
        &Finished::from(Results { scenario, outcomes, failures: Vec::new(), complete: true }),
        100,
    );
    assert!(!text.contains('\x1b'));
    assert!(text.lines().any(|line| line.starts_with("evil\u{fffd}[2J\u{fffd}xxx")), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn json_has_every_figure_of_every_seed_and_the_series() {
    let json = as_json(&noted());
    assert_eq!(json["version"], json!(VERSION));
    let scenario = &json["scenarios"][0];
    assert_eq!(scenario["window_s"], json!([4.0, 20.0]));
    assert_eq!(scenario["trigger_s"], json!([5.0, 6.0]));
    assert_eq!(scenario["watched_tier"], json!("store"));
    assert_eq!(scenario["first_policy"], json!("naive"));
    let [naive, ratio] = [&scenario["policies"][0], &scenario["policies"][1]];
    assert_eq!(
        naive["figures"]["recovery_s"],
        json!({ "value": { "median": 9, "low": 4, "high": "never", "seeds": 3 }, "ratio": null })
    );
    assert_eq!(
        ratio["figures"]["amplification"],
        json!({
            "value": { "median": 1.05, "low": 1, "high": 1.1, "seeds": 3 },
            "ratio": { "median": 0.3, "low": 0.25, "high": 0.367, "seeds": 3 }
        })
    );
    assert_eq!(ratio["notes"][0]["seeds"], json!([1]));
    assert_eq!(ratio["tiers"][1]["attempts_per_call"]["median"], json!(1.05));
    let one = &ratio["outcomes"][2];
    assert_eq!(one["seed"], json!(3));
    assert_eq!(one["figures"]["success_percent"], json!(95));
    assert_eq!(one["tiers"][1]["granted_retries"], json!(50));
    assert_eq!(one["stops"]["attempts_exhausted"], json!(50));
    assert_eq!(one["latency_ms"]["succeeded"]["count"], json!(950));
    assert_eq!(one["series"]["budget"], json!([1, 0.25]));
    assert_eq!(one["series"]["inner_budgets"], json!([[], [0.5, 0.125]]));
    let retries = one["series"]["retries"].as_array().unwrap();
    assert_eq!(retries.iter().filter_map(Value::as_u64).sum::<u64>(), 50);
}

#[test]
fn csv_has_a_row_for_each_policy_and_seed() {
    let text = csv(&noted());
    let heading: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let cell = |row: usize, name: &str| {
        let at = heading.iter().position(|known| *known == name).unwrap();
        text.lines().nth(row).unwrap().split(',').nth(at).unwrap().to_owned()
    };
    assert_eq!(text.lines().count(), 7);
    assert_eq!(
        (cell(2, "policy"), cell(2, "seed"), cell(2, "recovery_s")),
        ("naive".into(), "2".into(), "never".into())
    );
    assert_eq!(cell(1, "peak_1s_retries_per_s"), "2000");
    assert_eq!(cell(4, "amplification"), "1.1");
    assert_eq!(cell(4, "amplification_ratio"), "0.367");
    assert_eq!(cell(5, "recovery_s_ratio"), "", "never is no divisor");
    assert!(text.lines().all(|line| line.split(',').count() == heading.len()), "{text}");
}

#[test]
fn csv_quotes_what_would_be_read_otherwise() {
    let name = "a \"b\", c";
    let mut one = outcome(name, 1, 500, 3_000, seconds(9));
    one.scenario = "#1".to_owned();
    one.notes = vec!["two\nlines".to_owned(), "and more".to_owned()];
    let scenario = scenario(&[name], &[1]);
    let text = csv(&Finished::from(Results {
        scenario,
        outcomes: vec![one],
        failures: Vec::new(),
        complete: true,
    }));
    let row = text.split_once('\n').unwrap().1;
    assert!(row.starts_with("\"#1\",\"a \"\"b\"\", c\",1,1000,"), "{row}");
    assert!(row.ends_with(",\"two\nlines; and more\"\n"), "{row}");
}

#[test]
fn the_same_outcomes_give_the_same_bytes() {
    assert_eq!(as_json(&noted()).to_string(), as_json(&noted()).to_string());
    assert_eq!(csv(&noted()), csv(&noted()));
}
