//! Very many annotated functions and budgets in one process: what a call, a failure and a table cost
//! there, against a process that has ten of each.

mod measure;

use std::{collections::BTreeMap, process::Command};

use report::{Progress, Samples, Table, count, head, held, misused};
// All that it is here for is in its statics.
use sites as _;

#[global_allocator]
static ALLOCATOR: scale::heap::Counting = scale::heap::Counting;

const HELP: &str = "\
What calls, failures and tables cost in a process with 10,000 annotated functions and 10,000 budgets,
against one with ten of each.

    cargo run --release --bin names [-- OPTIONS]

    --rounds N    how often each process is started, in turn (5)

Each process measures the same ten functions, each with a budget of its own that is declared at run
time. Figures are nanoseconds for one operation, or for one row of a table: the best of many turns in
each process, and of these the median. Ten thousand functions take about a minute to compile.";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut rounds = 5;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "child" => return measure::print(10_000),
            "--rounds" => {
                let wanted = count("--rounds", arguments.next().as_deref(), 1);
                rounds = usize::try_from(wanted).unwrap_or(usize::MAX / 2);
            }
            "--help" | "-h" => return println!("{HELP}"),
            other => misused(&format!("there is no option `{other}`")),
        }
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let few = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--bin", "names-few"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .status();
    assert!(few.is_ok_and(|status| status.success()), "the other half can be built");
    let itself = std::env::current_exe().expect("the path of this program");
    let other = itself.with_file_name("names-few");

    println!("{}", head(include_str!("../../Cargo.lock"), &["stormless"]));
    let mut figures: BTreeMap<usize, (String, String, [Samples; 2])> = BTreeMap::new();
    let mut progress = Progress::new(2 * rounds);
    for round in 1..=rounds {
        for (which, program) in [&other, &itself].into_iter().enumerate() {
            progress.step(&format!("round {round}, {}", ["ten", "ten thousand"][which]));
            let output = Command::new(program).arg("child").output().expect("it can be started");
            let said = String::from_utf8_lossy(&output.stdout);
            for (number, line) in said.lines().enumerate() {
                let mut parts = line.split('\t').map(str::to_owned);
                let mut part = || parts.next().expect("a name, a unit and a figure");
                let entry = figures.entry(number).or_default();
                (entry.0, entry.1) = (part(), part());
                entry.2[which].push(part().parse().expect("a figure"));
            }
        }
    }
    drop(progress);
    let titles = ["with as many functions and budgets", "unit", "10", "10,000", "ratio"];
    let mut table = Table::new(&titles);
    let mut again = f64::NAN;
    for (what, unit, [few, many]) in figures.values() {
        let (few, many) = (few.median(), many.median());
        // Rows are what others are divided by, and no result.
        let ratio = if unit == measure::ROWS { None } else { Some(many / few) };
        if what == measure::AGAIN {
            again = many / few;
        }
        table.row(vec![
            what.clone(),
            unit.clone(),
            format!("{few:.1}"),
            format!("{many:.1}"),
            ratio.map_or(String::new(), |ratio| format!("{ratio:.2}")),
        ]);
    }
    println!("{table}");
    let target = "a budget declared again, which looks its name up: ≤ 2 × with 10,000 budgets";
    println!("{}", held(target, again, |ratio| ratio <= 2.0));
}
