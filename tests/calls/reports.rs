//! `report`: what happened to every annotated call inside a future.

use std::{panic::AssertUnwindSafe, time::Duration};

use crate::bodies::{Answer, Dependency, Numbered, P, PE, T, TM, ms};
use futures_util::FutureExt;
use stormless::{CallReport, Context, Execution, Kind, Outcome, StopReason, report, retry};

#[retry(attempts = 3, backoff = "exponential", base = "1s", budget = none, name = "orders")]
async fn orders(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "fixed", base = "100ms", budget = none, name = "stock")]
async fn stock(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "page")]
async fn page(orders_by: &Dependency, stock_by: &Dependency) -> Answer {
    stock(stock_by).await?;
    orders(orders_by).await
}

fn sites(calls: &[CallReport]) -> Vec<&'static str> {
    calls.iter().map(CallReport::site).collect()
}

fn ok() -> Dependency {
    Dependency::always(Ok(()))
}

#[tokio::test(start_paused = true)]
async fn a_report_tells_each_attempt_each_delay_and_the_end() {
    let script = Dependency::script([Err(T), Err(Numbered(2)), Err(PE)]);
    let (result, calls) = report(orders(&script)).await;
    assert_eq!((result, calls.len()), (Err(PE), 1));
    let call = &calls[0];
    assert_eq!((call.site(), call.attempts(), call.slept()), ("orders", 3, ms(3_000)));
    assert_eq!((call.outcome(), call.reason()), (Outcome::Failed, Some(StopReason::Permanent)));
    assert_eq!(call.delays().collect::<Vec<_>>(), [ms(1_000), ms(2_000)]);
    let failures: Vec<_> = call
        .failures()
        .iter()
        .map(|failed| {
            let class = failed.classification();
            (failed.number(), failed.label(), class.kind(), class.execution(), failed.delay())
        })
        .collect();
    assert_eq!(
        failures,
        [
            (1, "T", Kind::Transient, Execution::NotExecuted, Some(ms(1_000))),
            (2, "Numbered", Kind::Transient, Execution::NotExecuted, Some(ms(2_000))),
            (3, "PE", Kind::Permanent, Execution::Executed, None),
        ]
    );
    assert_eq!(
        call.to_string(),
        "orders\n  \
         attempt 1: T (transient, not executed) -> retry in 1s\n  \
         attempt 2: Numbered (transient, not executed) -> retry in 2s\n  \
         attempt 3: PE (permanent, executed)\n  \
         stopped after 3 attempts, slept 3s: a repeat cannot help"
    );
}

#[tokio::test(start_paused = true)]
async fn a_success_is_reported_too() {
    let (_, calls) = report(orders(&Dependency::script([Err(T), Ok(())]))).await;
    assert_eq!((calls[0].outcome(), calls[0].reason()), (Outcome::Succeeded, None));
    assert_eq!((calls[0].attempts(), calls[0].slept()), (2, ms(1_000)));
    let (_, calls) = report(orders(&ok())).await;
    assert_eq!((calls[0].attempts(), calls[0].failures().len()), (1, 0));
    assert_eq!(calls[0].to_string(), "orders\n  attempt 1: ok");
}

#[tokio::test(start_paused = true)]
async fn calls_side_by_side_are_listed_as_they_end() {
    let slow = Dependency::script([Err(T), Ok(())]);
    let (fast, healthy) = (Dependency::always(Err(P)), ok());
    let (results, calls) =
        report(async { tokio::join!(orders(&slow), stock(&fast), stock(&healthy)) }).await;
    assert_eq!(results, (Ok(()), Err(P), Ok(())));
    assert_eq!(sites(&calls), ["stock", "stock", "orders"]);
    let outcomes: Vec<_> = calls.iter().map(CallReport::outcome).collect();
    assert_eq!(outcomes, [Outcome::Failed, Outcome::Succeeded, Outcome::Succeeded]);
}

