//! What the program says of itself.

use std::process::{Command, Output};

const COMMANDS: [&str; 6] = ["", "run", "list", "plan", "check", "load"];

fn lab(arguments: &[&str], columns: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_storm-lab"));
    command.args(arguments.iter().filter(|argument| !argument.is_empty()));
    command.env("COLUMNS", columns).output().unwrap()
}

fn help(command: &str, long: &str, columns: &str) -> String {
    String::from_utf8(lab(&[command, long], columns).stdout).unwrap()
}

#[test]
fn eighty_columns_break_no_example_and_no_table() {
    for command in COMMANDS {
        for long in ["-h", "--help"] {
            let narrow = help(command, long, "80");
            let too_wide = narrow.lines().find(|line| line.chars().count() > 80);
            assert_eq!(too_wide, None, "{command} {long}");
            // What comes after the options is laid out by hand.
            let laid_out = |text: &str| {
                text.split_once("\nExamples:\n").map(|(_, laid_out)| laid_out.to_owned())
            };
            assert!(laid_out(&narrow).is_some(), "{narrow}");
            assert_eq!(
                laid_out(&narrow),
                laid_out(&help(command, long, "100")),
                "{command} {long}"
            );
        }
    }
}

#[test]
fn without_arguments_it_says_how_to_begin() {
    let output = lab(&[], "80");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    for part in ["Commands:", "storm-lab list ", "storm-lab run L2", "storm-lab plan '"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// As a shell reads them; a line that ends in a backslash goes on. In one line each, sentences can be found.
#[test]
#[cfg(unix)]
fn the_worked_examples_of_plan_work() {
    let text = help("plan", "-h", "80").replace("\\\n", " ");
    let examples: Vec<&str> =
        text.lines().filter(|line| line.starts_with("  storm-lab plan ")).collect();
    assert_eq!(examples.len(), 5, "{text}");
    let program = env!("CARGO_BIN_EXE_storm-lab");
    let said: Vec<String> = examples
        .iter()
        .map(|example| {
            let script = example.replace("storm-lab", &format!("'{program}'"));
            let output =
                Command::new("sh").args(["-c", &script]).env("COLUMNS", "1000").output().unwrap();
            assert!(output.status.success(), "{example}: {output:?}");
            String::from_utf8(output.stdout).unwrap()
        })
        .collect();
    // What the help promises of each.
    assert!(
        said[0].contains("uses up the burst of the function's own bucket in 26.5ms"),
        "{}",
        said[0]
    );
    assert!(said[1].contains("would take `burst=29`"), "{}", said[1]);
    assert!(said[2].contains("attempt 5 never starts"), "{}", said[2]);
    assert!(said[3].contains("40 processes may send 2,000 retries at once"), "{}", said[3]);
    assert!(said[4].starts_with('{'), "{}", said[4]);
}

#[test]
fn one_number_means_seeds_of_different_kinds_in_a_file_and_on_the_line() {
    let run = help("run", "--help", "80").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(run.contains("`6` is the seed 6 alone, where `seeds = 6` in a file is six"), "{run}");
}
