//! Functions that block, in the build that services run: tokio's runtime is not asked there, so all that
//! is known of the thread is whether an attempt of an async function is being polled on it.

use std::{
    marker::PhantomData,
    sync::Arc,
    time::{Duration, Instant},
};

use plain::{Dependency, Failure};
use stormless::{Context, Retryable, Warning, retry, sites, warnings};

#[retry(blocking, backoff = "fixed", base = "1ms", max = "1ms", budget = none)]
fn sleeping(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[test]
fn the_thread_sleeps_between_the_attempts() {
    let (start, dependency) = (Instant::now(), Dependency::failing(1));
    assert_eq!((sleeping(&dependency), dependency.bodies()), (Ok(7), 2));
    assert!(start.elapsed() >= Duration::from_millis(1));
}

#[retry(blocking, backoff = "fixed", base = "1h", max = "1h", deadline = "1m", budget = none)]
fn impatient(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[test]
fn it_does_not_sleep_past_a_deadline() {
    let dead = Dependency::dead();
    assert_eq!((impatient(&dead), dead.bodies()), (Err(Failure::Down), 1));
}

fn marked(name: &str) -> bool {
    sites().get(name).expect("it is linked").blocks_runtime()
}

#[retry(blocking, backoff = "none", budget = none, name = "free")]
fn free(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

/// Whether another member that is built at the same time has switched `tokio-rt` on: it alone knows
/// this error.
#[allow(dead_code, clippy::needless_borrow, reason = "depends on the build, as the answer does")]
fn asks_tokio() -> bool {
    struct Probe<E>(PhantomData<E>);
    impl<E: Retryable> Probe<E> {
        fn is_known(&self) -> bool {
            let Self(PhantomData) = self;
            true
        }
    }
    trait Otherwise {
        fn is_known(&self) -> bool;
    }
    impl<E> Otherwise for &Probe<E> {
        fn is_known(&self) -> bool {
            false
        }
    }
    (&Probe::<tokio::task::JoinError>(PhantomData)).is_known()
}

#[tokio::test]
async fn outside_of_attempts_nothing_is_known_of_the_thread() {
    assert_eq!(free(&Dependency::failing(1)), Ok(7));
    let task = tokio::spawn(async { free(&Dependency::failing(1)) });
    assert_eq!(task.await.ok(), Some(Ok(7)));
    assert_eq!(marked("free"), asks_tokio());
}

#[retry(blocking, backoff = "none", budget = none, name = "inner")]
fn inner(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(blocking, backoff = "none", budget = none, name = "between")]
fn between(dependency: &Dependency) -> Result<u64, Failure> {
    inner(dependency)
}

#[retry(backoff = "none", budget = none)]
async fn outer(dependency: &Dependency) -> Result<u64, Failure> {
    between(dependency)
}

#[tokio::test]
async fn in_an_attempt_of_an_async_function_it_is_marked_and_warned_about() {
    let dead = Dependency::dead();
    assert_eq!((outer(&dead).await, dead.bodies()), (Err(Failure::Down), 3));
    for name in ["between", "inner"] {
        assert!(marked(name), "{name}");
        assert!(warnings().contains(&Warning::BlocksRuntime { site: name }), "{name}");
    }
}

#[retry(blocking, backoff = "none", budget = none, name = "aside")]
fn aside(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(backoff = "none", budget = none)]
async fn sending(dependency: &Arc<Dependency>) -> Result<u64, Failure> {
    let (dependency, context) = (Arc::clone(dependency), Context::capture());
    let task = tokio::task::spawn_blocking(move || context.run(|| aside(&dependency)));
    task.await.expect("it does not panic")
}

#[tokio::test]
async fn on_a_thread_that_is_there_to_wait_it_belongs_to_the_attempt_and_is_not_marked() {
    let dead = Arc::new(Dependency::dead());
    assert_eq!((sending(&dead).await, dead.bodies()), (Err(Failure::Down), 3));
    assert!(!marked("aside"));
}
