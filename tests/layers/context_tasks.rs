//! Context across tasks, nested runtimes and destructors.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use crate::bodies::{Answer, Dependency, T, TooLate, ms, reasons};
use stormless::{CallReport, Context, Outcome, StopReason, current, deadline, report, retry};
use tokio::runtime::Handle;

type Seen = (Option<u32>, bool);

/// The attempt's number, and whether there is a deadline.
fn here() -> Seen {
    (current().map(|attempt| attempt.number()), deadline::remaining().is_some())
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "60s")]
async fn spawning(dependency: &Dependency, carried: bool, seen: &mut Vec<Seen>) -> Answer {
    let look = async {
        tokio::task::yield_now().await;
        here()
    };
    let task =
        if carried { tokio::spawn(Context::capture().scope(look)) } else { tokio::spawn(look) };
    seen.push(task.await.expect("the task does not panic"));
    dependency.answer()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_knows_its_attempt_only_where_the_context_is_carried() {
    for (carried, expected) in
        [(false, [(None, false); 2]), (true, [(Some(1), true), (Some(2), true)])]
    {
        let (script, mut seen) = (Dependency::script([Err(T), Ok(())]), Vec::new());
        assert_eq!(spawning(&script, carried, &mut seen).await, Ok(()));
        assert_eq!(seen, expected);
    }
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn outer(carried: bool, dependency: &Arc<Dependency>) -> Answer {
    let dependency = dependency.clone();
    let call = async move { inner(&dependency).await };
    let context = if carried { Context::capture() } else { Context::root() };
    tokio::spawn(context.scope(call)).await.expect("the task does not panic")
}

#[retry(name = "inner", attempts = 3, backoff = "none", budget = none)]
async fn inner(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suppression_follows_the_carried_context() {
    for (carried, bodies) in [(true, 2), (false, 6)] {
        let dead = Arc::new(Dependency::dead());
        assert_eq!(outer(carried, &dead).await, Err(T));
        assert_eq!(dead.bodies(), bodies);
    }
}

#[retry(attempts = 2, budget = none)]
async fn stuck() -> Answer {
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_deadline_follows_the_carried_context() {
    let begun = tokio::time::Instant::now();
    let context = deadline::within(ms(100), async { Context::capture() }).await.expect("in time");
    let result = tokio::spawn(context.scope(stuck())).await.expect("the task does not panic");
    assert_eq!((result, begun.elapsed()), (Err(TooLate), ms(100)));
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "60s")]
async fn blocking(dependency: &Dependency, seen: &Mutex<Vec<Seen>>) -> Answer {
    let look = || seen.lock().unwrap().push(here());
    look();
    tokio::task::block_in_place(|| {
        look();
        Handle::current().block_on(async {
            look();
            tokio::task::yield_now().await;
            look();
            // A call in here belongs to the attempt.
            assert_eq!(inner(&Dependency::script([Err(T)])).await, Err(T));
        });
        look();
    });
    look();
    dependency.answer()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nested_runtime_on_the_same_thread_stays_in_the_attempt() {
    let (script, seen) = (Dependency::script([Err(T), Ok(())]), Mutex::default());
    let task = async {
        assert_eq!(blocking(&script, &seen).await, Ok(()));
        here()
    };
    assert_eq!(task.await, (None, false));
    let expected = [vec![(Some(1), true); 6], vec![(Some(2), true); 6]].concat();
    assert_eq!(*seen.lock().unwrap(), expected);
}

/// Notes where it is dropped.
struct Noting<'a>(&'a Mutex<Vec<Seen>>);

impl Drop for Noting<'_> {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(here());
    }
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "60s")]
async fn holding(script: &Dependency, seen: &Mutex<Vec<Seen>>, stuck: bool) -> Answer {
    let _local = Noting(seen);
    tokio::task::yield_now().await;
    if stuck {
        std::future::pending::<()>().await;
    }
    script.answer()
}

#[tokio::test(start_paused = true)]
async fn a_destructor_at_the_end_of_an_attempt_runs_inside_of_it() {
    let seen = Mutex::default();
    assert_eq!(holding(&Dependency::script([Err(T), Ok(())]), &seen, false).await, Ok(()));
    assert_eq!(*seen.lock().unwrap(), [(Some(1), true), (Some(2), true)]);
}

#[tokio::test(start_paused = true)]
async fn a_destructor_of_a_cancelled_attempt_runs_where_the_future_is_dropped() {
    let seen = Mutex::default();
    let script = Dependency::dead();
    let cancelled = tokio::time::timeout(ms(10), holding(&script, &seen, true));
    assert!(cancelled.await.is_err());
    assert_eq!(*seen.lock().unwrap(), [(None, false)]);
}

#[derive(Debug)]
struct Fragile<'a>(&'a AtomicUsize);

impl stormless::Retryable for Fragile<'_> {
    fn classify(&self) -> stormless::Classification {
        assert!(current().is_none(), "the attempt is over when its error is judged");
        stormless::Classification::transient()
    }
}

impl Drop for Fragile<'_> {
    fn drop(&mut self) {
        assert_eq!(here(), (None, false), "an error is dropped outside of the attempt");
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[retry(attempts = 2, backoff = "none", budget = none, deadline = "60s", uncut)]
async fn fragile(dropped: &AtomicUsize) -> Result<(), Fragile<'_>> {
    Err(Fragile(dropped))
}

#[tokio::test(start_paused = true)]
async fn an_error_is_judged_and_dropped_outside_of_the_attempt_it_ended() {
    let dropped = AtomicUsize::new(0);
    let last = fragile(&dropped).await;
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
    drop(last);
    assert_eq!(dropped.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_context_that_outlives_its_call_still_carries_the_facts() {
    #[retry(attempts = 2, backoff = "none", budget = none, deadline = "60s")]
    async fn handing_out(context: &mut Option<Context>) -> Answer {
        *context = Some(Context::capture());
        Ok(())
    }
    let mut context = None;
    assert_eq!(handing_out(&mut context).await, Ok(()));
    let dead = Dependency::dead();
    let late = context.expect("it was handed out").scope(report(async {
        assert_eq!(here(), (Some(1), true));
        inner(&dead).await
    }));
    let (result, calls) = late.await;
    // The call is over, but what was started from it still does not retry by itself.
    assert_eq!((result, dead.bodies()), (Err(T), 1));
    assert_eq!(reasons(&calls, "inner"), [Some(StopReason::Nested)]);
    assert_eq!(calls.iter().map(CallReport::outcome).collect::<Vec<_>>(), [Outcome::Failed]);
}
