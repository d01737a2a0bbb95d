//! What failed attempts cost: instructions and heap, under paused time.

mod peers;
mod script;
mod subjects;

use std::{env, path::Path};

use benches::{
    allocations, callgrind, machine,
    options::{self, Asked, Quick, fail},
};
use report::{Progress, Table, verdict};
use script::Scenario;
use subjects::{Run, Subject};

const ABOUT: &str = "\
What failed attempts cost: instructions (callgrind, the difference of two lengths of a loop) and what is
taken from the heap. Time is paused, so that waits end at once; needs the feature `paused`:

    cargo run --release --features paused --bin failure";

fn main() {
    let subjects: Vec<Subject> = [subjects::ALL, peers::ALL].concat();
    match options::read(ABOUT, Quick::Not) {
        Asked::Loop { subject, calls } => {
            let run = subject.split_once('/').and_then(|(scenario, name)| {
                let mut scenarios = Scenario::ALL.into_iter();
                let scenario = scenarios.find(|known| known.key() == scenario)?;
                let subject = subjects.iter().find(|known| known.name == name)?;
                Some((scenario, subject.run(scenario)?))
            });
            let Some((scenario, run)) = run else {
                fail(&format!("there is no `{subject}`"));
            };
            drive(scenario, run, calls);
        }
        Asked::Table { .. } => tables(&subjects),
    }
}

/// Makes the calls on one thread, with time paused. All of them end as the scenario says.
fn drive(scenario: Scenario, run: Run, calls: u64) {
    scenario.set();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap_or_else(|error| fail(&format!("no runtime: {error}")));
    let failed = runtime.block_on(run(calls));
    let as_expected = match scenario {
        Scenario::Once | Scenario::Twice => failed == 0,
        // The one retry that an empty budget starts with.
        Scenario::Refused | Scenario::Permanent => failed == calls,
    };
    assert!(as_expected, "{failed} of {calls} calls failed: {scenario:?}");
}

/// What was measured of one subject in one scenario.
struct Row {
    name: &'static str,
    scenario: Scenario,
    /// Of two runs.
    instructions: (u64, u64),
    heap: allocations::Heap,
}

fn tables(subjects: &[Subject]) {
    callgrind::available().unwrap_or_else(|message| fail(&message));
    let binary = env::current_exe().unwrap_or_else(|error| fail(&format!("where am I? {error}")));
    let pairs: Vec<_> = Scenario::ALL
        .into_iter()
        .flat_map(|scenario| subjects.iter().map(move |subject| (scenario, subject)))
        .filter_map(|(scenario, subject)| Some((scenario, subject, subject.run(scenario)?)))
        .collect();
    let mut rows = Vec::new();
    let mut progress = Progress::new(pairs.len());
    for (scenario, subject, run) in &pairs {
        progress.step(&format!("{}: {}", scenario.key(), subject.name));
        rows.push(measure(&binary, *scenario, subject, *run));
    }
    drop(progress);
    println!("Calls with failed attempts, under paused time");
    print!("{}", machine::head(subjects.iter().filter_map(|subject| subject.peer)));
    for scenario in Scenario::ALL {
        println!("\n{}\n", scenario.title());
        print!("{}", table(&rows, scenario));
    }
    println!("\n{NOTES}\n");
    targets(&rows);
}

fn measure(binary: &Path, scenario: Scenario, subject: &Subject, run: Run) -> Row {
    let key = format!("{}/{}", scenario.key(), subject.name);
    let once = || match callgrind::measure(binary, &key) {
        Ok(difference) => difference.instructions(),
        Err(message) => fail(&message),
    };
    Row {
        name: subject.name,
        scenario,
        instructions: (once(), once()),
        heap: allocations::each_call(|calls| drive(scenario, run, calls)),
    }
}

fn table(rows: &[Row], scenario: Scenario) -> Table {
    let mut table = Table::new(&["subject", "instructions", "two runs", "allocations", "bytes"]);
    for row in rows.iter().filter(|row| row.scenario == scenario) {
        let (first, second) = row.instructions;
        let differ = first.abs_diff(second);
        table.row(vec![
            row.name.to_owned(),
            first.midpoint(second).to_string(),
            if differ == 0 { "equal".to_owned() } else { format!("±{}", differ.div_ceil(2)) },
            row.heap.allocations.to_string(),
            row.heap.bytes.to_string(),
        ]);
    }
    table
}

const NOTES: &str = "\
- Jitter makes waits of different lengths, which take tokio's timer more or less work; hence the differences
  between two runs of the same.
- The floor waits 25 ms each time. Whoever waits pays for tokio's timer, and for the runtime that moves the
  paused clock on.
- Nobody without a budget can be refused by one. seatbelt waits on a clock of its own, which paused time does
  not move.";

fn targets(rows: &[Row]) {
    let ours = |scenario| {
        let ours = rows.iter().filter(|row| row.name.starts_with("stormless"));
        ours.filter(move |row| row.scenario == scenario)
    };
    for scenario in Scenario::ALL {
        for (which, nested) in [("", false), (" (two budgets)", true)] {
            let rows = ours(scenario).filter(|row| (row.name == subjects::NESTED) == nested);
            let allocations = rows.map(|row| row.heap.allocations).max().unwrap_or(0);
            let target = format!("{}{which}: at most one allocation", scenario.title());
            println!("{}", verdict(&target, &allocations.to_string(), allocations <= 1));
        }
    }
    let later = ours(Scenario::Twice).map(|row| {
        let once = ours(Scenario::Once).find(|once| once.name == row.name);
        row.heap.allocations.saturating_sub(once.map_or(0, |once| once.heap.allocations))
    });
    let later = later.max().unwrap_or(0);
    println!(
        "{}",
        verdict("no allocation after the first failure", &later.to_string(), later == 0)
    );
}
