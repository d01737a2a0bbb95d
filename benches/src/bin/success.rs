//! What a call costs that succeeds at once: time, heap and the size of its future.

use benches::{
    allocations, machine,
    options::{self, Asked, Quick, fail, misused},
    rounds::{self, Times},
    subjects::{self, Subject},
};
use report::{Progress, Table, verdict};

const ABOUT: &str = "\
What a call costs that succeeds at once: nanoseconds (median of interleaved rounds, and between which
figures the middle half of the rounds lies), the ratios to the bare call and to the hand-written loop of
the same rounds, allocations, and the size of the future.";

struct Row {
    subject: Subject,
    calls: u64,
    times: Times,
}

fn main() {
    let Asked::Table { quick } = options::read(ABOUT, Quick::Has) else {
        misused("`--loop` belongs to the `instructions` command")
    };
    if cfg!(feature = "paused") {
        fail(
            "built with the feature `paused`, which makes tokio's clock another one: leave it out",
        );
    }
    let rounds = if quick { 51 } else { 1_001 };
    let mut rows: Vec<_> = subjects::all()
        .into_iter()
        .map(|subject| {
            let calls = rounds::calls_in_a_turn(subject.run);
            Row { subject, calls, times: Times::default() }
        })
        .collect();
    let mut progress = Progress::new(rounds);
    for _ in 0..rounds {
        progress.step("rounds");
        for row in &mut rows {
            row.times.push(rounds::turn(row.calls, row.subject.run));
        }
    }
    drop(progress);
    print(&rows, rounds);
}

fn print(rows: &[Row], rounds: usize) {
    println!("Calls that succeed at once, {rounds} interleaved rounds, 0.1 ms each");
    println!("{}", machine::head(rows.iter().filter_map(|row| row.subject.peer)));
    let find = |name: &str| rows.iter().find(|row| row.subject.name == name);
    let mut table = Table::new(&[
        "subject",
        "ns",
        "middle half",
        "× bare",
        "× hand loop",
        "allocations",
        "bytes of heap",
        "future",
        "+ bare",
    ]);
    for Row { subject, times, .. } in rows {
        let bare = find(subject.bare);
        let (low, high) = times.quartiles();
        let heap = allocations::each_call(|calls| {
            std::hint::black_box((subject.run)(calls));
        });
        let bytes = (subject.bytes)();
        let more = bytes.zip(bare.and_then(|bare| (bare.subject.bytes)()));
        let ratio = |to: Option<&Row>| {
            to.map_or(String::new(), |to| format!("{:.2}", times.ratio(&to.times)))
        };
        table.row(vec![
            subject.name.to_owned(),
            format!("{:.1}", times.median()),
            format!("{low:.1}–{high:.1}"),
            ratio(bare),
            ratio(subject.hand.and_then(find)),
            heap.allocations.to_string(),
            heap.bytes.to_string(),
            bytes.map_or("–".to_owned(), |bytes| bytes.to_string()),
            more.map_or("–".to_owned(), |(bytes, bare)| {
                format!("{:+}", bytes.cast_signed() - bare.cast_signed())
            }),
        ]);
    }
    println!("{table}");
    println!("{NOTES}\n");
    targets(rows);
}

const NOTES: &str = "\
- Calls follow one another, each with the result of the one before; the body is a function that is not inlined
  and does next to nothing, so that this is the worst light to see ratios in. A body that waits once, as for a
  socket, is polled twice.
- × bare compares with the same without retries: the blocking function, or the HTTP client without the retry
  middleware, where the row is one of those.
- Everyone makes at most three attempts with exponential backoff from 50 ms, at most 20 s, with jitter.
- tower and tower-resilience without a budget, backon, tokio-retry2, seatbelt and reqwest-retry limit no load;
  the hand-written loop neither. Nobody but stormless looks at what is around the call.
- reqwest-middleware answers from memory: its row is the cost of requests and answers, not of a network.
- tower-resilience boxes its future, so that its size says nothing; see its allocations.";

fn targets(rows: &[Row]) {
    let find = |name: &str| rows.iter().find(|row| row.subject.name == name);
    let (Some(own), Some(hand), Some(bare)) =
        (find(subjects::OWN.name), find(subjects::HAND.name), find(subjects::BARE.name))
    else {
        return;
    };
    let ratio = own.times.ratio(&hand.times);
    println!(
        "{}",
        verdict("own budget ≤ 1.4 × the hand-written loop", &format!("{ratio:.2}"), ratio <= 1.4)
    );
    let peers = rows.iter().filter(|row| row.subject.peer.is_some());
    let fastest = peers.min_by(|a, b| a.times.median().total_cmp(&b.times.median()));
    if let Some(fastest) = fastest {
        let ratio = own.times.ratio(&fastest.times);
        let measured = format!("{ratio:.2} × {}, the fastest", fastest.subject.name);
        println!("{}", verdict("own budget faster than every peer", &measured, ratio < 1.0));
    }
    let more = |row: &Row| (row.subject.bytes)().unwrap_or(0);
    let (bare, own) = (more(bare), more(own));
    let measured =
        format!("{own} bytes, {} more than the bare one", own.cast_signed() - bare.cast_signed());
    println!(
        "{}",
        verdict("future ≤ bare + 96 and ≤ 152 bytes", &measured, own <= bare + 96 && own <= 152)
    );
}
