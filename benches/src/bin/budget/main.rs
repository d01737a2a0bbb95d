//! What a deposit and a withdrawal cost, on one thread and on two.

mod cases;

use benches::{
    machine,
    options::{self, Asked, Quick, misused},
    pair,
    rounds::{self, Times},
};
use cases::{Case, Operation};
use report::{Progress, Table, figure, held};

const ABOUT: &str = "\
What a deposit and a withdrawal cost, on one thread and on two that use the same budget at once: nanoseconds
(medians of interleaved rounds), against an operation on a single word.";

fn main() {
    let Asked::Table { quick } = options::read(ABOUT, Quick::Has) else {
        misused("`--loop` belongs to the `instructions` command")
    };
    let rounds = if quick { 20 } else { 200 };
    let mut rows: Vec<_> = cases::all().into_iter().map(Row::new).collect();
    let mut progress = Progress::new(rounds);
    for round in 0..rounds {
        progress.step("rounds");
        for row in &mut rows {
            row.alone();
            // On a busy machine two threads wait long for each other.
            if round % 5 == 0 {
                row.both();
            }
        }
    }
    drop(progress);
    println!("Operations on a budget, {rounds} rounds");
    print!("{}", machine::head(["tower", "tower-resilience-retry"]));
    for operation in Operation::ALL {
        println!("\n{}\n", operation.title());
        print!("{}", table(&rows, operation));
    }
    println!("\n{NOTES}\n");
    targets(&rows);
}

struct Row {
    case: Case,
    /// Operations in a turn.
    times: u64,
    alone: Times,
    both: Times,
}

impl Row {
    fn new(case: Case) -> Self {
        let times = rounds::calls_in_a_turn(|times| {
            (case.run)(times);
            times
        });
        Self { case, times, alone: Times::default(), both: Times::default() }
    }

    fn alone(&mut self) {
        self.alone.push(rounds::turn(self.times, |times| {
            (self.case.run)(times);
            times
        }));
    }

    fn both(&mut self) {
        for turn in pair::turns(self.times, 10, &*self.case.run) {
            self.both.push(turn);
        }
    }

    /// How often two threads do it in the time in which one does it once.
    fn throughput(&self) -> f64 {
        2.0 * self.alone.median() / self.both.median()
    }
}

fn table(rows: &[Row], operation: Operation) -> Table {
    let mut table = Table::new(&[
        "",
        "ns, 1 thread",
        "× floor",
        "ns, 2 threads",
        "× floor of 2",
        "2 threads do, × 1 thread",
    ]);
    let of_operation = || rows.iter().filter(|row| row.case.operation == operation);
    let floor = of_operation().find(|row| row.case.floor);
    for row in of_operation() {
        let ratio = |this: &Times, of: fn(&Row) -> &Times| {
            floor.map_or(String::new(), |floor| figure(this.median() / of(floor).median()))
        };
        table.row(vec![
            row.case.name.to_owned(),
            figure(row.alone.median()),
            ratio(&row.alone, |floor| &floor.alone),
            figure(row.both.median()),
            ratio(&row.both, |floor| &floor.both),
            figure(row.throughput()),
        ]);
    }
    table
}

const NOTES: &str = "\
- The floor is what cannot be undercut: reading one word where nothing changes, and adding to one where something
  does. It is the first row of each table.
- A withdrawal from stormless is counted in the budget's statistics too, which is a second atomic addition.
- tower and tower-resilience take a lock and read the clock. Where a thread finds the lock taken it may sleep,
  and then both are slower.
- Turns last about a tenth of a millisecond. Of those on two threads only such count in which both threads were
  running for nine tenths of the time; where there is none, a figure is not measured.";

fn targets(rows: &[Row]) {
    let find = |operation, floor| {
        let mut rows = rows.iter().filter(|row| row.case.operation == operation);
        rows.find(|row| if floor { row.case.floor } else { row.case.name == "stormless" })
    };
    for (operation, limit) in [(Operation::DepositAtCap, 2.0), (Operation::DepositBelowCap, 2.0)] {
        if let (Some(floor), Some(row)) = (find(operation, true), find(operation, false)) {
            let ratio = row.alone.ratio(&floor.alone);
            let target = format!("{} ≤ {limit} × {}", operation.title(), floor.case.name);
            println!("{}", held(&target, ratio, |ratio| ratio <= limit));
        }
    }
    if let Some(row) = find(Operation::DepositAtCap, false) {
        let throughput = row.throughput();
        let target = "Deposit at cap on two threads ≥ 1.8 × the throughput of one";
        println!("{}", held(target, throughput, |throughput| throughput >= 1.8));
    }
}
