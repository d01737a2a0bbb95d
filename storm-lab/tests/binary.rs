//! The program as one runs it.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Output, Stdio},
};

const STORM: &str = r#"
title = "an outage of one second"
duration = "8s"
window = ["1s", "8s"]
seeds = "1-2"

[clients]
processes = 4
rate = 25.0

[[tier]]
name = "stock"
timeout = "500ms"
server = { workers = 10, service = "10ms" }

[[fault]]
kind = "outage"
at = "2s"
for = "1s"
after = "1ms"

[[policy]]
name = "naive"
retry = 'backoff = "none", attempts = 4, budget = none'

[[policy]]
name = "default"
retry = 'backoff = "none", attempts = 4'
"#;

struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("storm.toml"), STORM).unwrap();
        Self(directory)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_storm-lab"));
        command.current_dir(self.0.path()).args(arguments).env_remove("COLUMNS");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn help_teaches() {
    let lab = Lab::new();
    let output = lab.run(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    let help = out(&output);
    for part in ["before it is shipped", "storm-lab run L2", "storm-lab list", "Exit codes:", "130"]
    {
        assert!(help.contains(part), "{part}: {help}");
    }
    let help = out(&lab.run(&["run", "--help"]));
    for part in ["--seeds <SEEDS>", "--policy <NAME>", "Columns of the table:", "P/N", "Examples:"]
    {
        assert!(help.contains(part), "{part}: {help}");
    }
}

#[test]
fn a_wrong_argument_is_answered_with_what_to_write_instead() {
    let lab = Lab::new();
    for (arguments, part) in [
        (&["run", "L22"][..], "did you mean `L2`?"),
        (&["run", "nothing"], "`storm-lab list`"),
        (&["run", "missing.toml"], "missing.toml"),
        (&["run", "storm.toml", "--policy", "naiv"], "did you mean `naive`?"),
        (&["run", "storm.toml", "--seeds", "6-1"], "smaller number first"),
        (&["run", "storm.toml", "--threads", "0"], "1..=1024"),
        (&["run", "storm.toml", "--json", "-", "--csv", "-"], "name a file for one of them"),
        (&["run", "storm.toml", "--json", ""], "name a file, or write `-`"),
        (&["run"], "<SCENARIO>"),
        (&["list", "--show", "L8"], "L8-280"),
        (&["lst"], "list"),
    ] {
        let output = lab.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(part), "{arguments:?}: {}", err(&output));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_scenario_with_mistakes_is_refused_with_their_places() {
    let lab = Lab::new();
    fs::write(lab.path("wrong.toml"), STORM.replace("workers = 10", "worker = 10")).unwrap();
    let output = lab.run(&["run", "wrong.toml", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("wrong.toml:14:"), "{}", err(&output));
    assert!(!lab.path("out").exists());
}

#[test]
fn a_run_shows_a_table_and_how_fast_it_was() {
    let lab = Lab::new();
    let output = lab.run(&["run", "storm.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let table = out(&output);
    assert!(table.starts_with("storm: an outage of one second\n2 seeds, counted 1–8 s"), "{table}");
    assert!(table.contains("P/N: each seed's figure divided by that of `naive`"), "{table}");
    assert!(!table.contains('\x1b'), "no colours in a pipe");
    assert!(err(&output).contains("4 of 4 simulations, 3"), "{}", err(&output));
    assert!(err(&output).contains(" M events/s"), "{}", err(&output));
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_one_thread_and_on_two() {
    let lab = Lab::new();
    for (threads, directory) in [("1", "one"), ("2", "two")] {
        let arguments = ["run", "storm.toml", "--threads", threads, "--out", directory];
        assert_eq!(lab.run(&arguments).status.code(), Some(0));
    }
    assert_eq!(names(&lab.path("one")), ["storm.csv", "storm.html", "storm.json", "storm.txt"]);
    for name in names(&lab.path("one")) {
        let read = |directory: &str| fs::read(lab.path(directory).join(&name)).unwrap();
        assert!(read("one") == read("two"), "{name}");
    }
}

#[test]
fn figures_go_to_files_and_to_standard_output() {
    let lab = Lab::new();
    let output = lab.run(&[
        "run",
        "storm.toml",
        "--json",
        "-",
        "--csv",
        "all.csv",
        "--seeds",
        "7",
        "--policy",
        "default",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["complete"], true);
    let policies = json["scenarios"][0]["policies"].as_array().unwrap();
    assert_eq!(policies.len(), 1);
    assert_eq!(policies[0]["name"], "default");
    assert_eq!(policies[0]["seeds"][0], 7);
    assert!(policies[0]["figures"]["calls"]["value"]["median"].as_f64() > Some(100.0));
    let csv = fs::read_to_string(lab.path("all.csv")).unwrap();
    assert_eq!(csv.lines().count(), 2);
    assert!(csv.contains("storm,default,7,"), "{csv}");
}

#[test]
fn pictures_and_a_page_are_written_where_they_are_wanted() {
    let lab = Lab::new();
    let output = lab.run(&[
        "run",
        "./storm.toml",
        "--quick",
        "--policy",
        "naive",
        "--out",
        "out",
        "--plots",
        "--report",
        "all.html",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let names = names(&lab.path("out"));
    assert!(names.contains(&"storm.retries.svg".to_owned()), "{names:?}");
    let png = fs::read(lab.path("out/storm.retries.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    let page = fs::read_to_string(lab.path("all.html")).unwrap();
    assert!(page.contains("storm-lab run ./storm.toml --quick --policy naive</code>"), "{page}");
    assert!(page.contains("[[fault]]"), "the scenario's text is in it");
    let output = lab.run(&["run", "storm.toml", "--plots"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("--out <DIR>"), "{}", err(&output));
}

#[test]
fn two_scenarios_of_one_name_are_refused_and_one_named_twice_runs_once() {
    let lab = Lab::new();
    fs::create_dir(lab.path("other")).unwrap();
    fs::write(lab.path("other/storm.toml"), STORM).unwrap();
    let output = lab.run(&["run", "storm.toml", "other/storm.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("are both called `storm`; rename"), "{}", err(&output));
    let output = lab.run(&["run", "storm.toml", "./storm.toml", "--seeds", "1"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(err(&output).contains("2 of 2 simulations"), "{}", err(&output));
}

#[test]
fn what_cannot_be_written_is_an_error_before_anything_is_simulated() {
    let lab = Lab::new();
    for arguments in [
        ["run", "storm.toml", "--out", "storm.toml"],
        ["run", "storm.toml", "--json", "storm.toml/x.json"],
        ["run", "storm.toml", "--csv", "."],
        ["run", "storm.toml", "--report", "storm.toml/x.html"],
        ["run", "storm.toml", "--json=a.json", "--csv=./a.json"],
        ["run", "storm.toml", "--json=a.json", "--csv=a.partial.json"],
        ["run", "storm.toml", "--out=tw", "--json=tw/storm.json"],
        ["run", "storm.toml", "--out=tw", "--report=tw/storm.html"],
    ] {
        let output = lab.run(&arguments);
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(!err(&output).contains("simulations"), "{}", err(&output));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(names(lab.0.path()), ["storm.toml"]);
}

/// A file that standard output goes to is not replaced under it.
#[cfg(unix)]
#[test]
fn figures_for_the_file_of_standard_output_are_in_it_before_the_table() {
    let lab = Lab::new();
    for csv in ["/dev/stdout", "all.txt"] {
        let to = fs::File::create(lab.path("all.txt")).unwrap();
        let arguments = ["run", "storm.toml", "--quick", "--csv", csv];
        let status = lab.command(&arguments).stdout(to).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{csv}");
        let text = fs::read_to_string(lab.path("all.txt")).unwrap();
        assert!(text.starts_with("scenario,policy,seed"), "{csv}: {text}");
        assert!(text.contains("storm,default,2") && text.contains("storm: an outage"), "{text}");
    }
    assert_eq!(names(lab.0.path()), ["all.txt", "storm.toml"]);
}

#[test]
fn who_stops_reading_hears_no_complaint() {
    let lab = Lab::new();
    let mut child = lab
        .command(&["run", "storm.toml", "--json", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(!said.contains("error"), "{said}");
}

#[test]
fn built_in_scenarios_are_listed_and_shown() {
    let lab = Lab::new();
    let list = out(&lab.run(&["list"]));
    assert!(list.lines().any(|line| line.starts_with("L2 ")), "{list}");
    let shown = out(&lab.run(&["list", "--show", "l2"]));
    assert!(shown.contains("[[policy]]"), "{shown}");
    // The name of what it is a part of, too.
    let shown = out(&lab.run(&["list", "--show", "L1"]));
    assert!(shown.starts_with("title = \"Loss ledger: what steady loss costs"), "{shown}");
}

/// SIGINT by the shell's own `kill`, since nothing here may be unsafe.
#[cfg(unix)]
fn interrupt(child: u32) {
    let status = Command::new("sh").args(["-c", &format!("kill -INT {child}")]).status().unwrap();
    assert!(status.success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished_and_marks_it() {
    use std::io::BufRead;

    let lab = Lab::new();
    // A short one that is finished, and one that would take minutes.
    let long = STORM
        .replace("\"8s\"\nwindow", "\"20000s\"\nwindow")
        .replace("rate = 25.0", "rate = 500.0");
    fs::write(lab.path("long.toml"), long).unwrap();
    let mut child = lab
        .command(&[
            "run",
            "storm.toml",
            "long.toml",
            "--threads",
            "5",
            "--out",
            "out",
            "--json",
            "all.json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Ten seconds later it says how far it is: the short ones are finished by then.
    let mut lines =
        std::io::BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    assert!(first.contains("/8 simulations"), "{first}");
    interrupt(child.id());
    let rest: Vec<String> = lines.collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("stopped before the end")), "{rest:?}");
    // Of what was not begun there is nothing to show.
    assert!(!out(&output).contains("PARTIAL"), "{}", out(&output));
    assert!(rest.iter().any(|line| line.starts_with("nothing of `long` was finished")), "{rest:?}");
    assert_eq!(names(&lab.path("out")), ["storm.csv", "storm.html", "storm.json", "storm.txt"]);
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(lab.path("all.partial.json")).unwrap()).unwrap();
    assert_eq!(json["complete"], false);
    assert_eq!(json["scenarios"][0]["complete"], true);
    assert_eq!(json["scenarios"][1]["complete"], false);
}

#[test]
fn seeds_that_come_to_more_memory_than_there_is_are_refused_before_anything_is_simulated() {
    let output = Lab::new().run(&["run", "L1-many", "--seeds", "0-9999"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("`L1-many`: ") && stderr.contains("fewer `seeds`"), "{stderr}");
    assert!(output.stdout.is_empty());
}
