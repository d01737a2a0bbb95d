//! Calls, threads and processes draw independently; a seed makes a schedule repeat.

use std::collections::HashSet;
use std::process::Command;
use std::thread;
use std::time::Duration;

use retry_runtime::{Backoff, Classification, DelayInput, Generator, Steps};

static BACKOFF: Backoff = Backoff::FullJitter;
static STEPS: Steps = Steps::new(Duration::from_millis(100), Duration::from_secs(60), 2.0);

fn delays(random: &mut Generator, len: u32) -> Vec<Duration> {
    let failure = Classification::transient();
    (0..len).map(|retry| BACKOFF.delay(&DelayInput::new(&STEPS, retry, &failure), random)).collect()
}

/// Miri is some hundred times slower, and sees what it sees in the first ones.
const HALF: usize = if cfg!(miri) { 100 } else { 500_000 };
const DRAWS: usize = if cfg!(miri) { 100 } else { 1_000 };

#[test]
fn a_million_calls_on_two_threads_have_streams_of_their_own() {
    let half = || {
        let key = |_| {
            let mut random = Generator::fresh();
            [random.next_u64(), random.next_u64()]
        };
        (0..HALF).map(key).collect::<Vec<_>>()
    };
    let mut keys = thread::scope(|scope| {
        let other = scope.spawn(half);
        let mut keys = half();
        keys.extend(other.join().unwrap());
        keys
    });
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 2 * HALF);
}

#[test]
fn two_calls_do_not_share_one_stream() {
    // Had they one stream, shifted or not, the numbers of one would turn up in the other.
    let stream = || {
        let mut random = Generator::fresh();
        (0..DRAWS).map(|_| random.next_u64()).collect::<HashSet<_>>()
    };
    let (first, second) = (stream(), stream());
    assert_eq!(first.len(), DRAWS);
    assert!(first.is_disjoint(&second));
}

#[test]
fn no_two_threads_draw_the_same_delays() {
    // R158
    let mut schedules: Vec<Vec<Duration>> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| delays(&mut Generator::fresh(), 20))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    schedules.sort();
    schedules.dedup();
    assert_eq!(schedules.len(), 8);
}

#[test]
fn a_seed_in_one_call_affects_no_other_call() {
    // R158
    let seeded = delays(&mut Generator::seeded(158, 0), 20);
    let others = thread::scope(|scope| {
        let other = scope.spawn(|| delays(&mut Generator::fresh(), 20));
        [delays(&mut Generator::fresh(), 20), other.join().unwrap()]
    });
    assert!(others.iter().all(|other| *other != seeded));
    assert_ne!(others[0], others[1]);
    assert_eq!(delays(&mut Generator::seeded(158, 0), 20), seeded);
}

#[cfg_attr(miri, ignore = "arithmetic over very many values")]
#[test]
fn seeds_and_streams_name_different_schedules() {
    let mut schedules: Vec<Vec<Duration>> = (0..50)
        .flat_map(|seed| (0..50).map(move |stream| (seed, stream)))
        .map(|(seed, stream)| delays(&mut Generator::seeded(seed, stream), 5))
        .collect();
    schedules.sort();
    schedules.dedup();
    assert_eq!(schedules.len(), 2_500);
}

#[cfg_attr(miri, ignore = "Miri starts no processes")]
#[test]
fn every_process_seeds_itself_and_only_a_seed_makes_them_equal() {
    // R029
    const CHILD: &str = "STORMLESS_TEST_PRINT_DELAYS";
    if std::env::var_os(CHILD).is_some() {
        println!("\nfresh {:?}", delays(&mut Generator::fresh(), 5));
        println!("seeded {:?}", delays(&mut Generator::seeded(29, 0), 5));
        return;
    }
    let run = |_| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["every_process_seeds_itself_and_only_a_seed_makes_them_equal", "--exact"])
            .arg("--nocapture")
            .env(CHILD, "1")
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        ["fresh ", "seeded "].map(|start| {
            let line = printed.lines().find(|line| line.starts_with(start));
            line.unwrap_or_else(|| panic!("no line `{start}` in {printed}")).to_owned()
        })
    };
    let runs: Vec<[String; 2]> = (0..5).map(run).collect();
    let different = |which: usize| runs.iter().map(|run| &run[which]).collect::<HashSet<_>>().len();
    assert_eq!(different(0), 5, "processes drew the same: {runs:?}");
    assert_eq!(different(1), 1, "one seed, several schedules");
}
