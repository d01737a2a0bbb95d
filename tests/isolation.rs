//! `testing::isolated`: tests of one process that share nothing.

#[path = "support/bodies.rs"]
mod bodies;

use std::{
    sync::{Arc, Barrier},
    time::Duration,
};

use bodies::{Answer, Dependency, T, TM, assert_balance, budget as row, ms, site};
use stormless::{
    Budget, CallReport, Context, Policy, StopReason, Warning, budget, control, report, retry,
    testing::{self, Jitter, isolated, isolated_sync},
    warnings,
};

budget! {
    static DRAINED: Budget = Budget::new("isolation.drained").burst(10).ratio(0.1);
    static SHOWN: Budget = Budget::new("isolation.shown").burst(10).ratio(0.1);
    static UNTOUCHED: Budget = Budget::new("isolation.untouched").burst(10).ratio(0.1);
}

#[retry(attempts = 11, backoff = "none", budget = DRAINED, name = "draining")]
async fn draining(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 11, backoff = "none", budget = "isolation.untouched", name = "untouched")]
async fn untouched(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 6, base = "1s", max = "1h", budget = none, name = "jittered")]
async fn jittered(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 5, backoff = "none", budget = SHOWN)]
async fn shown(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 11, backoff = "none")]
async fn from_its_own(dependency: &Dependency) -> Answer {
    dependency.answer()
}

fn on_a_runtime(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().expect("a runtime").block_on(test);
}

#[test]
fn two_tests_drain_one_budget_at_once_and_both_start_with_a_full_one() {
    let together = Arc::new(Barrier::new(2));
    let tests: [_; 2] = std::array::from_fn(|_| {
        let together = together.clone();
        std::thread::spawn(move || {
            on_a_runtime(isolated(async {
                assert_balance("isolation.drained", 10.0);
                together.wait();
                let dead = Dependency::dead();
                assert_eq!((draining(&dead).await, dead.bodies()), (Err(T), 11));
                assert_balance("isolation.drained", 0.0);
                // Both are empty now, and neither has been refilled by the other's answers.
                together.wait();
                assert_eq!(draining(&Dependency::always(Ok(()))).await, Ok(()));
                together.wait();
                assert_balance("isolation.drained", 0.1);
                assert_eq!(site("draining").retries(), 10);
                assert_eq!(row("isolation.drained").stats().withdrawn, 10);
            }));
        })
    });
    for test in tests {
        test.join().expect("the test holds");
    }
}

/// The retries that a call of `from_its_own` into a dead dependency gets.
async fn retries_of_its_own() -> usize {
    let dead = Dependency::dead();
    assert_eq!(from_its_own(&dead).await, Err(T));
    dead.bodies() - 1
}

#[tokio::test(start_paused = true)]
async fn the_own_bucket_of_a_function_is_full_and_private_too() {
    let drain = async || [retries_of_its_own().await, retries_of_its_own().await];
    assert_eq!(isolated(drain()).await, [10, 0]);
    isolated(async {
        assert_eq!(isolated(drain()).await, [10, 0]);
        assert_eq!(drain().await, [10, 0], "the inner test took nothing from the outer one");
    })
    .await;
    assert_eq!(drain().await, [10, 0], "nor did any of them from the process");
    assert_eq!(isolated(drain()).await, [10, 0], "and the process takes nothing from a test");
    assert_eq!(retries_of_its_own().await, 0);
}

/// What a static says of itself.
fn seen(budget: &Budget) -> (String, u64) {
    (budget.balance().to_string(), budget.stats().withdrawn)
}

