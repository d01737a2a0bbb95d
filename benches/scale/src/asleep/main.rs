//! Very many calls, all asleep in their first backoff on one thread: what each takes up, and what it
//! costs to put it to sleep and to wake it.

mod driver;
mod subjects;

use std::{collections::HashMap, process::Command};

use report::{Progress, Table, count, head, misused, verdict};
use scale::heap::Counting;

use driver::{Driver, Outcome, Polled};
use subjects::{HAND_WRITTEN, NAMES};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Whose versions the head names.
const PACKAGES: [&str; 6] =
    ["stormless", "tokio", "backon", "tokio-retry2", "tower", "tower-resilience-retry"];

const HELP: &str = "\
What a call takes up while it is asleep in its first backoff, for many calls on one thread.

    cargo run --release --bin asleep [-- OPTIONS]

    --calls N,N   how many calls, for each a table (100000,1000000)
    --only TEXT   only subjects whose names contain this, beside the hand-written loop
    --quick       memory alone: wakes nobody

For each subject, in a process of its own: N calls are created, each fails once and falls asleep. Then
the heap (as asked for from the allocator) and the resident pages (/proc/self/statm) are read. In a
second process the waits are short, and the calls wake and succeed. Times are those of the thread on
its processor (/proc/self/schedstat), so that other processes are not in them. A million calls need
about a gigabyte.";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut sizes, mut only, mut quick) = (vec![100_000, 1_000_000], String::new(), false);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), &mut arguments) {
            ("child", rest) => return child(&rest.collect::<Vec<_>>()),
            ("--quick", _) => quick = true,
            ("--only", rest) => {
                only = rest.next().unwrap_or_else(|| misused("`--only` needs a part of a name"));
                if !NAMES.iter().any(|name| name.contains(&only)) {
                    misused(&format!("`--only`: no subject has `{only}` in its name"));
                }
            }
            ("--calls", rest) => {
                let list = rest.next().unwrap_or_default();
                sizes = list.split(',').map(|size| count("--calls", Some(size), 1)).collect();
            }
            ("--help" | "-h", _) => return println!("{HELP}"),
            (other, _) => misused(&format!("there is no option `{other}`")),
        }
    }
    let wanted = |name: &&&str| **name == HAND_WRITTEN || name.contains(&only);
    let names: Vec<&str> = NAMES.iter().filter(wanted).copied().collect();
    println!("{}", head(include_str!("../../Cargo.lock"), &PACKAGES));
    let tables: Vec<_> = sizes.iter().flat_map(|calls| ways(*calls)).collect();
    let mut progress = Progress::new(names.len() * tables.len() * if quick { 1 } else { 2 });
    for (calls, polled) in tables {
        let mut rows = Vec::new();
        for name in &names {
            progress.step(&format!("{calls} calls, {polled:?}, {name}: memory"));
            let memory = in_child(name, true, Driver { calls, polled, wakes: false });
            let times = (!quick).then(|| {
                progress.step(&format!("{calls} calls, {polled:?}, {name}: waking"));
                in_child(name, false, Driver { calls, polled, wakes: true })
            });
            rows.push((*name, memory, times));
        }
        let who = match polled {
            Polled::Spawned => "each a task of its own",
            Polled::Together => "all polled by one task, out of a FuturesUnordered",
        };
        println!("{calls} calls asleep, {who}; bytes and nanoseconds are those of one call\n");
        println!("{}", table(&rows));
        target(&rows);
    }
}

fn ways(calls: u64) -> impl Iterator<Item = (u64, Polled)> {
    [Polled::Spawned, Polled::Together].into_iter().map(move |polled| (calls, polled))
}

type Row<'a> = (&'a str, Outcome, Option<Outcome>);

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn table(rows: &[Row<'_>]) -> Table {
    let per = |sum: u64, outcome: &Outcome| sum as f64 / outcome.asleep.max(1) as f64;
    let hand = rows.iter().find(|(name, ..)| *name == HAND_WRITTEN).map(|(_, memory, _)| memory);
    let titles = [
        "subject",
        "future",
        "allocations",
        "heap",
        "÷ hand",
        "resident",
        "÷ hand",
        "create",
        "drain",
    ];
    let mut table = Table::new(&titles);
    for (name, memory, times) in rows {
        let ratio = |figure: fn(&Outcome) -> u64| {
            hand.map_or_else(String::new, |hand| {
                format!("{:.2}", per(figure(memory), memory) / per(figure(hand), hand))
            })
        };
        table.row(vec![
            (*name).to_owned(),
            memory.future.to_string(),
            format!("{:.2}", per(memory.allocations, memory)),
            format!("{:.0}", per(memory.heap, memory)),
            ratio(|outcome| outcome.heap),
            format!("{:.0}", per(memory.resident, memory)),
            ratio(|outcome| outcome.resident),
            format!("{:.0}", per(memory.create, memory)),
            times
                .map_or_else(|| "-".to_owned(), |times| format!("{:.0}", per(times.drain, &times))),
        ]);
    }
    table
}

/// Whether a call that is asleep takes up next to nothing more than the loop by hand.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn target(rows: &[Row<'_>]) {
    let heap_of = |wanted: &str| {
        let memory = rows.iter().find(|(name, ..)| *name == wanted).map(|(_, memory, _)| memory)?;
        Some((memory.resident as f64, memory.heap as f64))
    };
    if let (Some(own), Some(hand)) = (heap_of("stormless"), heap_of(HAND_WRITTEN)) {
        let (resident, heap) = (own.0 / hand.0, own.1 / hand.1);
        let measured = format!("{resident:.2} of resident bytes, {heap:.2} of heap");
        let met = resident <= 1.1 && heap <= 1.1;
        println!("{}\n", verdict("stormless ≤ 1.1 × the hand-written loop", &measured, met));
    }
}

/// Runs one subject in a process of its own, so that none finds what another has left.
fn in_child(name: &str, long: bool, driver: Driver) -> Outcome {
    let itself = std::env::current_exe().expect("the path of this program");
    let mut child = Command::new(itself);
    child.args(["child", name, &long.to_string(), &driver.calls.to_string()]);
    child.args([format!("{:?}", driver.polled), driver.wakes.to_string()]);
    let output = child.output().expect("this program can be started again");
    let said = String::from_utf8_lossy(&output.stdout);
    let figures: HashMap<&str, u64> = said
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(key, figure)| Some((key, figure.parse().ok()?)))
        .collect();
    let figure = |key| {
        *figures.get(key).unwrap_or_else(|| {
            let complaint = String::from_utf8_lossy(&output.stderr);
            panic!("`{name}` did not say its `{key}`: {complaint}")
        })
    };
    Outcome {
        future: figure("future"),
        asleep: figure("asleep"),
        heap: figure("heap"),
        resident: figure("resident"),
        allocations: figure("allocations"),
        create: figure("create"),
        drain: figure("drain"),
    }
}

/// The other end of [`in_child`].
fn child(arguments: &[String]) {
    let [name, long, calls, polled, wakes] = arguments else {
        panic!("a child is started by this program alone");
    };
    let polled = if polled == "Spawned" { Polled::Spawned } else { Polled::Together };
    let calls = calls.parse().expect("a number of calls");
    let driver = Driver { calls, polled, wakes: wakes == "true" };
    let outcome = subjects::run(name, long == "true", driver);
    println!("future {}", outcome.future);
    println!("asleep {}", outcome.asleep);
    println!("heap {}", outcome.heap);
    println!("resident {}", outcome.resident);
    println!("allocations {}", outcome.allocations);
    println!("create {}", outcome.create);
    println!("drain {}", outcome.drain);
}