#[tokio::test(start_paused = true)]
async fn nested_calls_stand_before_the_call_around_them() {
    let (flaky, healthy) = (Dependency::script([Err(T), Ok(())]), ok());
    let (result, calls) = report(page(&flaky, &healthy)).await;
    assert_eq!(
        (result, sites(&calls)),
        (Ok(()), vec!["stock", "orders", "stock", "orders", "page"])
    );
    assert_eq!(calls[1].reason(), Some(StopReason::Nested));
    assert_eq!(calls[4].attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_report_inside_a_report_sees_its_own_part() {
    let healthy = ok();
    let (inner, outer) = report(async {
        stock(&healthy).await.expect("healthy");
        let ((), inner) = report(async { orders(&healthy).await.expect("healthy") }).await;
        stock(&healthy).await.expect("healthy");
        inner
    })
    .await;
    assert_eq!(sites(&inner), ["orders"]);
    assert_eq!(sites(&outer), ["stock", "orders", "stock"]);
}

#[tokio::test(start_paused = true)]
async fn reports_side_by_side_do_not_mix() {
    let (dead, healthy) = (Dependency::dead(), ok());
    let ((_, left), (_, right)) = tokio::join!(report(orders(&dead)), report(stock(&healthy)));
    assert_eq!((sites(&left), sites(&right)), (vec!["orders"], vec!["stock"]));
}

#[tokio::test(start_paused = true)]
async fn a_task_takes_part_where_the_context_is_carried() {
    let call = || async { stock(&Dependency::always(Ok(()))).await };
    let ((), calls) = report(async {
        tokio::spawn(Context::capture().scope(call())).await.expect("no panic").expect("healthy");
        tokio::spawn(call()).await.expect("no panic").expect("healthy");
    })
    .await;
    assert_eq!(sites(&calls), ["stock"]);
}

#[tokio::test(start_paused = true)]
async fn calls_that_outlive_their_report_are_dropped() {
    let late = || async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stock(&Dependency::always(Ok(()))).await
    };
    let mut task = None;
    let (((), inner), outer) = report(report(async {
        task = Some(tokio::spawn(Context::capture().scope(late())));
    }))
    .await;
    assert_eq!((inner.len(), outer.len()), (0, 0));
    // A report that begins after the first ones ended does not receive them either.
    let (result, calls) = report(task.expect("it was spawned")).await;
    let result = result.expect("the task does not panic");
    assert_eq!((result, calls.len()), (Ok(()), 0));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_and_a_panic_are_told_apart() {
    #[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none, name = "panicked")]
    async fn panicking(dependency: &Dependency) -> Answer {
        dependency.answer().inspect_err(|failure| assert_ne!(*failure, TM, "on purpose"))
    }
    let ((), calls) = report(async {
        let asleep = tokio::time::timeout(ms(500), orders(&Dependency::script([Err(T)]))).await;
        assert!(asleep.is_err());
        let script = Dependency::script([Err(T), Err(TM)]);
        assert!(AssertUnwindSafe(panicking(&script)).catch_unwind().await.is_err());
    })
    .await;
    assert_eq!(sites(&calls), ["orders", "panicked"]);
    let ends: Vec<_> = calls.iter().map(|call| (call.outcome(), call.reason())).collect();
    let cancelled = (Outcome::Cancelled, Some(StopReason::Cancelled));
    assert_eq!(ends, [cancelled, (Outcome::Panicked, None)]);
    // The dropped call decided on a delay and did not live to its end.
    assert_eq!((calls[0].attempts(), calls[0].slept()), (1, Duration::ZERO));
    assert_eq!(calls[0].delays().collect::<Vec<_>>(), [ms(1_000)]);
    assert_eq!((calls[1].attempts(), calls[1].slept()), (2, ms(1_000)));
}

#[tokio::test(start_paused = true)]
async fn an_endless_call_does_not_fill_its_report() {
    #[retry(
        attempts = "unlimited",
        backoff = "none",
        deadline = none,
        budget = none,
        inner = "suppress"
    )]
    async fn endless(left: &mut u32) -> Answer {
        *left -= 1;
        if *left == 0 { Ok(()) } else { Err(T) }
    }
    let (result, calls) = report(endless(&mut 2_500)).await;
    assert_eq!((result, calls[0].attempts()), (Ok(()), 2_500));
    assert_eq!(calls[0].failures().len(), 1_000);
    assert_eq!(calls[0].failures().last().map(stormless::FailedAttempt::number), Some(1_000));
}
