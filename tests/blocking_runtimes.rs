//! Where a function that blocks holds up others, and that it is said there and nowhere else.

#[path = "support/bodies.rs"]
mod bodies;

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use bodies::{Answer, Dependency, T, site};
use futures_util::{StreamExt, stream::FuturesUnordered};
use stormless::{Context as Carried, Warning, retry, sites, warnings};
use tokio::{
    runtime::Runtime,
    task::{
        LocalSet, block_in_place,
        coop::{consume_budget, has_budget_remaining, unconstrained},
        spawn_blocking, spawn_local, yield_now,
    },
};

/// A function of its own for each place, as each is looked at once; called at once, it succeeds.
macro_rules! blocks {
    ($name:literal) => {{
        #[retry(blocking, backoff = "none", budget = none, name = $name)]
        fn blocks() -> Answer {
            Ok(())
        }
        assert!(!site($name).blocks_runtime(), "nobody has called it");
        assert_eq!(blocks(), Ok(()));
        let warning = Warning::BlocksRuntime { site: $name };
        assert_eq!(warnings().contains(&warning), site($name).blocks_runtime());
        site($name).blocks_runtime()
    }};
}

fn single() -> Runtime {
    tokio::runtime::Builder::new_current_thread().build().expect("it can be built")
}

fn multi() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("it can be built")
}

async fn spawned<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    tokio::spawn(future).await.expect("it does not panic")
}

async fn aside<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    spawn_blocking(run).await.expect("it does not panic")
}

#[test]
fn a_future_that_a_runtime_was_started_for_is_held_up() {
    assert!(single().block_on(async { blocks!("single.main") }));
    assert!(multi().block_on(async { blocks!("multi.main") }));
    assert!(multi().block_on(async {
        yield_now().await;
        blocks!("multi.later")
    }));
}

#[test]
fn a_task_is_held_up() {
    assert!(single().block_on(spawned(async { blocks!("single.task") })));
    assert!(multi().block_on(spawned(async { blocks!("multi.task") })));
    assert!(multi().block_on(spawned(spawned(async { blocks!("multi.inner") }))));
}

#[test]
fn a_local_set_is_held_up() {
    let local = LocalSet::new();
    assert!(local.block_on(&single(), async { blocks!("local.main") }));
    let task = async { spawn_local(async { blocks!("local.task") }).await };
    assert_eq!(LocalSet::new().block_on(&multi(), task).ok(), Some(true));
}

#[test]
fn whoever_counts_no_turns_is_held_up_like_others() {
    assert!(single().block_on(unconstrained(async { blocks!("single.unconstrained") })));
    assert!(single().block_on(spawned(unconstrained(async { blocks!("single.uncounted") }))));
    assert!(multi().block_on(spawned(unconstrained(async { blocks!("multi.uncounted") }))));
}

/// How many turns the task has left.
fn turns() -> u32 {
    let mut left = 0;
    while has_budget_remaining() {
        let turn = pin!(consume_budget()).poll(&mut Context::from_waker(Waker::noop()));
        left += u32::from(turn.is_ready());
    }
    left
}

#[test]
fn a_task_without_turns_left_is_held_up() {
    for runtime in [single(), multi()] {
        runtime.block_on(spawned(async {
            assert!(turns() > 0);
            assert_eq!(turns(), 0);
        }));
    }
    let used_up = async {
        let _ = turns();
        blocks!("single.used_up")
    };
    assert!(single().block_on(used_up));
    let used_up = async {
        let _ = turns();
        blocks!("multi.used_up")
    };
    assert!(multi().block_on(used_up));
}

#[test]
fn looking_takes_no_turn_of_the_task() {
    for (runtime, name) in [(single(), 1), (multi(), 2)] {
        let all = runtime.block_on(async { turns() });
        let left = runtime.block_on(async {
            assert!(if name == 1 { blocks!("single.turns") } else { blocks!("multi.turns") });
            turns()
        });
        assert_eq!(left, all);
        let left = runtime.block_on(spawned(async move {
            assert!(if name == 1 { blocks!("single.spare") } else { blocks!("multi.spare") });
            turns()
        }));
        assert_eq!(left, all);
    }
}

