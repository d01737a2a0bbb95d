//! Fails when a call that succeeds at once takes more instructions than it may.

use std::{env, process::exit};

use benches::{
    allocations,
    callgrind::{self, Difference},
    machine,
    options::{self, Asked, Quick, fail, misused},
    subjects::{self, BARE, GUARDED, NAMED, OWN, STATIC, Subject},
};
use report::Table;

const ABOUT: &str = "\
Fails when a call that succeeds at once takes more instructions than the bare call and the limit, or
allocates, or reads a clock. By valgrind's callgrind, in the profile `fat`:

    cargo run --profile fat --no-default-features --bin guard

The features `tracing-0-1` and `metrics-0-24` compile those in, with nobody to listen.";

/// How many instructions more than the bare call each may take: the targets, so there is no margin
/// beyond them but the rounding, in which lies what a block of numbers takes once in 4,095 calls. Below
/// them is room for what a change is worth.
const LIMITS: [(Subject, u64); 3] = [(OWN, 70), (STATIC, 70), (NAMED, 76)];

/// How many more each may take for what is compiled in, where nobody subscribes to it or records it: up to 15
/// for both.
const COMPILED_IN: [(&str, bool, u64); 2] = [
    ("tracing-0-1", cfg!(feature = "tracing-0-1"), 8),
    ("metrics-0-24", cfg!(feature = "metrics-0-24"), 7),
];

/// For how many calls allocations are counted; readings of the clock are for as many as callgrind compares.
/// More than one block of numbers, which a thread takes every 4,095 calls.
const CALLS: u64 = 10_000;

/// How many allocations, and how many readings of the clock, those calls may make in sum. A block of numbers
/// is one addition to a word, and asks for neither: so none at all.
const MARGIN: std::ops::RangeInclusive<u64> = 0..=0;

/// The compiler that the limits were last checked with.
const CHECKED_WITH: &str = "rustc 1.95.0";

const ADVICE: &str = "\
What to do: measure the commit before this change, with this compiler. If that exceeds a limit too, the
compiler has changed what it inlines, and not you: raise the limit in `src/bin/guard.rs` to what it makes of
the code now, in a commit of its own that says so, together with `CHECKED_WITH`. Else the change has put
work on the success path: see `docs/performance.md`, which says what that path does and does not do.";

fn main() {
    if let Asked::Loop { subject, calls } = options::read(ABOUT, Quick::Not) {
        let Some(subject) = subjects::named(&subject, &GUARDED) else {
            fail(&format!("there is no subject `{subject}`"));
        };
        std::hint::black_box((subject.run)(calls));
        return;
    }
    if machine::PROFILE != "fat" {
        misused("the limits are for the profile `fat`");
    }
    callgrind::available().unwrap_or_else(|message| fail(&message));
    let binary = env::current_exe().unwrap_or_else(|error| fail(&format!("where am I? {error}")));
    let measure = |subject: &Subject| {
        callgrind::measure(&binary, subject.name).unwrap_or_else(|message| fail(&message))
    };
    let bare = measure(&BARE);
    let compiled_in = COMPILED_IN.iter().filter(|(_, compiled_in, _)| *compiled_in);
    let more: u64 = compiled_in.clone().map(|(.., more)| more).sum();
    let measured = LIMITS.map(|(subject, limit)| (subject, measure(&subject), limit + more));
    println!("{}", machine::head([]));
    for (feature, _, more) in compiled_in {
        println!("`{feature}` is compiled in, for up to {more} instructions more");
    }
    if report(bare, &measured) {
        return;
    }
    if !machine::RUSTC.starts_with(CHECKED_WITH) {
        println!("\nThe limits were checked with {CHECKED_WITH}; this is {}.", machine::RUSTC);
    }
    println!("\n{ADVICE}");
    exit(1);
}

/// Prints what was measured; whether all of it is within the limits.
fn report(bare: Difference, measured: &[(Subject, Difference, u64)]) -> bool {
    let mut table = Table::new(&[
        "subject",
        "instructions",
        "− bare",
        "limit",
        "allocations in 10,000",
        "clock reads",
        "",
    ]);
    let mut row = |subject: Subject, this: Difference, limit: Option<u64>| {
        let more = this.instructions().saturating_sub(bare.instructions());
        let heap = allocations::together(CALLS, |calls| {
            std::hint::black_box((subject.run)(calls));
        });
        let within = limit.is_none_or(|limit| more <= limit)
            && MARGIN.contains(&heap.allocations)
            && MARGIN.contains(&this.sum().clock_reads);
        table.row(vec![
            subject.name.to_owned(),
            this.instructions().to_string(),
            format!("+{more}"),
            limit.map_or(String::new(), |limit| format!("+{limit}")),
            heap.allocations.to_string(),
            this.sum().clock_reads.to_string(),
            if within { "ok" } else { "TOO MUCH" }.to_owned(),
        ]);
        within
    };
    let mut all = row(BARE, bare, None);
    for (subject, this, limit) in measured {
        all &= row(*subject, *this, Some(*limit));
    }
    print!("{table}");
    all
}
