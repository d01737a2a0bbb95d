//! Names of closures that are made up at run time: bounded, and at nobody else's expense.

use std::{
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};

use ::metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Label, Metadata, Recorder, SharedString, Unit,
};
use measured::Board;
use stormless::{Policy, metrics, retry};

#[retry(budget = none, name = "known")]
async fn known() -> Result<(), std::io::Error> {
    Ok(())
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

async fn run(name: &'static str) {
    Policy::new().run(async || Ok::<_, std::io::Error>(())).named(name).await.unwrap();
}

/// Tells when a series of the closure `slow` is registered, and waits to be let go on.
struct Slow(Board, Sender<()>, Arc<Mutex<Receiver<()>>>);

impl Recorder for Slow {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        let slow = key.labels().any(|label: &Label| label.value() == "slow");
        if slow && key.name() == "stormless_attempts_total" {
            self.1.send(()).unwrap();
            self.2.lock().unwrap().recv().unwrap();
        }
        self.0.register_counter(key, metadata)
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        self.0.register_gauge(key, metadata)
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        self.0.register_histogram(key, metadata)
    }
}

/// One after the other: both are about the process.
#[test]
fn closures_are_bounded_and_hold_nobody_up() {
    calls_go_on_while_a_closure_is_registered();
    a_thousand_closures_are_told_apart_and_the_others_counted_together();
}

fn calls_go_on_while_a_closure_is_registered() {
    let ((began, start), (go, gone)) = (channel(), channel());
    let board = Board::default();
    let recorder = Slow(board.clone(), began, Arc::new(Mutex::new(gone)));
    let _installed = metrics::install_to(recorder);
    let slow = std::thread::spawn(|| block_on(run("slow")));
    start.recv().unwrap();
    let (ended, end) = channel();
    let calls = std::thread::spawn(move || {
        block_on(async { known().await.unwrap() });
        ended.send(()).unwrap();
    });
    // Far longer than a call takes; a call that waits for the other one never ends.
    let in_time = end.recv_timeout(Duration::from_secs(20));
    go.send(()).unwrap();
    slow.join().unwrap();
    calls.join().unwrap();
    assert!(in_time.is_ok(), "a call of a known function waited");
    let told = board.read();
    assert_eq!(told.counter("calls_total known success"), Some(1));
    assert_eq!(told.counter("calls_total slow success"), Some(1), "its first call counts");
}

// R147
fn a_thousand_closures_are_told_apart_and_the_others_counted_together() {
    let (_installed, board) = Board::install();
    block_on(async {
        for number in 0..1_500 {
            run(format!("closure {number}").leak()).await;
        }
        known().await.unwrap();
    });
    let told = board.read();
    // `slow` is one of the thousand.
    assert_eq!(told.counter("calls_total closure 998 success"), Some(1));
    assert_eq!(told.counter("calls_total closure 999 success"), None);
    assert_eq!(told.counter("calls_total (other closures) success"), Some(501));
    assert_eq!(told.counter("calls_total known success"), Some(1));
    assert_eq!(told.sum("calls_total"), 1_501);
    assert_eq!(told.series_of("attempts_total"), 1 + 1_000 + 1);
    // Each has a bucket and a switch of its own, so that there is no one level of all.
    assert_eq!(told.series_of("budget_level (own) (other closures)"), 0);
    assert_eq!(told.series_of("retries_off site (other closures)"), 0);
    // Installed again it is the same.
    let (_again, board) = Board::install();
    assert_eq!(board.read().series_of("attempts_total"), 1 + 1_000 + 1);
}
