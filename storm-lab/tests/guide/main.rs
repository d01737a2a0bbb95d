//! The guide, `docs/lab.md`, against the program: its pictures, tables and links are what there is now.
//!
//! After a change: `STORMLESS_RENEW=1 cargo test --release -p storm-lab --test guide`, and look at the pictures.

mod pictures;

use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use storm_lab::{
    output::{self, Finished, Style},
    plots,
    runner::{self, Job, Silent},
    scenario::{self, Scenario},
    sim::Watch,
    summary::{Measure, Summary, Value},
};

/// The pictures that the guide shows: the fewest that teach something.
const PICTURES: [(&str, &[&str]); 12] = [
    ("L1", &["latency"]),
    ("L1-many", &["budget"]),
    ("L2", &["load"]),
    ("L3", &["retries"]),
    ("L4", &["load"]),
    ("L5", &["amplification"]),
    ("L5-onset", &["amplification"]),
    ("L6", &["retries"]),
    ("L7", &["contention"]),
    ("L8-280", &["retries"]),
    ("L9", &["retries"]),
    ("L10-page", &["amplification"]),
];
/// What a build without optimisation simulates within seconds.
const CHEAP: [&str; 4] = ["L3", "L6", "L9", "L10-page"];
/// A picture that is larger is too much for a page that has twelve.
const LARGEST: usize = 60 * 1_024;
const COLUMNS: [(Measure, &str); 8] = [
    (Measure::Peak10Ms, "peak retries/s in 10 ms"),
    (Measure::Peak1S, "in 1 s"),
    (Measure::Amplification, "attempts per call"),
    (Measure::Success, "success, %"),
    (Measure::P50, "p50, ms"),
    (Measure::P95, "p95, ms"),
    (Measure::Utilisation, "utilisation, %"),
    (Measure::Recovery, "recovery, s"),
];
const RENEW: &str = "`STORMLESS_RENEW=1 cargo test --release -p storm-lab --test guide`";

fn docs(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(path)
}

fn guide() -> String {
    fs::read_to_string(docs("lab.md")).expect("there is a guide")
}

/// Built in, or a file beside the pictures.
fn scenario(name: &str) -> Scenario {
    match scenario::builtin(name) {
        Some(builtin) => builtin.scenario(),
        None => scenario::read_file(&docs("lab").join(name).with_extension("toml")),
    }
    .unwrap_or_else(|error| panic!("{error}"))
}

/// All in the guide that is about a scenario: what kind of it, and its name, in the order in which they stand there.
fn blocks(guide: &str) -> Vec<(&str, &str)> {
    let comments =
        guide.lines().filter_map(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    comments.filter_map(|comment| comment.split_once(": ")).collect()
}

/// The guide with what stands between this comment and its end replaced.
fn replaced(guide: &str, kind: &str, name: &str, by: &str) -> String {
    let (begin, end) = (format!("<!-- {kind}: {name} -->\n"), format!("<!-- /{kind} -->\n"));
    let (before, rest) = guide.split_once(&begin).expect("the block was found there");
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("`{begin}` has no end"));
    format!("{before}{begin}{by}{end}{after}")
}

