//! What failed, and why calls stopped then: exact, and bounded whatever is leaked.

#[path = "support/bodies.rs"]
mod bodies;

use bodies::{Answer, Dependency, Failure, P, PE, T, TM, TooSlow, ms, site};
use stormless::{
    Backoff, Classification, ErrorRow, Kind, Policy, StopReason, control, retry, testing::isolated,
};

#[retry(attempts = 3, backoff = "none", budget = none, name = "orders")]
async fn orders(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 1, budget = none, attempt_timeout = "10ms", name = "hangs")]
async fn hangs() -> Answer {
    std::future::pending().await
}

/// Label, kind, failures and stops.
type Counted = (&'static str, Option<Kind>, u64, Vec<(StopReason, u64)>);

fn counted(row: &ErrorRow) -> Counted {
    (row.label(), row.kind(), row.failures(), row.stops().to_vec())
}

fn errors(name: &str) -> Vec<Counted> {
    site(name).errors().iter().map(counted).collect()
}

#[tokio::test(start_paused = true)]
async fn failures_and_stops_are_counted_by_label_kind_and_reason_the_most_frequent_first() {
    isolated(async {
        assert_eq!(errors("orders"), []);
        assert_eq!(orders(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        assert_eq!(orders(&Dependency::dead()).await, Err(T));
        assert_eq!(orders(&Dependency::script([Err(T), Err(TM)])).await, Err(TM));
        assert_eq!(orders(&Dependency::script([Err(PE)])).await, Err(PE));
        assert_eq!(orders(&Dependency::script([Err(P)])).await, Err(P));
        let (stop, transient) = (StopReason::Permanent, Some(Kind::Transient));
        assert_eq!(
            errors("orders"),
            [
                ("T", transient, 5, vec![(StopReason::AttemptsExhausted, 1)]),
                ("P", Some(Kind::Permanent), 1, vec![(stop, 1)]),
                ("PE", Some(Kind::Permanent), 1, vec![(stop, 1)]),
                ("TM", transient, 1, vec![(StopReason::MaybeExecuted, 1)]),
            ]
        );
        let row = site("orders");
        assert_eq!(row.errors().iter().map(ErrorRow::failures).sum::<u64>(), row.failures());
        let first = &row.errors()[0];
        assert_eq!(first.to_string(), "5 T (transient): 1 attempts_exhausted");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_cut_is_counted_as_what_it_is() {
    isolated(async {
        assert_eq!(hangs().await, Err(TooSlow));
        let stops = vec![(StopReason::MaybeExecuted, 1)];
        assert_eq!(errors("hangs"), [("attempt_timeout", Some(Kind::Timeout), 1, stops)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_function_that_classifies_brings_the_label_along() {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "that is what `classify` is given")]
    fn by_number(error: &Failure) -> Classification {
        match error {
            Failure::Numbered(number) if *number > 9 => Classification::permanent().label("large"),
            Failure::Numbered(_) => Classification::transient().label("small"),
            _ => Classification::transient(),
        }
    }
    #[retry(attempts = 2, backoff = "none", budget = none, classify = by_number, name = "judged")]
    async fn judged(dependency: &Dependency) -> Answer {
        dependency.answer()
    }
    #[retry(
        attempts = 2,
        backoff = "none",
        budget = none,
        classify_result = |result| result.is_ok().then(|| Classification::transient().label("ok?")),
        name = "judged.results"
    )]
    async fn results(dependency: &Dependency) -> Answer {
        dependency.answer()
    }
    isolated(async {
        let numbered = |number| Err(Failure::Numbered(number));
        let script = Dependency::script([numbered(1), numbered(10)]);
        assert_eq!(judged(&script).await, numbered(10));
        assert_eq!(judged(&Dependency::dead()).await, Err(T));
        let labels: Vec<_> = errors("judged").into_iter().map(|row| (row.0, row.2)).collect();
        assert_eq!(labels, [("_OTHER", 2), ("large", 1), ("small", 1)]);

        assert_eq!(results(&Dependency::always(Ok(()))).await, Ok(()));
        assert_eq!(results(&Dependency::script([Err(P)])).await, Err(P));
        let labels: Vec<_> =
            errors("judged.results").into_iter().map(|row| (row.0, row.2)).collect();
        assert_eq!(labels, [("ok?", 2), ("P", 1)]);
    })
    .await;
}

#[test]
fn the_functions_that_adapters_bring_name_what_they_saw() {
    let response = http_status(503);
    assert_eq!(response.and_then(|class| class.own_label()), Some("503"));
    let elapsed = stormless::sql::classify_sqlstate("40001");
    assert_eq!(elapsed.own_label(), Some("serialization_failure"));
    let boxed: Box<dyn std::error::Error + Send + Sync> =
        Box::new(std::io::Error::from(std::io::ErrorKind::ConnectionRefused));
    assert_eq!(stormless::tower::classify(&boxed).own_label(), Some("connection_refused"));
    let status = tonic::Status::unavailable("gone");
    assert_eq!(stormless::tonic::classify(&status).own_label(), Some("UNAVAILABLE"));
}

fn http_status(code: u16) -> Option<Classification> {
    let mut response = axum::http::Response::new(());
    *response.status_mut() = code.try_into().expect("it is a status");
    stormless::http::classify_response(&response)
}

#[tokio::test(start_paused = true)]
async fn a_hundred_thousand_made_up_labels_make_no_more_than_sixty_five_rows() {
    const CALLS: u32 = 100_000;
    const POLICY: Policy = Policy::new().attempts(1).backoff(Backoff::None);
    isolated(async {
        for number in 0..CALLS {
            let label: &'static str = format!("error {number}").leak();
            let fails = async || Err::<(), u32>(number);
            let classify = |_: &u32| Classification::transient().label(label);
            let call = POLICY.run(fails).named("leaks").no_budget().classify(classify);
            assert_eq!(call.await, Err(number));
        }
        let errors = site("leaks").errors();
        assert_eq!((errors.len(), site("leaks").failures()), (65, CALLS.into()));
        let others = &errors[0];
        assert_eq!((others.label(), others.kind()), ("(other labels)", None));
        assert_eq!(
            (others.failures(), others.stopped()),
            (u64::from(CALLS) - 64, u64::from(CALLS) - 64)
        );
        assert_eq!(others.stops(), [(StopReason::AttemptsExhausted, u64::from(CALLS) - 64)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn every_call_ends_in_one_of_four_ways() {
    #[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none, name = "four")]
    async fn four(dependency: &Dependency) -> Answer {
        dependency.answer()
    }
    isolated(async {
        control::count_successes(true);
        assert_eq!(four(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(four(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(four(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        assert_eq!(four(&Dependency::script([Err(P)])).await, Err(P));
        assert_eq!(four(&Dependency::dead()).await, Err(T));
        assert_eq!(four(&Dependency::script([Err(T), Err(P)])).await, Err(P));
        // Dropped in its first and in its second wait.
        for wait in [500, 1_500] {
            assert!(tokio::time::timeout(ms(wait), four(&Dependency::dead())).await.is_err());
        }
        let (row, outcomes) = (site("four"), site("four").outcomes());
        assert_eq!((outcomes.success, outcomes.success_after_retry), (2, 1));
        assert_eq!((outcomes.failure, outcomes.failure_after_retry), (2, 3));
        assert_eq!((outcomes.calls(), row.calls()), (8, 8));
    })
    .await;
}

#[test]
fn counts_are_exact_whatever_runs_at_once() {
    const THREADS: u32 = 4;
    const CALLS: u64 = 500;
    #[retry(attempts = 2, backoff = "none", budget = none, name = "at.once")]
    async fn at_once(number: u64) -> Answer {
        match number % 4 {
            0 => Err(T),
            1 => Err(P),
            _ => Ok(()),
        }
    }
    let test = isolated(async {
        control::count_successes(true);
        let context = stormless::Context::capture();
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                let context = context.clone();
                std::thread::spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread().build();
                    runtime.expect("it can be made").block_on(context.scope(async {
                        for number in 0..CALLS {
                            at_once(number).await.ok();
                        }
                    }));
                })
            })
            .collect();
        for thread in threads {
            thread.join().expect("no call panics");
        }
        let (row, each) = (site("at.once"), u64::from(THREADS) * CALLS / 4);
        let outcomes = row.outcomes();
        assert_eq!((outcomes.success, outcomes.success_after_retry), (2 * each, 0));
        assert_eq!((outcomes.failure, outcomes.failure_after_retry), (each, each));
        let (permanent, exhausted) = (StopReason::Permanent, StopReason::AttemptsExhausted);
        assert_eq!(
            errors("at.once"),
            [
                ("T", Some(Kind::Transient), 2 * each, vec![(exhausted, each)]),
                ("P", Some(Kind::Permanent), each, vec![(permanent, each)]),
            ]
        );
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("it can be made").block_on(test);
}
