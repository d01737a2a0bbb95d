//! Whoever records, and for how long.

#[path = "../../support/bomb.rs"]
mod bomb;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Instant,
};

use ::metrics::{
    Counter, CounterFn, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit,
    with_local_recorder,
};
use measured::Board;
use metrics_exporter_prometheus::PrometheusBuilder;
use stormless::{Classification, Retryable, metrics, retry, testing::isolated};

#[derive(Debug)]
struct Down;

impl Retryable for Down {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(backoff = "none", attempts = 2, name = "down")]
async fn down() -> Result<(), Down> {
    Err(Down)
}

#[retry(name = "fine")]
async fn fine() -> Result<(), Down> {
    Ok(())
}

/// Those who record in the process do so one after the other.
static PROCESS: Mutex<()> = Mutex::new(());

fn process() -> MutexGuard<'static, ()> {
    PROCESS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// On a thread that has no runtime.
fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

// R145
#[tokio::test]
async fn installing_again_counts_nothing_twice() {
    isolated(async {
        let board = Board::default();
        let guards = [board.clone(), board.clone()].map(metrics::install_to);
        let series = board.read().series();
        down().await.unwrap_err();
        let told = board.read();
        assert_eq!(told.sum("calls_total"), 1);
        assert_eq!(told.sum("attempts_total"), 2);
        assert_eq!(told.series(), series + 1, "the label of the error is new");

        let [one, other] = guards;
        drop(one);
        down().await.unwrap_err();
        assert_eq!(board.read().sum("calls_total"), 2, "the other one goes on");
        drop(other);
        down().await.unwrap_err();
        assert_eq!(board.read().sum("calls_total"), 2);
    })
    .await;
}

// R145
#[tokio::test]
async fn a_new_recorder_takes_the_place_of_the_one_before() {
    isolated(async {
        let (_first, before) = Board::install();
        down().await.unwrap_err();
        let (_second, after) = Board::install();
        assert_eq!(after.read().series(), before.read().series() - 1, "all but what had happened");
        down().await.unwrap_err();
        assert_eq!(before.read().sum("calls_total"), 1);
        assert_eq!(after.read().sum("calls_total"), 1);
    })
    .await;
}

#[test]
fn a_recorder_of_the_thread_is_the_one_in_force() {
    let _process = process();
    let (board, nothing) = (Board::default(), Board::default());
    let installed = with_local_recorder(&board, || {
        let installed = metrics::install();
        block_on(async {
            down().await.unwrap_err();
            fine().await.unwrap();
        });
        installed
    });
    let told = board.read();
    assert_eq!(told.counter("calls_total down failure_after_retry"), Some(1));
    assert_eq!(told.counter("attempt_failures_total down transient _OTHER"), Some(2));
    // What was known when it was installed goes there from everywhere.
    with_local_recorder(&nothing, || block_on(async { fine().await.unwrap() }));
    std::thread::spawn(|| block_on(async { fine().await.unwrap() })).join().unwrap();
    assert_eq!(board.read().counter("calls_total fine success"), Some(3));
    assert_eq!(nothing.read().series(), 0);
    drop(installed);
    block_on(async { fine().await.unwrap() });
    assert_eq!(board.read().counter("calls_total fine success"), Some(3));
}

/// Panics wherever it is asked for anything but a registration.
#[derive(Clone, Copy)]
struct Panics;

impl CounterFn for Panics {
    fn increment(&self, _: u64) {
        bomb::explode();
    }

    fn absolute(&self, _: u64) {}
}

impl Recorder for Panics {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        // Labels of errors are registered in the middle of a call.
        if key.name() == "stormless_attempt_failures_total" {
            bomb::explode();
        }
        Counter::from_arc(Arc::new(*self))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[tokio::test]
async fn a_recorder_that_panics_changes_no_result() {
    isolated(async {
        let installed = metrics::install_to(Panics);
        for _ in 0..3 {
            fine().await.unwrap();
            down().await.unwrap_err();
        }
        let row = stormless::sites();
        assert_eq!(row.get("down").unwrap().retries(), 3);
        // What was left by it is in order.
        let (_again, board) = Board::install();
        down().await.unwrap_err();
        assert_eq!(board.read().sum("calls_total"), 1);
        drop(installed);
    })
    .await;
}

/// Panics as the first series is registered.
struct Refuses;

impl Recorder for Refuses {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        std::panic::resume_unwind(Box::new(()));
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        std::panic::resume_unwind(Box::new(()));
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        std::panic::resume_unwind(Box::new(()));
    }
}

