//! Memory stays flat: over the attempts of one call, over receivers, over keys and contexts.

#[path = "support/allocations.rs"]
mod allocations;

use std::future::Future;

use allocations::in_use;
use stormless::{Classification, Context, Retryable, current, retry, sites};

#[derive(Debug, PartialEq, Eq)]
struct Down;

impl Retryable for Down {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().expect("a runtime").block_on(future)
}

const MILLION: u32 = 1_000_000;

/// The lowest and the highest use of memory that was seen.
struct Watch {
    attempts: u32,
    lowest: i64,
    highest: i64,
}

#[retry(
    attempts = "unlimited",
    backoff = "fixed",
    base = "1ms",
    deadline = "9999h",
    uncut,
    budget = none,
    inner = "suppress"
)]
async fn endless(watch: &mut Watch) -> Result<(), Down> {
    watch.attempts += 1;
    // The first retry has made all that later ones use.
    if watch.attempts > 2 {
        watch.lowest = watch.lowest.min(in_use());
        watch.highest = watch.highest.max(in_use());
    }
    if watch.attempts > MILLION { Ok(()) } else { Err(Down) }
}

// R149
#[test]
fn a_million_retries_use_no_more_memory_than_the_first() {
    let mut watch = Watch { attempts: 0, lowest: i64::MAX, highest: i64::MIN };
    assert_eq!(run(endless(&mut watch)), Ok(()));
    assert_eq!(watch.attempts, MILLION + 1);
    assert_eq!(watch.highest, watch.lowest);
}

/// A receiver that lives for one call.
struct Temporary(u32);

impl Temporary {
    #[retry(attempts = 2, backoff = "none", name = "of a temporary")]
    async fn call(&mut self) -> Result<(), Down> {
        self.0 += 1;
        if self.0 % 100 == 1 { Err(Down) } else { Ok(()) }
    }
}

/// What `rounds` rounds leave in use, once a few have made what is made once.
fn left_behind(rounds: u32, mut round: impl AsyncFnMut(u32)) -> i64 {
    run(async {
        for number in 0..10 {
            round(number).await;
        }
        let before = in_use();
        for number in 0..rounds {
            round(number).await;
        }
        in_use() - before
    })
}

// R153
#[test]
fn nothing_is_kept_for_a_receiver() {
    let left = left_behind(MILLION, async |number| {
        assert_eq!(Temporary(number).call().await, Ok(()));
    });
    assert_eq!(left, 0);
    let sites = sites();
    let rows: Vec<_> = sites.iter().filter(|row| row.name() == "of a temporary").collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].recovered(), 10_001);
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn outer(fail: &mut bool) -> Result<Context, Down> {
    inner().await?;
    if std::mem::take(fail) { Err(Down) } else { Ok(Context::capture()) }
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn inner() -> Result<usize, Down> {
    Ok(current().expect("an attempt is running").idempotency_key().as_str().len())
}

#[retry(attempts = 2, backoff = "none")]
async fn failing() -> Result<(), Down> {
    let _made = current().expect("an attempt is running").idempotency_key();
    Err(Down)
}

#[test]
fn a_call_that_has_ended_leaves_neither_keys_nor_what_its_inner_calls_told_it() {
    let left = left_behind(100_000, async |_| {
        assert!(outer(&mut true).await.is_ok());
    });
    assert_eq!(left, 0);
}

#[test]
fn what_is_late_in_a_carried_context_leaves_nothing_with_the_call_that_ended() {
    let left = left_behind(10_000, async |_| {
        let ended = outer(&mut false).await.expect("it succeeds");
        assert_eq!(ended.scope(failing()).await, Err(Down));
    });
    assert_eq!(left, 0);
}

#[test]
fn a_dropped_call_leaves_nothing() {
    let left = left_behind(10_000, async |_| {
        let asleep = tokio::time::timeout(std::time::Duration::from_millis(5), waiting());
        assert!(asleep.await.is_err());
    });
    assert_eq!(left, 0);
}

#[retry(attempts = 2, backoff = "fixed", base = "1s", budget = none)]
async fn waiting() -> Result<(), Down> {
    // Suppressed, so it leaves a word with this call.
    failing().await
}

type Kept = std::pin::Pin<Box<dyn Future<Output = Result<(), Down>>>>;

#[retry(attempts = 2, backoff = "none")]
async fn failing_later() -> Result<(), Down> {
    tokio::task::yield_now().await;
    let _key = stormless::current().expect("it is running").idempotency_key();
    Err(Down)
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn begin_what_outlives_it(kept: &mut Option<Kept>) -> Result<(), Down> {
    let mut inner: Kept = Box::pin(failing_later());
    assert!(futures_util::FutureExt::now_or_never(&mut inner).is_none());
    *kept = Some(inner);
    Ok(())
}

#[test]
fn a_call_that_is_finished_after_the_one_it_began_in_leaves_nothing() {
    let left = left_behind(1_000, async |_| {
        let mut kept = None;
        assert_eq!(begin_what_outlives_it(&mut kept).await, Ok(()));
        assert_eq!(kept.expect("it was begun").await, Err(Down));
    });
    assert_eq!(left, 0);
}
