//! The switch that is thrown while a storm is asleep: each call makes the one attempt that it has paid for, at
//! its own time, and what begins afterwards runs once.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use stormless::{
    Classification, Event, Retryable, StopReason, What, control,
    engine::Moment,
    retry,
    testing::{self, isolated},
};
use tokio::{task::JoinSet, time};

const ASLEEP: usize = 1_000;
const LATER: usize = 100;

#[derive(Debug)]
struct Down;

impl Retryable for Down {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

static LIMITED: AtomicUsize = AtomicUsize::new(0);
static UNLIMITED: AtomicUsize = AtomicUsize::new(0);

#[retry(attempts = 20, base = "100ms", max = "2s", budget = none)]
async fn limited() -> Result<(), Down> {
    LIMITED.fetch_add(1, Ordering::Relaxed);
    Err(Down)
}

#[retry(attempts = "unlimited", base = "100ms", max = "2s", budget = none, deadline = none, inner = "allow")]
async fn unlimited() -> Result<(), Down> {
    UNLIMITED.fetch_add(1, Ordering::Relaxed);
    Err(Down)
}

fn bodies() -> usize {
    LIMITED.load(Ordering::Relaxed) + UNLIMITED.load(Ordering::Relaxed)
}

/// For each call, when the retry that it sleeps for is due.
fn due(events: &[Event]) -> HashMap<u64, Moment> {
    let mut due = HashMap::new();
    for event in events {
        // The switch tells of itself too, and is no call.
        let Some(id) = event.retry_id() else { continue };
        let call = id.call();
        match event.what() {
            What::RetryScheduled { delay } => due.insert(call, event.at().after(*delay)),
            What::AttemptStarted { .. } => due.remove(&call),
            _ => None,
        };
    }
    due
}

#[tokio::test(start_paused = true)]
async fn a_switch_leaves_each_call_that_sleeps_the_attempt_it_has_paid_for_and_no_other() {
    isolated(async {
        testing::seed(7);
        let events = testing::events();
        let context = stormless::Context::capture();
        let mut calls = JoinSet::new();
        for call in 0..ASLEEP {
            // One in four would never end by itself.
            if call % 4 == 0 {
                calls.spawn(context.clone().scope(unlimited()));
            } else {
                calls.spawn(context.clone().scope(limited()));
            }
        }
        // They have failed several times, each at moments of its own.
        time::sleep(Duration::from_millis(700)).await;
        let before = events.take();
        let due = due(&before);
        assert_eq!(due.len(), ASLEEP, "all of them are asleep");
        let made = bodies();
        assert!(made > 2 * ASLEEP, "{made}");

        control::all().off();
        while let Some(ended) = calls.join_next().await {
            assert!(ended.unwrap().is_err());
        }
        let after = events.take();
        assert_eq!(bodies() - made, ASLEEP, "one attempt each");
        let mut started = HashMap::new();
        for event in &after {
            let Some(id) = event.retry_id() else { continue };
            let call = id.call();
            match event.what() {
                What::AttemptStarted { .. } => {
                    assert!(event.at() >= due[&call], "earlier than it was scheduled");
                    assert_eq!(started.insert(call, event.at()), None, "more than one attempt");
                }
                What::CallStopped { reason, .. } => assert_eq!(*reason, StopReason::Disabled),
                What::AttemptFailed { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(started.len(), ASLEEP);
        // Not all at once either: the waits were spread, and stay so.
        let mut moments: Vec<_> = started.into_values().collect();
        moments.sort_unstable();
        moments.dedup();
        assert!(moments.len() > ASLEEP / 4, "{} moments", moments.len());

        let made = bodies();
        for call in 0..LATER {
            let ended = if call % 2 == 0 { unlimited().await } else { limited().await };
            assert!(ended.is_err());
            assert_eq!(bodies(), made + call + 1, "once");
        }
        control::all().on();
    })
    .await;
}