/// Medians over the seeds, in the columns that have any.
fn figures(summary: &Summary) -> String {
    let used: Vec<_> = COLUMNS
        .iter()
        .filter(|(measure, _)| summary.rows.iter().any(|row| row.figure(*measure).value.count > 0))
        .collect();
    let heads: Vec<&str> = used.iter().map(|(_, head)| *head).collect();
    let mut table =
        format!("\n| policy | {} |\n|---{}|\n", heads.join(" | "), "|---:".repeat(used.len()));
    for row in &summary.rows {
        let cells = used.iter().map(|(measure, _)| match row.figure(*measure).value.median {
            Value::Number(number) => measure.unit().text(number),
            Value::Never => "never".to_owned(),
            Value::Undefined => "–".to_owned(),
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(table, "| {} | {} |", row.policy, cells.join(" | "));
    }
    table + "\n"
}

/// The guide with what its commands print now.
fn with_commands(guide: &str) -> String {
    const BEGIN: &str = "```text\n$ storm-lab ";
    let mut pieces = guide.split(BEGIN);
    let mut renewed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (block, after) = piece.split_once("\n```\n").expect("the block has an end");
        let arguments = block.lines().next().unwrap_or_default();
        // By a shell, since its quotes are those of the guide's readers.
        let output = Command::new("sh")
            .args(["-c", &format!("\"$0\" {arguments}"), env!("CARGO_BIN_EXE_storm-lab")])
            .env_remove("COLUMNS")
            .output()
            .expect("there is a shell");
        let printed = String::from_utf8_lossy(&output.stdout);
        let _ = write!(renewed, "{BEGIN}{arguments}\n{}\n```\n{after}", printed.trim_end());
    }
    renewed
}

fn simulated(name: &str) -> Finished {
    let scenario = scenario(name);
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let mut results = runner::run(&Job::all(&scenario), threads, &Watch::default(), &Silent);
    let results = results.pop().expect("one scenario has results");
    assert!(results.complete, "{name}: {:?}", results.failures);
    Finished::from(results)
}

#[test]
fn pictures_and_figures_are_what_the_program_gives_now() {
    let renew = env::var_os("STORMLESS_RENEW").is_some();
    let before = guide();
    let mut after = with_commands(&before);
    let shown = blocks(&before);
    let names: BTreeSet<&str> =
        shown.iter().map(|(_, name)| *name).chain(PICTURES.map(|(name, _)| name)).collect();
    for name in names {
        if cfg!(debug_assertions) && !CHEAP.contains(&name) {
            continue;
        }
        let finished = simulated(name);
        for (kind, _) in shown.iter().filter(|(_, of)| *of == name) {
            let by = match *kind {
                "figures" => figures(&finished.summary),
                "table" => format!("\n```text\n{}```\n\n", output::table(&finished, Style::PLAIN)),
                other => panic!("the guide has a block of an unknown kind, `{other}`"),
            };
            after = replaced(&after, kind, name, &by);
        }
        let wanted =
            PICTURES.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, plots)| plots);
        let drawn = plots::all(&finished.results.scenario, &finished.results.outcomes);
        for plot in wanted {
            let svg = &drawn.iter().find(|drawn| drawn.name == *plot).expect("it is drawn").svg;
            let path = docs("lab").join(format!("{name}.{plot}.svg"));
            assert!(svg.len() <= LARGEST, "{name}.{plot}.svg has {} bytes", svg.len());
            if renew {
                fs::write(&path, svg).expect("the picture can be written");
            }
            let there = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                there == *svg,
                "{name}.{plot}.svg is not what is drawn now: renew it with {RENEW}"
            );
        }
    }
    if renew {
        fs::write(docs("lab.md"), after).expect("the guide can be written");
        pictures::renew();
        return;
    }
    let differs = after.lines().zip(before.lines()).find(|(new, old)| new != old);
    assert!(
        after == before,
        "docs/lab.md, from {differs:?} on, is no longer so: renew it with {RENEW}"
    );
}

/// Where links and pictures of the guide lead.
fn links(guide: &str) -> Vec<&str> {
    guide.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_leads_somewhere() {
    let guide = guide();
    let anchors: BTreeSet<String> = guide
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect();
    let links = links(&guide);
    assert!(links.len() > PICTURES.len(), "{links:?}");
    for link in links.iter().filter(|link| !link.starts_with("https://")) {
        let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
        assert!(path.is_empty() || docs(path).exists(), "`{link}` leads nowhere");
        if path.is_empty() {
            assert!(anchors.contains(fragment), "`{link}` is none of {anchors:?}");
        }
    }
}

#[test]
fn every_scenario_has_its_figures_and_each_picture_is_shown() {
    let guide = guide();
    // One is there to be timed, and says nothing about policies.
    let telling = scenario::builtins().iter().filter(|builtin| builtin.lab != "large");
    for builtin in telling {
        assert!(
            guide.contains(&format!("<!-- figures: {} -->\n", builtin.name)),
            "{}",
            builtin.name
        );
        assert!(guide.contains(&format!("{}: ", builtin.lab)), "no heading for {}", builtin.lab);
    }
    let mut there: BTreeSet<String> = BTreeSet::new();
    for entry in fs::read_dir(docs("lab")).expect("there are pictures") {
        let name = entry.expect("it can be read").file_name();
        if name != "pictures.md" {
            there.insert(name.to_string_lossy().into_owned());
        }
    }
    for file in &there {
        assert!(guide.contains(&format!("lab/{file}")), "the guide does not speak of lab/{file}");
    }
    let svgs = |(name, plots): &(&str, &[&str])| {
        plots.iter().map(|plot| format!("{name}.{plot}.svg")).collect::<Vec<_>>()
    };
    let listed: BTreeSet<String> = PICTURES.iter().flat_map(svgs).collect();
    let is_svg = |file: &String| Path::new(file).extension().is_some_and(|end| end == "svg");
    let drawn: BTreeSet<String> = there.into_iter().filter(is_svg).collect();
    assert_eq!(drawn, listed);
}

#[test]
fn commands_name_scenarios_that_there_are() {
    for line in guide().lines() {
        let Some((_, arguments)) = line.split_once("storm-lab run ") else { continue };
        let first = arguments.split([' ', '`']).next().unwrap_or_default();
        let file = first.strip_prefix("docs/lab/").map(|file| docs("lab").join(file));
        let known = match file {
            Some(file) => file.exists(),
            None => {
                !scenario::find(first).is_empty() || first == "mine.toml" || first == "SCENARIO"
            }
        };
        assert!(known, "`{first}` in `{line}`");
    }
}