#[tokio::test]
async fn a_recorder_that_panics_as_it_is_installed_is_not_and_the_one_before_goes_on() {
    isolated(async {
        let (_installed, board) = Board::install();
        assert!(std::panic::catch_unwind(|| metrics::install_to(Refuses)).is_err());
        down().await.unwrap_err();
        metrics::refresh();
        assert_eq!(board.read().sum("calls_total"), 1);
    })
    .await;
}

#[test]
fn refreshing_what_nobody_installed_does_nothing() {
    block_on(isolated(async { metrics::refresh() }));
}

// R143
#[test]
fn threads_that_call_refresh_and_install_at_once_lose_no_count() {
    const THREADS: u64 = 4;
    const EACH: u64 = 500;
    let _process = process();
    let board = Board::default();
    let _installed = metrics::install_to(board.clone());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..EACH {
                    block_on(async { down().await.unwrap_err() });
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..EACH {
                let _again = metrics::install_to(board.clone());
                metrics::refresh();
            }
        });
    });
    let told = board.read();
    assert_eq!(told.sum("calls_total"), THREADS * EACH);
    assert_eq!(told.sum("retries_refused_total"), THREADS * EACH);
    let retried = told.counter("calls_total down failure_after_retry").unwrap();
    assert_eq!(told.sum("attempts_total"), THREADS * EACH + retried);
    assert_eq!(told.sum("attempt_failures_total"), told.sum("attempts_total"));
}

/// Counts what is registered with it, and passes it on.
struct Counting<R>(R, Arc<AtomicU32>);

impl<R: Recorder> Recorder for Counting<R> {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.register_counter(key, metadata)
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.register_gauge(key, metadata)
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.register_histogram(key, metadata)
    }
}

/// Prints what it costs too: see it with `--nocapture`, and in release.
#[test]
fn an_event_makes_no_key_and_looks_none_up() {
    const CALLS: u32 = 10_000;
    let _process = process();
    let each = |start: Instant| start.elapsed().as_nanos() / u128::from(CALLS);
    let registered = Arc::new(AtomicU32::new(0));
    let prometheus = PrometheusBuilder::new().build_recorder();
    let recorder = Counting(prometheus, Arc::clone(&registered));
    let succeed = async || {
        let start = Instant::now();
        for _ in 0..CALLS {
            fine().await.unwrap();
        }
        each(start)
    };
    let (before, alone, observed, measured) = block_on(async {
        let alone = succeed().await;
        let observing = stormless::testing::events();
        let observed = succeed().await;
        drop(observing);
        let _installed = metrics::install_to(recorder);
        down().await.unwrap_err();
        let before = registered.load(Ordering::Relaxed);
        let measured = succeed().await;
        for _ in 0..CALLS {
            down().await.unwrap_err();
        }
        (before, alone, observed, measured)
    });
    assert_eq!(registered.load(Ordering::Relaxed), before);

    let by_macros = with_local_recorder(&PrometheusBuilder::new().build_recorder(), || {
        let (site, outcome) = ("fine".to_owned(), "success".to_owned());
        let start = Instant::now();
        for _ in 0..CALLS {
            ::metrics::counter!("attempts", "site" => site.clone()).increment(1);
            ::metrics::counter!("calls", "site" => site.clone(), "outcome" => outcome.clone())
                .increment(1);
            ::metrics::histogram!("durations", "site" => site.clone()).record(0.1);
            ::metrics::histogram!("call_attempts", "site" => site.clone()).record(1.0);
            ::metrics::gauge!("level", "budget" => site.clone()).set(1.0);
        }
        each(start)
    });
    println!(
        "a success: {alone} ns, observed {observed} ns, recorded {measured} ns; \
         the same values through macros {by_macros} ns"
    );
}
