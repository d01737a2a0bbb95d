//! How calls of closures begin and end: at their first poll, by their result, dropped, or in a panic.

use std::{
    cell::{Cell, RefCell},
    future::{Future, IntoFuture, pending, ready},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use crate::script::{Failure, OK, Outcome, Script, T, assert_balance, ms, row, secs};
use futures_util::FutureExt;
use stormless::{
    Backoff, Breaker, BreakerState, Budget, Outcome as End, Policy, StopReason, breaker, breakers,
    budget, current, report, testing::isolated,
};
use tokio::time::Instant;

budget! {
    static ENDS: Budget = Budget::new("ends").burst(10);
}

breaker! {
    static PROBED: Breaker = Breaker::new("ends").consecutive(1).open_for(secs(1)).jitter(0.0);
}

const POLICY: Policy = Policy::new().attempts(3).base(ms(10)).max(ms(10)).backoff(Backoff::Fixed);

fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test(start_paused = true)]
async fn a_call_begins_at_its_first_poll() {
    isolated(async {
        let script = Script::<Failure>::hanging();
        let started = Cell::new(false);
        let operation = || {
            started.set(true);
            script.body()
        };
        let call = POLICY.run(operation).named("ends.lazy").deadline(secs(1)).into_future();
        tokio::time::sleep(secs(5)).await;
        assert!(!started.get());
        assert_eq!(call.await, Err(Failure::Late));
        assert_eq!(script.elapsed(), secs(6), "a second from the first poll");

        drop(POLICY.run(operation).named("ends.never").into_future());
        assert!(stormless::sites().get("ends.never").is_none(), "what is never polled is no call");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn all_of_the_closure_runs_inside_the_attempt() {
    isolated(async {
        let number = || current().map(|attempt| attempt.number());
        let seen = RefCell::new(Vec::new());
        let call = POLICY.run(|| {
            let before = number();
            let seen = &seen;
            async move {
                seen.borrow_mut().push((before, number()));
                T
            }
        });
        assert_eq!(call.await, T);
        assert_eq!(seen.into_inner(), (1..=3).map(|n| (Some(n), Some(n))).collect::<Vec<_>>());
        assert_eq!(number(), None);
    })
    .await;
}

/// Tells when it is dropped.
struct Held<'a>(&'a RefCell<Vec<(&'static str, Instant)>>, &'static str);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push((self.1, Instant::now()));
    }
}

// R159
#[tokio::test(start_paused = true)]
async fn nothing_of_an_attempt_lives_through_the_wait() {
    isolated(async {
        let (begun, gone) = (Instant::now(), RefCell::new(Vec::new()));
        let run = POLICY.attempts(2).run(|| {
            let held = Held(&gone, "body");
            async {
                let _held = held;
                tokio::time::sleep(ms(1)).await;
                Err::<(), _>((Held(&gone, "error"), ()))
            }
        });
        let call = run.classify(|_| stormless::Classification::transient());
        let error = call.await.unwrap_err();
        let when = |at: &Instant| (*at - begun).as_millis();
        let times: Vec<_> = gone.borrow().iter().map(|(what, at)| (*what, when(at))).collect();
        assert_eq!(times, [("body", 1), ("error", 1), ("body", 12)]);
        drop(error);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_gives_back_what_it_has_paid() {
    isolated(async {
        for running in [false, true] {
            let script = Script::<Failure>::hanging_after(T);
            let call = POLICY.run(async || script.body().await).named("ends.dropped").budget(&ENDS);
            let after = if running { ms(15) } else { ms(5) };
            let ((), calls) = report(async {
                assert!(tokio::time::timeout(after, call).await.is_err());
            })
            .await;
            assert_eq!(calls[0].reason(), Some(StopReason::Cancelled));
            assert_balance("ends", if running { 9.0 } else { 10.0 });
        }
        assert_eq!(row("ends.dropped").stops(StopReason::Cancelled), 2);
    })
    .await;
}

// R088
#[tokio::test(start_paused = true)]
async fn a_probe_that_is_dropped_gives_its_place_back() {
    isolated(async {
        let call = |outcome: Outcome| {
            POLICY.attempts(1).run(move || ready(outcome.clone())).breaker(&PROBED)
        };
        assert_eq!(call(T).await, T);
        tokio::time::sleep(secs(2)).await;
        {
            let hanging = POLICY.run(pending::<Outcome>).breaker(&PROBED).into_future();
            let mut hanging = pin!(hanging);
            assert!(poll_once(hanging.as_mut()).is_pending());
            assert_eq!(call(OK).await, Err(Failure::Open), "there is one probe");
        }
        assert_eq!(call(OK).await, OK);
        assert_eq!(breakers().get("ends").unwrap().breaker().state(), BreakerState::Closed);
    })
    .await;
}

/// Counts how often it is dropped.
struct Counts(Rc<Cell<u32>>);

impl Drop for Counts {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

// R121
#[tokio::test(start_paused = true)]
async fn a_panic_is_the_end_of_its_call_whoever_catches_it() {
    isolated(async {
        let dropped = Rc::new(Cell::new(0));
        let counts = || Counts(dropped.clone());
        let body = || {
            let counts = counts();
            async move {
                let _counts = counts;
                assert_eq!(current().map(|attempt| attempt.number()), Some(1), "on purpose");
                T
            }
        };
        let (caught, calls) = report(async {
            let call = POLICY.run(body).named("ends.panic").budget(&ENDS).into_future();
            let mut call = pin!(AssertUnwindSafe(call).catch_unwind());
            let caught = call.as_mut().await;
            assert_eq!(dropped.get(), 2, "the body has gone with the panic");
            // The future is still there.
            caught
        })
        .await;
        assert!(caught.is_err());
        assert_eq!((calls[0].outcome(), calls[0].attempts()), (End::Panicked, 2));
        assert_eq!(
            (row("ends.panic").panics(), row("ends.panic").stops(StopReason::Cancelled)),
            (1, 0)
        );
        assert_balance("ends", 9.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_of_the_closure_itself_is_one_of_its_attempt() {
    isolated(async {
        let call = || POLICY.run(|| -> std::future::Ready<Outcome> { panic!("on purpose") });
        let caught = AssertUnwindSafe(call().named("ends.sync-panic").into_future()).catch_unwind();
        assert!(caught.await.is_err());
        assert_eq!(row("ends.sync-panic").panics(), 1);
        let lending = POLICY.run_mut(async || -> Outcome { panic!("on purpose") });
        let caught = AssertUnwindSafe(lending.named("ends.sync-panic").call()).catch_unwind();
        assert!(caught.await.is_err());
        let blocking = POLICY.run_blocking(|| -> Outcome { panic!("on purpose") });
        let blocking = blocking.named("ends.sync-panic");
        assert!(catch_unwind(AssertUnwindSafe(|| blocking.call())).is_err());
        assert_eq!(row("ends.sync-panic").panics(), 3);
        assert!(current().is_none(), "the context was left");
    })
    .await;
}

/// Awaits a future of stormless's while a panic unwinds the thread.
struct Awaits<'a>(&'a Cell<Option<Outcome>>);

impl Drop for Awaits<'_> {
    fn drop(&mut self) {
        let call = POLICY.run(|| ready(OK)).named("ends.unwinding").into_future();
        if let Poll::Ready(outcome) = poll_once(pin!(call)) {
            self.0.set(Some(outcome));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_can_be_made_while_the_thread_unwinds() {
    let outcome = Cell::new(None);
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _awaits = Awaits(&outcome);
        panic!("on purpose");
    }));
    assert!(unwound.is_err());
    assert_eq!(outcome.take(), Some(OK));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_polled_after_its_end_stays_silent() {
    isolated(async {
        let mut call = pin!(POLICY.run(|| ready(OK)).into_future());
        assert_eq!(poll_once(call.as_mut()), Poll::Ready(OK));
        assert!(poll_once(call.as_mut()).is_pending());
        let mut call = pin!(POLICY.run(|| ready(T)).no_deadline().fallback(|_| ()).into_future());
        assert!(poll_once(call.as_mut()).is_pending());
        assert!(format!("{call:?}").contains("Drive"));
        tokio::time::sleep(secs(1)).await;
        call.as_mut().await;
        assert!(poll_once(call.as_mut()).is_pending());
    })
    .await;
}

// R154
#[tokio::test(start_paused = true)]
async fn calls_side_by_side_do_not_disturb_each_other() {
    isolated(async {
        let scripts = [Script::new([T, OK]), Script::new([T, T, OK]), Script::new([OK])];
        let [one, two, three] = scripts.each_ref().map(|script| async move {
            let mut runs = 0;
            let call = POLICY.run_mut(async || {
                runs += 1;
                script.body().await
            });
            call.named("ends.beside").call().await
        });
        assert_eq!(tokio::join!(one, two, three), (OK, OK, OK));
        assert_eq!(scripts.each_ref().map(Script::bodies), [2, 3, 1]);
    })
    .await;
}