#[tokio::test(start_paused = true)]
async fn a_static_shows_the_copy_of_the_test_inside_and_the_process_outside() {
    isolated(async {
        assert_eq!(seen(&SHOWN), ("10".into(), 0));
        assert_eq!(shown(&Dependency::dead()).await, Err(T));
        assert_eq!(seen(&SHOWN), ("6".into(), 4));
        isolated(async { assert_eq!(seen(&SHOWN), ("10".into(), 0)) }).await;
        assert_eq!(seen(&SHOWN), ("6".into(), 4));
    })
    .await;
    assert_eq!(seen(&SHOWN), ("10".into(), 0));
    assert_eq!(shown(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
    assert_eq!(seen(&SHOWN), ("9.1".into(), 1), "outside it is the process's");
    isolated_sync(|| assert_eq!(seen(&SHOWN), ("10".into(), 0)));
}

/// Everything that a test can change.
async fn make_a_mess() {
    control::all().off();
    control::budget("isolation.untouched").expect("it is declared").off();
    control::site("untouched").expect("it is linked").off();
    control::count_successes(true);
    testing::jitter(Jitter::Highest);
    let failing = Dependency::script([Err(T), Err(TM), Ok(())]);
    assert_eq!(untouched(&failing).await, Err(T));
    control::all().on();
    control::budget("isolation.untouched").expect("it is declared").on();
    control::site("untouched").expect("it is linked").on();
    assert_eq!(untouched(&failing).await, Err(TM));
    assert_eq!(untouched(&failing).await, Ok(()));
    let dead = Dependency::dead();
    assert_eq!((untouched(&dead).await, dead.bodies()), (Err(T), 11));
    assert_balance("isolation.untouched", 0.0);
    assert_eq!((site("untouched").calls(), site("untouched").failures()), (4, 13));
    assert_eq!(warnings(), [Warning::MaybeExecuted { site: "untouched" }]);
    control::all().off();
    control::budget("isolation.untouched").expect("it is declared").off();
    control::site("untouched").expect("it is linked").off();
}

fn assert_tidy() {
    let untouched = site("untouched");
    assert_eq!((untouched.calls(), untouched.failures(), untouched.retries()), (0, 0, 0));
    assert_eq!(untouched.stops(StopReason::Disabled), 0);
    assert_balance("isolation.untouched", 10.0);
    assert_eq!(row("isolation.untouched").stats(), stormless::BudgetStats::default());
    assert_eq!(warnings(), []);
    assert!(!control::all().is_off());
    assert!(!untouched.is_off());
    assert!(!row("isolation.untouched").is_off());
}

#[tokio::test(start_paused = true)]
async fn nothing_leaks_into_another_test_nor_into_the_process() {
    isolated(async {
        make_a_mess().await;
        isolated(async { assert_tidy() }).await;
        assert!(control::all().is_off(), "the outer test goes on as it was");
    })
    .await;
    assert_tidy();
    isolated_sync(assert_tidy);
    isolated(async { assert_tidy() }).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_outside_of_its_test_does_not_count_in_the_process() {
    let before = site("jittered").stops(StopReason::Cancelled);
    isolated(async {
        let asleep = async { jittered(&Dependency::dead()).await };
        let task = tokio::spawn(Context::capture().scope(asleep));
        tokio::task::yield_now().await;
        task.abort();
        assert!(task.await.expect_err("it was asleep").is_cancelled());
        assert_eq!(site("jittered").stops(StopReason::Cancelled), 1);
    })
    .await;
    assert_eq!(site("jittered").stops(StopReason::Cancelled), before);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_outlives_its_test_does_not_touch_the_process() {
    let mut late = None;
    isolated(async {
        late = Some(tokio::spawn(Context::capture().scope(async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let dead = Dependency::dead();
            (untouched(&dead).await, dead.bodies())
        })));
    })
    .await;
    let late = late.expect("it was spawned").await.expect("it does not panic");
    assert_eq!(late, (Err(T), 11));
    assert_tidy();
}

async fn schedule() -> Vec<Duration> {
    let (_, calls) = report(jittered(&Dependency::dead())).await;
    calls.iter().flat_map(CallReport::delays).collect()
}

#[tokio::test(start_paused = true)]
async fn a_seed_makes_schedules_repeat() {
    let run = async |seed| {
        isolated(async {
            testing::seed(seed);
            [schedule().await, schedule().await]
        })
        .await
    };
    let (first, again, other) = (run(42).await, run(42).await, run(43).await);
    assert_eq!(first, again);
    assert_eq!(first[0].len(), 5);
    assert_ne!(first[0], first[1], "calls of one test do not move in step");
    assert_ne!(first, other);
    isolated(async {
        testing::seed(42);
        let repeated = schedule().await;
        testing::seed(42);
        assert_eq!((schedule().await, &repeated), (first[0].clone(), &first[0]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_seed_in_one_test_does_not_seed_another() {
    let unseeded = || isolated(schedule());
    isolated(async {
        testing::seed(42);
        assert_ne!(unseeded().await, unseeded().await);
    })
    .await;
    assert_ne!(unseeded().await, unseeded().await);
}

#[tokio::test(start_paused = true)]
async fn a_seed_makes_the_schedule_of_a_policy_repeat() {
    let delays = |seed| {
        isolated(async move {
            testing::seed(seed);
            Policy::new().attempts(6).delays().collect::<Vec<_>>()
        })
    };
    assert_eq!(delays(42).await, delays(42).await);
    assert_ne!(delays(42).await, delays(43).await);
}

#[tokio::test(start_paused = true)]
async fn jitter_can_be_set_to_either_end_of_its_range() {
    isolated(async {
        testing::jitter(Jitter::Highest);
        assert_eq!(schedule().await, [1, 2, 4, 8, 16].map(Duration::from_secs));
        testing::jitter(Jitter::Lowest);
        assert_eq!(schedule().await, [ms(0); 5]);
    })
    .await;
}
