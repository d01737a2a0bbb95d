//! What is measured in a process, whatever else is linked into it: ten functions with a budget each.

use std::{
    future::Future,
    hint::black_box,
    pin::pin,
    task::{Context, Poll, Waker},
    time::Instant,
};

use scale::heap;
use stormless::{Budget, Retryable, retry};

/// What the bodies fail with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Retryable)]
#[retryable(transient)]
struct Down;

#[inline(never)]
fn work(value: &mut u64) -> Result<u64, Down> {
    *value += 1;
    if *value == 1 { Err(Down) } else { Ok(black_box(*value)) }
}

macro_rules! ten {
    ($($name:ident $budget:literal)*) => {
        $(
            #[retry(budget = $budget, backoff = "none")]
            async fn $name(value: &mut u64) -> Result<u64, Down> {
                work(value)
            }
        )*

        /// Calls each of the functions once, with a value that decides whether it fails first.
        fn call_each(from: u64) {
            $(drive($name(&mut black_box(from)));)*
        }
    };
}

ten! {
    zero "budget-0" one "budget-1" two "budget-2" three "budget-3" four "budget-4"
    five "budget-5" six "budget-6" seven "budget-7" eight "budget-8" nine "budget-9"
}

fn drive(future: impl Future<Output = Result<u64, Down>>) {
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut task) {
            let _ = black_box(result);
            return;
        }
    }
}

/// Nanoseconds of one of `operations`, of which each turn does some; the best of many turns.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn best(turns: u32, operations: usize, mut turn: impl FnMut()) -> f64 {
    let times = (0..turns).map(|_| {
        let start = Instant::now();
        turn();
        start.elapsed().as_nanos() as f64 / operations.max(1) as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

fn hundred_times(mut what: impl FnMut()) {
    for _ in 0..100 {
        what();
    }
}

/// The unit of what is counted and not measured.
pub(super) const ROWS: &str = "rows";

/// The figure that tells whether looking a name up stays as quick.
pub(super) const AGAIN: &str = "the same budget declared again";

const BYTES: &str = "bytes";
const NANOSECONDS: &str = "ns";

/// One line for whoever started this process.
fn say(what: &str, unit: &str, figure: impl std::fmt::Display) {
    println!("{what}\t{unit}\t{figure}");
}

/// Declares as many budgets, measures, and prints one figure in a line.
pub(super) fn print(budgets: usize) {
    let names: Vec<String> = (0..budgets).map(|number| format!("budget-{number}")).collect();
    let before = heap::bytes();
    let declare = |name: &str| {
        Budget::dynamic(name.to_owned()).burst(1_000_000).declare().expect("nobody else does")
    };
    let start = Instant::now();
    for name in &names {
        declare(name);
    }
    let declared = start.elapsed().as_nanos();
    say("heap of a budget", BYTES, heap::bytes().saturating_sub(before) / budgets as u64);
    say("a budget declared", NANOSECONDS, declared / budgets as u128);
    let known = &names[..10];
    // The name is looked up and the settings are compared.
    let again = best(1_000, 1_000, || {
        hundred_times(|| {
            for name in known {
                black_box(declare(name));
            }
        });
    });
    say(AGAIN, NANOSECONDS, again);
    call_each(1);
    say("success", NANOSECONDS, best(10_000, 1_000, || hundred_times(|| call_each(1))));
    let failure = best(2_000, 1_000, || hundred_times(|| call_each(0)));
    say("failure, then success", NANOSECONDS, failure);
    let rows = stormless::sites().len();
    say("`sites()`", ROWS, rows);
    let sites = best(20, rows, || drop(black_box(stormless::sites())));
    say("`sites()`, a row", NANOSECONDS, sites);
    let text = best(5, rows, || {
        black_box(stormless::sites().to_string());
    });
    say("`sites()` as text, a row", NANOSECONDS, text);
    let rows = stormless::budgets().len();
    say("`budgets()`", ROWS, rows);
    let all = best(20, rows, || drop(black_box(stormless::budgets())));
    say("`budgets()`, a row", NANOSECONDS, all);
    let verified = best(20, rows, || drop(black_box(stormless::verify())));
    say("`verify()`, a row", NANOSECONDS, verified);
}
