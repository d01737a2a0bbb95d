//! Whatever happens, no more repeats reach a dependency than its budget states: over any history of
//! calls alone, inside others, dropped and cut.

use std::{cell::Cell, time::Duration};

use proptest::prelude::*;
use stormless::{Budget, Retryable, budget, budgets, retry, testing};
use tokio::time::timeout;

budget! {
    static LEAF: Budget = Budget::new("bound.leaf").burst(5).ratio(0.2);
    // Large, so that it is not what keeps the bound.
    static AROUND: Budget = Budget::new("bound.around").burst(1_000);
}

#[derive(Clone, Copy, Debug, Retryable)]
enum Failure {
    #[retryable(transient)]
    Down,
    #[retryable(throttled, cost = 3)]
    Busy,
    #[retryable(permanent, executed)]
    NotFound,
    #[retryable(deadline_exceeded)]
    TooLate,
}

type Answer = Result<(), Failure>;

/// Answers by a script that begins anew when it is used up, and counts.
struct Dependency {
    script: Vec<Answer>,
    bodies: Cell<usize>,
    answered: Cell<u64>,
}

impl Dependency {
    async fn body(&self) -> Answer {
        let body = self.bodies.replace(self.bodies.get() + 1);
        tokio::time::sleep(Duration::from_millis(10)).await;
        let answer = self.script[body % self.script.len()];
        if matches!(answer, Ok(()) | Err(Failure::NotFound)) {
            self.answered.set(self.answered.get() + 1);
        }
        answer
    }
}

#[retry(attempts = 4, budget = LEAF)]
async fn leaf(dependency: &Dependency) -> Answer {
    dependency.body().await
}

#[retry(attempts = 3, budget = AROUND)]
async fn around(dependency: &Dependency) -> Answer {
    leaf(dependency).await
}

#[retry(attempts = 3, budget = none, deadline = "400ms")]
async fn two_around(dependency: &Dependency) -> Answer {
    around(dependency).await
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Alone,
    Inside,
    TwoInside,
    /// Dropped after so many milliseconds.
    Dropped(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => Just(Step::Alone),
        3 => Just(Step::Inside),
        2 => Just(Step::TwoInside),
        2 => (0..200_u64).prop_map(Step::Dropped),
    ];
    prop::collection::vec(step, 1..60)
}

fn scripts() -> impl Strategy<Value = Vec<Answer>> {
    let answer = prop_oneof![
        4 => Just(Err(Failure::Down)),
        1 => Just(Err(Failure::Busy)),
        1 => Just(Err(Failure::NotFound)),
        2 => Just(Ok(())),
    ];
    prop::collection::vec(answer, 1..12)
}

fn run<T>(seed: u64, future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(testing::isolated(async {
        testing::seed(seed);
        future.await
    }))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn what_reaches_a_dependency_stays_within_its_budgets_bound(
        history in steps(), script in scripts(), seed in any::<u64>(),
    ) {
        let dependency = Dependency { script, bodies: Cell::new(0), answered: Cell::new(0) };
        run(seed, async {
            let mut repeats = 0;
            for step in history {
                let before = dependency.bodies.get();
                match step {
                    Step::Alone => drop(leaf(&dependency).await),
                    Step::Inside => drop(around(&dependency).await),
                    Step::TwoInside => drop(two_around(&dependency).await),
                    Step::Dropped(after) => {
                        drop(timeout(Duration::from_millis(after), around(&dependency)).await);
                    }
                }
                // One body is the call's own, whoever it was called by.
                repeats += dependency.bodies.get().saturating_sub(before + 1);
            }
            let budgets = budgets();
            let row = budgets.get("bound.leaf").expect("it is declared");
            let most = row.bound().retries(dependency.answered.get()).expect("a bucket has one");
            #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
            let repeats = repeats as f64;
            prop_assert!(repeats <= most + 1e-6, "{repeats} repeats, at most {most} are promised");
            Ok(())
        })?;
    }
}
