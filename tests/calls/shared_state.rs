//! What calls share and what each has for itself: counts, schedules and randomness.

use std::{collections::HashSet, process::Command, time::Duration};

use crate::script::{Outcome, Script, T, delays, ms, observed, paused, secs};
use stormless::{
    Backoff, Policy, retry,
    testing::{self, Jitter, isolated, jitter, seed},
};
use tokio::task::JoinSet;

// R154
#[tokio::test(start_paused = true)]
async fn concurrent_calls_of_one_function_count_for_themselves() {
    #[retry(attempts = 3, budget = none)]
    async fn three(script: &Script) -> Outcome {
        script.body().await
    }
    let mut calls = JoinSet::new();
    for call in 0..50 {
        // Bodies of different lengths, so that the attempts of the calls mix.
        let script = Script::always(T).taking(ms(call % 7 + 1));
        calls.spawn(async move {
            let (result, report) = observed(three(&script)).await;
            assert_eq!(result, T);
            (script.numbers(), report.attempts())
        });
    }
    let ended = calls.join_all().await;
    assert_eq!(ended, vec![(vec![1, 2, 3], 3); 50]);
}

#[retry(attempts = 8, base = "1s", budget = none)]
async fn jittered(script: &Script) -> Outcome {
    script.body().await
}

async fn sleeps() -> Vec<Duration> {
    let script = Script::always(T);
    assert_eq!(jittered(&script).await, T);
    script.gaps()
}

// R156
#[tokio::test(start_paused = true)]
async fn schedules_restart_with_every_call() {
    isolated(async {
        seed(156);
        let first = sleeps().await;
        seed(156);
        assert_eq!(sleeps().await, first, "the same seed, the same sleeps");
        assert_ne!(sleeps().await, first, "the next call draws from a stream of its own");

        // Both from k = 0 on.
        jitter(Jitter::Highest);
        let schedule = [1, 2, 4, 8, 16, 20, 20].map(secs);
        assert_eq!(sleeps().await, schedule);
        assert_eq!(sleeps().await, schedule);
    })
    .await;
}

static SHARED: Policy =
    Policy::new().attempts(21).backoff(Backoff::FullJitter).base(secs(1)).max(secs(60));

#[retry(policy = SHARED, budget = none)]
async fn shared(script: &Script) -> Outcome {
    script.body().await
}

/// The delays of one call on this thread, in a runtime of its own.
fn twenty(prepare: impl FnOnce()) -> Vec<Duration> {
    paused().block_on(async {
        prepare();
        let (_, call) = observed(shared(&Script::always(T))).await;
        assert_eq!(call.delays().count(), 20);
        delays(&call)
    })
}

// R158
#[test]
fn threads_that_share_a_policy_draw_independently() {
    let drawn: HashSet<Vec<Duration>> = std::thread::scope(|threads| {
        let handles: Vec<_> = (0..8).map(|_| threads.spawn(|| twenty(|| ()))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(drawn.len(), 8);
}

// R158
#[test]
fn a_seed_set_in_one_call_affects_no_other_call() {
    let seeded = || testing::isolated_sync(|| twenty(|| seed(158)));
    let elsewhere = || twenty(|| ());
    let (seeded, elsewhere) = std::thread::scope(|threads| {
        let seeded: Vec<_> = (0..4).map(|_| threads.spawn(seeded)).collect();
        let elsewhere: Vec<_> = (0..4).map(|_| threads.spawn(elsewhere)).collect();
        let join = |handles: Vec<std::thread::ScopedJoinHandle<'_, _>>| -> Vec<Vec<Duration>> {
            handles.into_iter().map(|handle| handle.join().unwrap()).collect()
        };
        (join(seeded), join(elsewhere))
    });
    assert_eq!(seeded.iter().collect::<HashSet<_>>().len(), 1, "each from the start of one seed");
    let all: HashSet<_> = seeded.iter().chain(&elsewhere).collect();
    assert_eq!(all.len(), 5, "the others as if there were no seed");
}

// R029
#[test]
fn every_process_seeds_itself_and_only_a_seed_makes_two_equal() {
    const CHILD: &str = "STORMLESS_TEST_PRINT_CALL_DELAYS";
    if std::env::var_os(CHILD).is_some() {
        println!("\nfresh {:?}", &twenty(|| ())[..5]);
        println!("seeded {:?}", &twenty(|| seed(29))[..5]);
        return;
    }
    let run = |_| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "shared_state::every_process_seeds_itself_and_only_a_seed_makes_two_equal",
            ])
            .arg("--nocapture")
            .env(CHILD, "yes")
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
    assert_eq!(different(1), 1, "one seed, several schedules: {runs:?}");
}
