//! Annotations that silently do nothing: each of these retries, or does not compile.

use std::{
    fs,
    future::Future,
    path::Path,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use crate::bodies::{Answer, Dependency, T};
use async_recursion::async_recursion;
use async_trait::async_trait;
use futures_util::future::{BoxFuture, FutureExt};
use stormless::retry;
use tokio::time::Instant;
use tracing::instrument;

/// A dependency that fails once.
fn flaky() -> Dependency {
    Dependency::script([Err(T), Ok(())])
}

/// Fails unless a call of the function comes to two bodies.
macro_rules! assert_two_bodies {
    ($($call:expr),+ $(,)?) => {$({
        let dependency = flaky();
        let call: &dyn Fn(&Dependency) -> BoxFuture<'_, Answer> = &|dependency| {
            let call = $call;
            async move { call(dependency).await }.boxed()
        };
        assert_eq!(call(&dependency).await, Ok(()), stringify!($call));
        assert_eq!(dependency.bodies(), 2, stringify!($call));
    })+};
}

struct Client;

#[retry(backoff = "none", budget = none)]
async fn plain(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[instrument(skip_all)]
#[retry(backoff = "none", budget = none)]
#[inline]
async fn plain_below(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[inline]
#[retry(backoff = "none", budget = none)]
#[instrument(skip_all)]
async fn plain_above(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[async_trait]
trait Stored {
    async fn get(&self, dependency: &Dependency) -> Answer;
    async fn get_below(&self, dependency: &Dependency) -> Answer;
    async fn get_above(&self, dependency: &Dependency) -> Answer;
}

#[async_trait]
impl Stored for Client {
    #[retry(backoff = "none", budget = none)]
    async fn get(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }

    #[instrument(skip_all)]
    #[retry(backoff = "none", budget = none)]
    #[inline]
    async fn get_below(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }

    #[inline]
    #[retry(backoff = "none", budget = none)]
    #[instrument(skip_all)]
    async fn get_above(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }
}

#[async_recursion]
#[retry(backoff = "none", budget = none)]
async fn recursive_below(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(backoff = "none", budget = none)]
#[async_recursion]
async fn recursive_above(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(backoff = "none", budget = none)]
#[expect(clippy::manual_async_fn, reason = "the form under test")]
fn ending(dependency: &Dependency) -> impl Future<Output = Answer> {
    async move { dependency.answer() }
}

#[instrument(skip_all)]
#[retry(backoff = "none", budget = none)]
#[must_use]
fn ending_below(dependency: &Dependency) -> Pin<Box<dyn Future<Output = Answer> + Send + '_>> {
    Box::pin(async move { dependency.answer() })
}

#[must_use]
#[retry(backoff = "none", budget = none)]
#[instrument(skip_all)]
fn ending_above(dependency: &Dependency) -> BoxFuture<'_, Answer> {
    Box::pin(async move { dependency.answer() })
}

// R167
#[tokio::test(start_paused = true)]
async fn an_async_fn_retries_between_other_attributes() {
    assert_two_bodies!(plain, plain_below, plain_above);
}

// R167
#[tokio::test(start_paused = true)]
async fn a_boxed_block_as_other_attributes_write_it_retries_between_others() {
    assert_two_bodies!(recursive_below, recursive_above);
    let client = Arc::new(Client);
    for number in 0..3 {
        let dependency = flaky();
        let answer = match number {
            0 => client.get(&dependency).await,
            1 => client.get_below(&dependency).await,
            _ => client.get_above(&dependency).await,
        };
        assert_eq!((answer, dependency.bodies()), (Ok(()), 2), "number {number}");
    }
}

// R167
#[tokio::test(start_paused = true)]
async fn a_function_that_ends_in_an_async_block_retries_between_other_attributes() {
    assert_two_bodies!(ending, ending_below, ending_above);
}

/// The first error of a case in `tests/ui/attribute`, to which `tests/ui.rs` holds the compiler.
fn refusal(case: &str) -> String {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/attribute");
    let output = cases.join(case).with_extension("stderr");
    let output = fs::read_to_string(&output).unwrap_or_else(|error| panic!("{case}: {error}"));
    output.lines().next().expect("it is an error").to_owned()
}

// R167
#[test]
fn a_function_without_a_future_and_one_whose_future_is_made_elsewhere_do_not_compile() {
    let sync = refusal("sync-function");
    assert!(sync.contains("needs an `async fn`") && sync.contains("`blocking`"), "{sync}");
    let elsewhere = refusal("future-made-elsewhere");
    assert!(elsewhere.contains("the future is made elsewhere"), "{elsewhere}");
}

// R169
#[test]
fn a_function_that_returns_lazy_results_does_not_compile() {
    let lazy = refusal("lazy-results");
    assert!(lazy.contains("needs a function that returns `Result<_, _>`"), "{lazy}");
}

#[retry(backoff = "fixed", base = "1s", budget = none)]
async fn waiting(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// R173
#[tokio::test(start_paused = true)]
async fn the_wait_of_an_async_function_leaves_the_thread_to_others() {
    static TICKS: AtomicU32 = AtomicU32::new(0);
    let ticking = tokio::spawn(async {
        let mut ticks = tokio::time::interval(Duration::from_millis(10));
        loop {
            ticks.tick().await;
            TICKS.fetch_add(1, Ordering::Relaxed);
        }
    });
    let (start, dependency) = (Instant::now(), flaky());
    assert_eq!((waiting(&dependency).await, dependency.bodies()), (Ok(()), 2));
    ticking.abort();
    assert_eq!(start.elapsed(), Duration::from_secs(1));
    let ticks = TICKS.load(Ordering::Relaxed);
    assert!((99..=101).contains(&ticks), "{ticks} ticks");
}
