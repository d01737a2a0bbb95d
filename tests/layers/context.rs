//! What `current()` and `deadline::remaining()` say within one task, wherever the future is polled.

use std::{
    future::{pending, poll_fn},
    panic::AssertUnwindSafe,
    pin::pin,
    sync::Mutex,
    task::Poll,
    time::Duration,
};

use crate::bodies::{Answer, Dependency, T, TM, ms};
use futures_util::{FutureExt, StreamExt, stream::FuturesUnordered};
use stormless::{Context, current, deadline, retry};
use tokio::task::yield_now;

/// The attempt's number and the milliseconds left.
type Seen = (Option<u32>, Option<u128>);

fn here() -> Seen {
    (current().map(|attempt| attempt.number()), deadline::remaining().map(|left| left.as_millis()))
}

const OUTSIDE: Seen = (None, None);

#[retry(attempts = 3, backoff = "none", budget = none, deadline = "5s")]
async fn five_seconds(dependency: &Dependency, seen: &Mutex<Vec<Seen>>) -> Answer {
    seen.lock().unwrap().push(here());
    yield_now().await;
    seen.lock().unwrap().push(here());
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "9s", nested = "independent")]
async fn nine_seconds(dependency: &Dependency, seen: &Mutex<Vec<Seen>>) -> Answer {
    seen.lock().unwrap().push(here());
    yield_now().await;
    seen.lock().unwrap().push(here());
    dependency.answer()
}

const FIVE: [Seen; 4] = [
    (Some(1), Some(5_000)),
    (Some(1), Some(5_000)),
    (Some(2), Some(5_000)),
    (Some(2), Some(5_000)),
];
const NINE: [Seen; 4] = [
    (Some(1), Some(9_000)),
    (Some(1), Some(9_000)),
    (Some(2), Some(9_000)),
    (Some(2), Some(9_000)),
];

fn failing_once() -> Dependency {
    Dependency::script([Err(T), Ok(())])
}

#[tokio::test(start_paused = true)]
async fn futures_side_by_side_each_see_their_own() {
    let (five, nine, plain) = (Mutex::default(), Mutex::default(), Mutex::new(Vec::new()));
    let outside = async {
        for _ in 0..6 {
            plain.lock().unwrap().push(here());
            yield_now().await;
        }
    };
    let (scripts, calls) = ([failing_once(), failing_once()], Mutex::new(Vec::new()));
    let results = tokio::join!(
        five_seconds(&scripts[0], &five),
        outside,
        nine_seconds(&scripts[1], &nine),
        async { calls.lock().unwrap().push(here()) },
    );
    assert_eq!((results.0, results.2), (Ok(()), Ok(())));
    assert_eq!(*five.lock().unwrap(), FIVE);
    assert_eq!(*nine.lock().unwrap(), NINE);
    assert_eq!(*plain.lock().unwrap(), [OUTSIDE; 6]);
    assert_eq!((calls.into_inner().unwrap(), here()), (vec![OUTSIDE], OUTSIDE));
}

#[tokio::test(start_paused = true)]
async fn a_set_of_futures_does_not_mix_them_up() {
    let (five, nine) = (Mutex::default(), Mutex::default());
    let scripts = [failing_once(), failing_once()];
    let mut set = FuturesUnordered::new();
    set.push(five_seconds(&scripts[0], &five).left_future());
    set.push(nine_seconds(&scripts[1], &nine).right_future());
    while let Some(result) = set.next().await {
        assert_eq!((result, here()), (Ok(()), OUTSIDE));
    }
    assert_eq!(*five.lock().unwrap(), FIVE);
    assert_eq!(*nine.lock().unwrap(), NINE);
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "7s")]
async fn selecting(dependency: &Dependency) -> Answer {
    let (number, seen) = (current().unwrap().number(), Mutex::default());
    let inner = Dependency::always(Ok(()));
    tokio::select! {
        biased;
        () = async { assert_eq!(here(), (Some(number), Some(7_000))); pending().await } => {}
        result = nine_seconds(&inner, &seen) => {
            // The inner deadline is the smaller one, and the number is the inner call's.
            assert_eq!(result, Ok(()));
            assert_eq!(*seen.lock().unwrap(), [(Some(1), Some(7_000)); 2]);
        }
    }
    assert_eq!(here(), (Some(number), Some(7_000)));
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn an_inner_call_and_its_dropped_neighbour_leave_the_outer_context_in_place() {
    assert_eq!(selecting(&failing_once()).await, Ok(()));
    assert_eq!(here(), OUTSIDE);
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn panicking(number: u32) -> Answer {
    assert_ne!(current().unwrap().number(), number, "on purpose");
    Err(T)
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "3s")]
async fn catching(dependency: &Dependency) -> Answer {
    let before = here();
    for number in [1, 2] {
        let caught = AssertUnwindSafe(nested_panic(number)).catch_unwind().await;
        assert!(caught.is_err());
        assert_eq!(here(), before);
    }
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = none, nested = "independent")]
async fn nested_panic(number: u32) -> Answer {
    yield_now().await;
    panicking_body(number)
}

