//! What runs in an attempt runs in its span, wherever it is polled.

#[path = "support/script.rs"]
mod script;
#[path = "support/spans.rs"]
mod spans;

use std::{
    cell::Cell,
    sync::Mutex,
    thread::{self, ThreadId},
};

use script::{OK, Outcome, Script, T};
use spans::{Log, keeping, subscribed};
use stormless::{Context, retry, testing::isolated};
use tokio::runtime::Builder;
use tracing::{Instrument, info_span, instrument, instrument::WithSubscriber};

tokio::task_local! {
    static REQUEST: u32;
}

// R139
#[test]
fn the_span_and_the_id_of_the_caller_reach_every_attempt_on_many_threads() {
    type Seen = Mutex<Vec<(Option<u32>, Option<String>)>>;
    #[retry(backoff = "fixed", base = "1ms", budget = none)]
    async fn seeing(script: &Script, log: &Log, seen: &Seen) -> Outcome {
        // To wherever the runtime has room.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        let path = log.current().map(|at| log.paths()[at].clone());
        seen.lock().unwrap().push((REQUEST.try_get().ok(), path));
        script.body().await
    }
    let (log, dispatch) = keeping("info,stormless=debug");
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    let told = log.clone();
    runtime.block_on(async {
        let tasks = (0..8).map(|request| {
            let log = told.clone();
            let call = async move {
                let seen = Seen::default();
                assert_eq!(seeing(&Script::new([T, T, OK]), &log, &seen).await, OK);
                (request, seen.into_inner().unwrap())
            };
            let call = REQUEST.scope(request, call).instrument(info_span!("request"));
            tokio::spawn(call.with_subscriber(dispatch.clone()))
        });
        let tasks: Vec<_> = {
            let _default = tracing::dispatcher::set_default(&dispatch);
            tasks.collect()
        };
        for task in tasks {
            let (request, seen) = task.await.unwrap();
            let expected = (Some(request), Some("request/call/attempt".to_owned()));
            assert_eq!(seen, [expected.clone(), expected.clone(), expected]);
        }
    });
    log.assert_settled();
    assert_eq!(log.named("attempt").len(), 24);
}

// R139
#[test]
fn a_blocking_function_stays_on_its_thread_and_in_its_span() {
    thread_local! {
        static HERE: Cell<u32> = const { Cell::new(0) };
    }
    type Seen = Vec<(ThreadId, u32, String)>;
    #[retry(blocking, backoff = "none", budget = none)]
    fn seeing(log: &Log, seen: &mut Seen) -> Outcome {
        let at = log.current().unwrap();
        seen.push((thread::current().id(), HERE.get(), log.paths()[at].clone()));
        if seen.len() < 3 { T } else { OK }
    }
    let (log, _subscribed) = subscribed();
    HERE.set(7);
    let mut seen = Seen::new();
    assert_eq!(info_span!("request").in_scope(|| seeing(&log, &mut seen)), OK);
    let here = (thread::current().id(), 7, "request/call/attempt".to_owned());
    assert_eq!(seen, [here.clone(), here.clone(), here]);
    log.assert_settled();
}

#[tokio::test(start_paused = true)]
async fn instrument_below_encloses_the_call_and_above_it_is_in_each_attempt() {
    #[retry(backoff = "none", budget = none)]
    #[instrument(skip_all)]
    async fn enclosing(script: &Script) -> Outcome {
        script.body().await
    }
    #[instrument(skip_all)]
    #[retry(backoff = "none", budget = none)]
    async fn enclosed(script: &Script) -> Outcome {
        script.body().await
    }
    #[instrument(skip_all)]
    async fn helper(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(backoff = "none", budget = none)]
    async fn calling(script: &Script) -> Outcome {
        helper(script).await
    }
    let (log, _subscribed) = subscribed();
    assert_eq!(enclosing(&Script::new([T, OK])).await, OK);
    let first = "enclosing/call/attempt";
    assert_eq!(log.paths(), ["enclosing", "enclosing/call", first, first]);
    log.assert_settled();

    let (log, _subscribed) = subscribed();
    assert_eq!(enclosed(&Script::new([T, OK])).await, OK);
    let (attempt, inside) = ("call/attempt", "call/attempt/enclosed");
    assert_eq!(log.paths(), ["call", attempt, inside, attempt, inside]);
    log.assert_settled();

    let (log, _subscribed) = subscribed();
    assert_eq!(calling(&Script::new([OK])).await, OK);
    assert_eq!(log.paths(), ["call", "call/attempt", "call/attempt/helper"]);
    log.assert_settled();
}

#[tokio::test(start_paused = true)]
async fn what_an_attempt_spawns_hangs_under_it_where_the_context_is_carried() {
    #[retry(backoff = "none", budget = none)]
    async fn inner() -> Outcome {
        OK
    }
    #[retry(backoff = "none", budget = none)]
    async fn outer(script: &Script) -> Outcome {
        tokio::spawn(inner()).await.unwrap()?;
        tokio::spawn(Context::capture().scope(inner())).await.unwrap()?;
        script.body().await
    }
    #[retry(blocking, backoff = "none", budget = none)]
    fn on_a_thread() -> Outcome {
        OK
    }
    let (log, _subscribed) = subscribed();
    isolated(async { assert_eq!(outer(&Script::new([T, OK])).await, OK) }).await;
    let once = ["call", "call/attempt", "call/attempt/call", "call/attempt/call/attempt"];
    let paths = [
        &["call", "call/attempt"][..],
        // Not carried: outside of everything.
        &once[..2],
        &once[2..],
        &["call/attempt"],
        &once[..2],
        &once[2..],
    ]
    .concat();
    assert_eq!(log.paths(), paths);
    log.assert_settled();

    let (log, dispatch) = keeping("info,stormless=debug");
    let spawn = || {
        let _request = info_span!("request").entered();
        let (context, dispatch) =
            (Context::capture(), tracing::dispatcher::get_default(Clone::clone));
        let other = context.clone();
        let run = move || tracing::dispatcher::with_default(&dispatch, || context.run(on_a_thread));
        assert_eq!(thread::spawn(run).join().unwrap(), OK);
        drop(other);
    };
    tracing::dispatcher::with_default(&dispatch, spawn);
    assert_eq!(log.paths(), ["request", "request/call", "request/call/attempt"]);
    log.assert_settled();
}

#[tokio::test(start_paused = true)]
async fn a_hook_logs_in_the_span_of_its_call() {
    fn hook(_: &stormless::RetryEvent<'_, script::Failure>) {
        tracing::info!("the hook");
    }
    #[retry(backoff = "none", budget = none, on_retry = hook)]
    async fn hooked(script: &Script) -> Outcome {
        script.body().await
    }
    let (log, _subscribed) = subscribed();
    assert_eq!(hooked(&Script::new([T, OK])).await, OK);
    assert!(log.told().contains(&"call: the hook".to_owned()), "{:?}", log.told());
    log.assert_settled();
}
