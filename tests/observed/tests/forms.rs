//! The same call through the attribute, as a closure and in a `blocking` function: the same is told of it.

use std::{
    cell::RefCell,
    future::Future,
    pin::pin,
    sync::Mutex,
    task::{Context, Poll, Waker},
};

#[path = "../../support/script.rs"]
mod script;

use observed::{Told, told_of};
use script::{OK, Outcome, T, ms, ra, secs};
use stormless::{Backoff, Budget, Policy, budget, retry, testing::blocking_sleeps};
use tokio::runtime::Builder;

budget! { static SHARED: Budget = Budget::new("shared").burst(10).ratio(0.1); }

/// What the bodies end in, one after the other.
struct Steps(Mutex<Vec<Outcome>>);

impl Steps {
    fn new() -> Self {
        Self(Mutex::new(vec![OK, ra(secs(1)), T]))
    }

    fn next(&self) -> Outcome {
        self.0.lock().unwrap().pop().expect("three bodies")
    }
}

#[retry(backoff = "fixed", base = "100ms", attempts = 3, budget = SHARED, name = "by attribute")]
async fn by_attribute(steps: &Steps) -> Outcome {
    steps.next()
}

#[retry(blocking, backoff = "fixed", base = "100ms", attempts = 3, budget = SHARED, name = "by blocking")]
fn by_blocking(steps: &Steps) -> Outcome {
    steps.next()
}

async fn by_closure(steps: &Steps) -> Outcome {
    let policy = Policy::new().backoff(Backoff::Fixed).base(ms(100)).attempts(3);
    policy.run(async || steps.next()).budget(&SHARED).named("by closure").await
}

/// Polls it once, outside of any runtime's tasks, where blocking is nobody's business.
fn at_once<F: Future>(future: F) -> F::Output {
    let Poll::Ready(output) = pin!(future).poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("it waits for something");
    };
    output
}

/// Without the name, and without how often the body was polled.
fn comparable(form: &str, Told { events, spans, metrics }: Told) -> Told {
    let unnamed = |lines: Vec<String>| -> Vec<String> {
        let lines = lines.into_iter().filter(|line| !line.starts_with('~'));
        lines.map(|line| line.replace(&format!("by {form}"), "it")).collect()
    };
    Told { events: unnamed(events), spans: unnamed(spans), metrics: unnamed(metrics) }
}

#[test]
fn all_forms_tell_the_same() {
    let runtime =
        || Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let call = async { assert_eq!(by_attribute(&Steps::new()).await, OK) };
    let attribute = runtime().block_on(told_of(1, call));
    let attribute = comparable("attribute", attribute);
    assert_eq!(attribute.events.len(), 11, "{attribute:#?}");

    let by_closure = || {
        runtime().block_on(told_of(1, async { assert_eq!(by_closure(&Steps::new()).await, OK) }))
    };
    // A closure is known from its first call on, and so are the series of its gauges.
    let first = by_closure();
    let closure = by_closure();
    assert_eq!((&first.events, &first.spans), (&closure.events, &closure.spans));
    assert_eq!(comparable("closure", closure), attribute);

    let clock = runtime();
    let _inside = clock.enter();
    let slept = RefCell::new(Vec::new());
    let slept: &'static RefCell<Vec<_>> = Box::leak(Box::new(slept));
    let _hook = blocking_sleeps(move |time| {
        slept.borrow_mut().push(time);
        let _ = pin!(tokio::time::advance(time)).poll(&mut Context::from_waker(Waker::noop()));
    });
    let blocking = at_once(told_of(1, async { assert_eq!(by_blocking(&Steps::new()), OK) }));
    assert_eq!(comparable("blocking", blocking), attribute);
    assert_eq!(*slept.borrow(), [ms(100), secs(1)]);
}