#[tokio::test(start_paused = true)]
async fn futures_polled_by_others_are_held_up() {
    let selected = tokio::select! {
        found = async { yield_now().await; blocks!("selected") } => found,
        () = std::future::pending() => false,
    };
    assert!(selected);
    let (one, other) = tokio::join!(async { blocks!("joined") }, yield_now());
    assert_eq!((one, other), (true, ()));
    let limit = std::time::Duration::from_secs(1);
    assert_eq!(tokio::time::timeout(limit, async { blocks!("timed") }).await, Ok(true));
    let mut all = FuturesUnordered::from_iter([async { blocks!("unordered") }]);
    assert_eq!(all.next().await, Some(true));
    assert!(poll_fn(|_| Poll::Ready(blocks!("polled"))).await);
}

#[test]
fn a_thread_that_is_there_to_wait_is_not_held_up() {
    for (runtime, is_single) in [(single(), true), (multi(), false)] {
        let found = runtime.block_on(aside(move || {
            if is_single { blocks!("single.aside") } else { blocks!("multi.aside") }
        }));
        assert!(!found);
    }
    assert!(!multi().block_on(async { block_in_place(|| blocks!("main.in_place")) }));
    assert!(!multi().block_on(spawned(async { block_in_place(|| blocks!("task.in_place")) })));
    let nested = async { block_in_place(|| block_in_place(|| blocks!("task.in_place_twice"))) };
    assert!(!multi().block_on(spawned(nested)));
    let uncounted = unconstrained(async { block_in_place(|| blocks!("task.in_place_uncounted")) });
    assert!(!multi().block_on(spawned(uncounted)));
}

#[test]
fn a_task_that_goes_on_after_waiting_in_place_is_held_up() {
    let resumed = async {
        block_in_place(|| ());
        blocks!("task.resumed")
    };
    assert!(multi().block_on(spawned(resumed)));
}

#[test]
fn outside_of_a_runtime_nobody_is_held_up() {
    assert!(!blocks!("outside"));
    let runtime = single();
    let entered = runtime.enter();
    assert!(!blocks!("entered"), "the runtime polls nothing here");
    drop(entered);
    let thread = async { std::thread::spawn(|| blocks!("thread")).join() };
    assert_eq!(runtime.block_on(thread).ok(), Some(false));
}

#[test]
fn a_runtime_that_is_driven_on_a_thread_that_may_wait_is_held_up() {
    assert!(multi().block_on(aside(|| single().block_on(async { blocks!("driven") }))));
}

#[retry(backoff = "none", budget = none)]
async fn attempt<F: Future<Output = bool>>(
    future: impl Fn() -> F,
) -> Result<bool, bodies::Failure> {
    Ok(future().await)
}

#[test]
fn an_attempt_is_held_up_but_not_what_it_sends_aside() {
    assert_eq!(single().block_on(attempt(async || blocks!("attempt"))), Ok(true));
    let carried = async || {
        let context = Carried::capture();
        aside(move || context.run(|| blocks!("carried"))).await
    };
    assert_eq!(single().block_on(attempt(carried)), Ok(false));
    let in_place = attempt(async || block_in_place(|| blocks!("attempt.in_place")));
    assert_eq!(multi().block_on(in_place), Ok(false));
}

#[retry(blocking, backoff = "none", budget = none, name = "moving")]
fn moving(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[test]
fn a_function_that_was_first_called_elsewhere_is_marked_when_it_waits() {
    let marked = || site("moving").blocks_runtime();
    let warned = || {
        let warning = Warning::BlocksRuntime { site: "moving" };
        warnings().iter().filter(|known| **known == warning).count()
    };
    assert_eq!(moving(&Dependency::script([Err(T), Ok(())])), Ok(()));
    assert_eq!((marked(), warned()), (false, 0));
    let dependency = Arc::new(Dependency::script([Err(T), Ok(()), Err(T), Ok(())]));
    let held = Arc::clone(&dependency);
    assert_eq!(single().block_on(aside(move || moving(&held))), Ok(()));
    assert_eq!((marked(), warned()), (false, 0));
    for _ in 0..2 {
        let answer = async { moving(&Dependency::script([Err(T), Ok(())])) };
        assert_eq!(single().block_on(answer), Ok(()));
        assert_eq!((marked(), warned()), (true, 1), "once");
    }
    let table = sites().to_string();
    assert!(table.contains("BLOCKS A RUNTIME"), "{table}");
    assert!(table.contains("`moving` waits on its thread"), "{table}");
}
