//! The stream of events: what a call tells, in which order, and that nobody who listens changes anything.

#[path = "support/bomb.rs"]
mod bomb;

use std::{
    cell::Cell,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use stormless::{
    Classification, Event, Retryable, StopReason, What, retry,
    testing::{self, isolated},
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Trouble {
    Passing,
    Asked,
    Lasting,
}

impl Retryable for Trouble {
    fn classify(&self) -> Classification {
        match self {
            Self::Passing => Classification::transient(),
            Self::Asked => Classification::throttled().retry_after(Duration::from_secs(1)),
            Self::Lasting => Classification::permanent(),
        }
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Passing => "Passing",
            Self::Asked => "Asked",
            Self::Lasting => "Lasting",
        }
    }
}

type Script = Mutex<Vec<Result<u8, Trouble>>>;

fn script(results: &[Result<u8, Trouble>]) -> Script {
    Mutex::new(results.iter().rev().copied().collect())
}

#[retry(backoff = "fixed", base = "10ms", name = "scripted")]
async fn scripted(script: &Script) -> Result<u8, Trouble> {
    script.lock().unwrap().pop().unwrap()
}

/// Every second attempt fails.
#[retry(backoff = "none", budget = none, name = "alternating")]
async fn alternating(calls: &Cell<u32>) -> Result<u32, Trouble> {
    calls.set(calls.get() + 1);
    if calls.get() % 2 == 1 { Err(Trouble::Passing) } else { Ok(calls.get()) }
}

#[retry(name = "pending")]
async fn pending() -> Result<(), Trouble> {
    std::future::pending().await
}

/// An event in one word, and its attempt.
fn word(event: &Event) -> String {
    let what = match event.what() {
        What::CallStarted => "call".to_owned(),
        What::AttemptStarted { hedge } => if *hedge { "hedge" } else { "attempt" }.to_owned(),
        What::AttemptSucceeded { .. } => "ok".to_owned(),
        What::AttemptFailed { label, .. } => format!("failed {label}"),
        What::AttemptDropped { .. } => "dropped".to_owned(),
        What::HintUsed { asked } => format!("hint {asked:?}"),
        What::RetryScheduled { delay } if event_is_hinted(*delay) => "retry later".to_owned(),
        What::RetryScheduled { delay } => format!("retry in {delay:?}"),
        What::BudgetRefused => "refused".to_owned(),
        What::CallSucceeded { attempts, slept, .. } => format!("succeeded {attempts} {slept:?}"),
        What::CallStopped { reason, attempts, .. } => {
            format!("stopped {} {attempts}", reason.label())
        }
        other => format!("{other:?}"),
    };
    format!("{what} @{}", event.attempt().unwrap_or_default())
}

const fn event_is_hinted(delay: Duration) -> bool {
    delay.as_millis() >= 1_000
}

async fn told(results: &[Result<u8, Trouble>]) -> Vec<String> {
    isolated(async {
        let events = testing::events();
        let _result = scripted(&script(results)).await;
        events.take().iter().map(word).collect()
    })
    .await
}

// R181
#[tokio::test(start_paused = true)]
async fn each_attempt_and_each_call_begins_once_and_ends_once() {
    use Trouble::{Asked, Lasting, Passing};
    assert_eq!(
        told(&[Ok(1)]).await,
        ["call @0", "attempt @1", "ok @1", "succeeded 1 0ns @1"],
        "a success at once"
    );
    assert_eq!(
        told(&[Err(Passing), Err(Asked), Ok(1)]).await[..8],
        [
            "call @0",
            "attempt @1",
            "failed Passing @1",
            "retry in 10ms @1",
            "attempt @2",
            "failed Asked @2",
            "hint 1s @2",
            "retry later @2",
        ],
        "a hint"
    );
    assert_eq!(
        told(&[Err(Passing), Err(Passing), Err(Passing)]).await,
        [
            "call @0",
            "attempt @1",
            "failed Passing @1",
            "retry in 10ms @1",
            "attempt @2",
            "failed Passing @2",
            "retry in 10ms @2",
            "attempt @3",
            "failed Passing @3",
            "stopped attempts_exhausted 3 @3",
        ],
        "no attempt left"
    );
    assert_eq!(
        told(&[Err(Lasting)]).await,
        ["call @0", "attempt @1", "failed Lasting @1", "stopped permanent 1 @1"]
    );
}

#[tokio::test(start_paused = true)]
async fn an_observer_that_panics_or_blocks_changes_no_result() {
    let (seen, words) = mpsc::channel();
    let panicking = stormless::observe(move |event: &Event| {
        seen.send(word(event)).unwrap();
        bomb::explode();
    });
    let (release, blocks) = mpsc::channel::<()>();
    let blocking = stormless::observe(move |_: &Event| {
        let _released = blocks.recv();
    });
    let calls = Cell::new(0);
    for call in 1..=1_000 {
        assert_eq!(alternating(&calls).await, Ok(2 * call));
        // The queue of the one that blocks runs over, and nobody waits for it.
        panicking.flush();
    }
    assert!(blocking.dropped() > 0);
    let seen = words.try_iter().count();
    assert!(seen > 1_000, "the next event comes all the same");
    assert_eq!(panicking.panics(), seen as u64);
    assert_eq!(panicking.dropped(), 0);
    drop(release);
}

#[tokio::test(start_paused = true)]
async fn what_an_observer_does_is_not_observed() {
    isolated(async {
        let count = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&count);
        let context = stormless::Context::capture();
        let observing = stormless::observe(move |_: &Event| {
            *counted.lock().unwrap() += 1;
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let script = script(&[Ok(1)]);
            let _result = runtime.block_on(context.clone().scope(scripted(&script)));
        });
        scripted(&script(&[Ok(1)])).await.unwrap();
        observing.flush();
        assert_eq!(*count.lock().unwrap(), 4);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_tells_that_its_attempt_was_dropped_and_that_it_was_cancelled() {
    isolated(async {
        let events = testing::events();
        let call = tokio::time::timeout(Duration::from_millis(7), pending());
        assert!(call.await.is_err());
        let all = events.take();
        let words: Vec<String> = all.iter().map(word).collect();
        assert_eq!(words, ["call @0", "attempt @1", "dropped @1", "stopped cancelled 1 @1"]);
        let took = all.iter().find_map(|event| match event.what() {
            What::CallStopped { took, reason: StopReason::Cancelled, .. } => *took,
            _ => None,
        });
        assert_eq!(took, Some(Duration::from_millis(7)));
    })
    .await;
}
