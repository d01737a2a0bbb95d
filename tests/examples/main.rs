//! What the examples print is what their headers say.

mod matching;

use std::{
    env::{self, consts::EXE_SUFFIX},
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

use matching::{difference, masked};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// The names and sources of the examples, by name.
fn examples() -> Vec<(String, PathBuf)> {
    let mut found: Vec<_> = fs::read_dir(EXAMPLES)
        .expect("there is a directory of examples")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter_map(|path| {
            let source = if path.is_dir() { path.join("main.rs") } else { path.clone() };
            // A directory without a `main.rs` has the modules of the example of its name.
            let is_rust = source.extension().is_some_and(|extension| extension == "rs");
            let is_rust = is_rust && source.is_file();
            is_rust.then(|| (path.file_stem().unwrap().to_str().unwrap().to_owned(), source))
        })
        .collect();
    found.sort();
    found
}

/// The example as a program. `cargo test` builds it into the directory beside that of this test, but
/// `cargo test --test` does not.
fn binary(name: &str, source: &Path) -> PathBuf {
    let this = env::current_exe().expect("a test knows where it is");
    let profile = this.parent().and_then(Path::parent).expect("it is in the build's `deps`");
    let binary = profile.join("examples").join(format!("{name}{EXE_SUFFIX}"));
    let changed = |path: &Path| path.metadata().and_then(|data| data.modified());
    let is_fresh = changed(&binary).is_ok_and(|built| built >= changed(source).unwrap());
    assert!(is_fresh, "{} is missing or old: run `cargo build --examples`", binary.display());
    binary
}

/// Examples in real time run one after the other: one of them burns all processors.
static REAL_TIME: Mutex<()> = Mutex::new(());

fn alone(name: &str) -> Option<MutexGuard<'static, ()>> {
    let is_alone = IN_REAL_TIME.contains(&name);
    is_alone.then(|| REAL_TIME.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What an example prints.
fn output(name: &str, source: &Path) -> String {
    let _alone = alone(name);
    let output = Command::new(binary(name, source)).output().expect("an example can be started");
    let text = String::from_utf8(output.stdout).expect("examples print text");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} failed: {errors}\n{text}");
    text
}

/// The block of text in an example's header.
fn header(source: &Path) -> Option<String> {
    let source = fs::read_to_string(source).expect("sources can be read");
    let block: Vec<&str> = source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .skip_while(|line| *line != "```text")
        .skip(1)
        .take_while(|line| *line != "```")
        .collect();
    (!block.is_empty()).then(|| block.join("\n"))
}

/// These run in real time, and one under a real load, so that no two runs have the same figures. Each has a test
/// of its own below, with bounds for the figures that matter.
const IN_REAL_TIME: [&str; 4] = ["adaptive", "hedging", "observability", "quickstart"];

fn lines(text: &str) -> Vec<String> {
    text.trim().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Whether and when the adaptive example changes its growth depends on what else the machine is doing, and it says so.
fn depends_on_others(line: &str) -> bool {
    line.contains(" growth, J") || line.starts_with("Other programs kept")
}

/// Fails unless the example printed what its header says.
fn compare(name: &str, source: &Path, printed: &str) {
    let promised = header(source).unwrap_or_else(|| panic!("{name} has no output in its header"));
    let (mut promised, mut printed_lines) = (lines(&promised), lines(printed));
    if IN_REAL_TIME.contains(&name) {
        for line in promised.iter_mut().chain(&mut printed_lines) {
            *line = masked(line);
        }
        for lines in [&mut promised, &mut printed_lines] {
            lines.retain(|line| !depends_on_others(line));
            while lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
        }
    } else {
        assert!(!promised.iter().any(|line| line == "…"), "{name} can promise all that it prints");
    }
    if let Some(difference) = difference(&promised, &printed_lines) {
        panic!("{name}: {difference}, in:\n{printed}");
    }
}

/// What an example prints, which is what its header says.
fn checked_output(name: &str, source: &Path) -> String {
    let printed = output(name, source);
    compare(name, source, &printed);
    printed
}

#[test]
fn every_example_prints_what_its_header_says() {
    let mut compared = 0;
    for (name, source) in examples() {
        if !IN_REAL_TIME.contains(&name.as_str()) {
            checked_output(&name, &source);
            compared += 1;
        }
    }
    assert_eq!(compared, examples().len() - IN_REAL_TIME.len());
}

#[test]
fn the_quickstart_says_what_stopped_each_call() {
    let source = Path::new(EXAMPLES).join("quickstart/main.rs");
    let output = checked_output("quickstart", &source);
    for (what, shown) in [
        ("a recovery", "attempt 2: ok"),
        ("a hint", "attempt 1: 429 (throttled, not executed, asks for 1s) -> retry in 1."),
        ("a cut", "attempt 1: attempt_timeout (timeout, may have been executed) -> retry in"),
        ("an answer", "stopped after 1 attempt: a repeat cannot help"),
        ("a doubt", "stopped after 1 attempt: it may have been carried out"),
        ("one charge for one key", "the ledger was sent 3 requests and charged 2 times"),
        ("an empty budget", "30 attempts in all, where 3 for each call would have been 60"),
        ("its refusals", "warehouse  0.0      10     20"),
    ] {
        assert!(output.contains(shown), "no sign of {what} in:\n{output}");
    }
    let widest = output.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "a line has {widest:?} columns:\n{output}");
}

#[test]
fn hedging_makes_the_slowest_calls_much_faster_for_few_requests_more() {
    let source = Path::new(EXAMPLES).join("hedging.rs");
    let output = checked_output("hedging", &source);
    let mut verdicts = 0;
    for line in output.lines().filter(|line| line.starts_with("A hedge after")) {
        let figure = |before: &str, after: &str| -> f64 {
            let rest = line.split_once(before).expect("the line has the figure").1;
            rest.split_once(after).expect("and its unit").0.parse().expect("a number")
        };
        let (falls, extra) = (figure("p99 falls ", " times"), figure(", for ", " % more"));
        assert!(falls >= 3.0 && extra <= 5.0, "{output}");
        verdicts += 1;
    }
    assert_eq!(verdicts, 2, "{output}");
}

#[test]
fn the_adaptive_example_shows_both_functions_in_each_phase_and_coefficients_in_range() {
    // Whether the growth changes depends on what else the machine is doing; the tests of the attribute
    // show that under loads of their own.
    let output = checked_output("adaptive", &Path::new(EXAMPLES).join("adaptive.rs"));
    assert!(output.lines().next().is_some_and(|line| line.contains("exponential growth, J 0.00")));
    for (function, rows) in [("adaptive ", 3), ("equal jitter ", 3)] {
        let found: Vec<_> = output.lines().filter(|line| line.contains(function)).collect();
        assert_eq!(found.len(), rows, "{output}");
        for row in found.iter().filter(|row| row.contains(" to ")) {
            let range: Vec<f64> =
                row.split_whitespace().rev().filter_map(|word| word.parse().ok()).take(2).collect();
            assert!(range.iter().all(|j| (0.0..=1.0).contains(j)), "{row}");
        }
    }
    let widest = output.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "a line has {widest:?} columns:\n{output}");
}