fn panicking_body(number: u32) -> Answer {
    assert_ne!(current().unwrap().number(), number, "on purpose");
    Err(T)
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_an_attempt_restores_the_context() {
    for number in [1, 2] {
        assert!(AssertUnwindSafe(panicking(number)).catch_unwind().await.is_err());
        assert_eq!(here(), OUTSIDE);
    }
    assert_eq!(catching(&failing_once()).await, Ok(()));
    assert_eq!(here(), OUTSIDE);
}

#[tokio::test(start_paused = true)]
async fn a_future_dropped_in_an_attempt_leaves_nothing_behind() {
    deadline::within(ms(8_000), async {
        let (seen, dependency) = (Mutex::default(), failing_once());
        let mut call = Box::pin(five_seconds(&dependency, &seen));
        assert!(poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await.is_pending());
        assert_eq!(here(), (None, Some(8_000)));
        drop(call);
        assert_eq!(*seen.lock().unwrap(), FIVE[..1]);
        assert_eq!(here(), (None, Some(8_000)));
    })
    .await
    .expect("in time");
    assert_eq!(here(), OUTSIDE);
}

#[retry(attempts = 1, budget = none, idempotent)]
async fn lending(seen: &Mutex<Vec<Seen>>, dependency: &Dependency) -> Answer {
    seen.lock().unwrap().push(here());
    yield_now().await;
    seen.lock().unwrap().push(here());
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_call_keeps_the_context_of_its_first_poll_and_a_plain_future_that_of_each_poll() {
    let (seen, dependency) = (Mutex::default(), Dependency::always(Ok(())));
    let mut call = pin!(lending(&seen, &dependency));
    let mut plain = pin!(async {
        let first = here();
        yield_now().await;
        (first, here())
    });
    deadline::within(ms(4_000), async {
        assert!(poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await.is_pending());
        assert!(poll_fn(|task| Poll::Ready(plain.as_mut().poll(task))).await.is_pending());
    })
    .await
    .expect("in time");
    tokio::time::advance(ms(1_000)).await;
    assert_eq!(plain.await, ((None, Some(4_000)), OUTSIDE));
    assert_eq!(call.await, Ok(()));
    assert_eq!(*seen.lock().unwrap(), [(Some(1), Some(4_000)), (Some(1), Some(3_000))]);
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "6s")]
async fn stepping_out(dependency: &Dependency) -> Answer {
    let inside = here();
    Context::root()
        .scope(async {
            assert_eq!(here(), OUTSIDE);
            // Nothing suppresses it here.
            let lossy = Dependency::script([Err(T), Ok(())]);
            assert_eq!(nine_seconds(&lossy, &Mutex::default()).await, Ok(()));
            assert_eq!((suppressible(&failing_once()).await, here()), (Ok(()), OUTSIDE));
        })
        .await;
    assert_eq!(here(), inside);
    assert_eq!(suppressible(&Dependency::script([Err(T)])).await, Err(T));
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn suppressible(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn the_root_context_steps_out_of_everything() {
    assert_eq!(stepping_out(&Dependency::script([Err(T), Err(TM)])).await, Err(TM));
    assert_eq!(here(), OUTSIDE);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_counts_down_while_an_attempt_runs() {
    let left = deadline::within(Duration::from_secs(2), async {
        tokio::time::sleep(ms(500)).await;
        deadline::remaining()
    });
    assert_eq!(left.await, Ok(Some(ms(1_500))));
}