/// What a server on this machine answers to a request for a path.
fn answer(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the example listens where it says");
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers with text, and closes");
    assert!(answer.starts_with("HTTP/1.0 200 OK"), "{answer}");
    answer
}

#[test]
fn the_observability_example_serves_what_it_prints_and_ends_by_itself() {
    let source = Path::new(EXAMPLES).join("observability.rs");
    let _alone = alone("observability");
    let mut command = Command::new(binary("observability", &source));
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it can be started");
    let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
    let mut lines = output.lines().map(|line| line.expect("examples print text"));
    let first = lines.next().expect("it says where to look");
    let address = first.rsplit("http://").next().and_then(|url| url.strip_suffix("/metrics"));
    let address = address.unwrap_or_else(|| panic!("no address in {first}"));

    let metrics = answer(address, "/metrics");
    for series in [
        "# TYPE stormless_calls_total counter",
        "# TYPE stormless_attempt_duration_seconds histogram",
        r#"stormless_budget_implicit{budget="recomendations"} 1"#,
        r#"stormless_budget_capacity{budget="orders"} 20"#,
        r#"stormless_breaker_state{breaker="payments",state="closed"}"#,
    ] {
        assert!(metrics.contains(series), "no {series} in:\n{metrics}");
    }
    let page = answer(address, "/debug/retries");
    for table in ["sites", "budgets", "breakers"] {
        assert!(page.contains(&format!("<table id=\"{table}\"")), "no {table} in:\n{page}");
    }

    let rest: Vec<String> = lines.collect();
    assert!(child.wait().expect("it ends").success());
    let text = rest.join("\n");
    compare("observability", &source, &format!("{first}\n{text}"));
    let phases = ["healthy", "slow", "failing", "recovering"];
    let mut shown = rest.iter().filter_map(|line| {
        let mut words = line.split_whitespace();
        words.next()?.parse::<u32>().ok()?;
        words.next().filter(|word| phases.contains(word))
    });
    let shown: Vec<_> = shown.by_ref().collect();
    assert_eq!(shown.len(), 8, "one line for each second:\n{text}");
    assert!(text.contains("(implicit)") && text.contains("What the numbers say:"), "{text}");
    // The tables and messages under it are the library's.
    let widest = rest.iter().take(6).map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "a line has {widest:?} columns:\n{text}");
}

#[test]
fn the_observability_example_says_what_it_can_be_told() {
    let program = binary("observability", &Path::new(EXAMPLES).join("observability.rs"));
    let run = |arguments: &[&str]| Command::new(&program).args(arguments).output().unwrap();
    let help = run(&["--help"]);
    let text = String::from_utf8(help.stdout).expect("examples print text");
    assert!(help.status.success() && text.contains("--keep") && text.contains("/debug/retries"));
    for (arguments, fault) in [
        (&["--prot", "80"][..], "there is no option `--prot`: see `--help`"),
        (&["--port", "http"], "`--port` needs a number from 0 to 65535, not `http`"),
        (&["--seconds"], "`--seconds` needs a number from 4 to 3600, not ``"),
    ] {
        let refused = run(arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(String::from_utf8_lossy(&refused.stderr).trim(), fault);
    }
}

#[test]
fn the_list_of_examples_is_complete() {
    let list = fs::read_to_string(Path::new(EXAMPLES).join("README.md")).expect("there is a list");
    for (name, _) in examples() {
        // One that is for a feature says so.
        let command = format!("`cargo run --example {name}");
        let found =
            ["`", " --features "].iter().any(|end| list.contains(&format!("{command}{end}")));
        assert!(found, "examples/README.md lacks {command}`");
    }
}
