//! What is sent, and how often it is cloned.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use std::time::Duration;

use adapters_tower::{Failure, Probe, Step};
use bytes::Bytes;
use http::{Request, Version};
use stormless::{
    Backoff, Budget, Policy, StopReason, budget, budgets, control, current, report, retry,
    testing::isolated,
    tower::{PerRequest, RetryLayer, by_method},
};
use tower::{Layer, Service, ServiceExt};

use Step::{Fails, Gives};

const POLICY: Policy =
    Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(10)).attempts(3);
const T: Step = Fails(Failure::Unavailable);
const TM: Step = Fails(Failure::Lost);

/// Counts how often it was cloned.
#[derive(Debug)]
struct Counting(Arc<AtomicUsize>);

impl Counting {
    fn new() -> (Self, Arc<AtomicUsize>) {
        let clones = Arc::new(AtomicUsize::new(0));
        (Self(Arc::clone(&clones)), clones)
    }
}

impl Clone for Counting {
    fn clone(&self) -> Self {
        self.0.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(&self.0))
    }
}

/// How often a request is cloned that goes through a layer with this policy.
async fn clones(policy: Policy, steps: Vec<Step>) -> usize {
    let (request, clones) = Counting::new();
    let layer = RetryLayer::new(policy).no_budget();
    let _: Result<u32, Failure> = layer.layer(Probe::new(steps)).oneshot(request).await;
    clones.load(Ordering::Relaxed)
}

#[tokio::test(start_paused = true)]
async fn a_request_is_cloned_for_each_attempt_that_another_can_follow() {
    isolated(async {
        assert_eq!(clones(POLICY, vec![Gives(7)]).await, 1);
        assert_eq!(clones(POLICY, vec![T, Gives(7)]).await, 2);
        // The third is the last.
        assert_eq!(clones(POLICY, vec![T, T, T]).await, 2);
        assert_eq!(clones(POLICY.unlimited(), vec![T, T, T, Gives(7)]).await, 4);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_request_that_can_be_sent_only_once_is_not_cloned() {
    isolated(async {
        assert_eq!(clones(POLICY.attempts(1), vec![T]).await, 0);
        // Faulty.
        assert_eq!(clones(POLICY.attempts(0), vec![T]).await, 0);
        assert_eq!(control::without_retries(clones(POLICY, vec![T])).await, 0);
        // No time for more.
        let tight = POLICY.time_per_attempt(Duration::from_millis(60));
        let within =
            stormless::deadline::within(Duration::from_millis(100), clones(tight, vec![T]));
        assert_eq!(within.await, Ok(0));
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn outer(policy: Policy, clones_made: &AtomicUsize) -> Result<(), Failure> {
    clones_made.fetch_add(clones(policy, vec![T]).await, Ordering::Relaxed);
    Err(Failure::Refused)
}

#[tokio::test(start_paused = true)]
async fn inside_a_call_that_does_the_retrying_a_request_is_not_cloned() {
    isolated(async {
        let made = AtomicUsize::new(0);
        assert_eq!(outer(POLICY, &made).await, Err(Failure::Refused));
        assert_eq!(made.load(Ordering::Relaxed), 0);
        // This one does its own.
        let independent = POLICY.nested(stormless::Nested::Independent).attempts(2);
        let made = AtomicUsize::new(0);
        let steps = vec![T, Gives(7)];
        let cloned = retried(independent, steps, &made).await;
        assert_eq!((cloned, made.load(Ordering::Relaxed)), (Ok(()), 1));
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn retried(policy: Policy, steps: Vec<Step>, made: &AtomicUsize) -> Result<(), Failure> {
    made.fetch_add(clones(policy, steps.clone()).await, Ordering::Relaxed);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn every_attempt_sends_equal_bytes() {
    // R163
    isolated(async {
        let probe = Probe::new([T, T, Gives(7)]);
        let body = Bytes::from_static(b"{\"quantity\":3}");
        let mut request = Request::put("http://orders/7").version(Version::HTTP_2);
        request = request.header("x-tenant", "north").extension("of the caller's");
        let service = RetryLayer::new(POLICY).layer(probe.clone().map_request(seen));
        let answer = service.oneshot(request.body(body).unwrap()).await;
        assert_eq!(answer, Ok(7));
        let sent: Vec<String> = probe.calls().into_iter().map(|call| call.request).collect();
        let once =
            "PUT http://orders/7 HTTP/2.0 \"north\" of the caller's b\"{\\\"quantity\\\":3}\"";
        assert_eq!(sent, [once, once, once]);
    })
    .await;
}

/// All of a request.
#[expect(clippy::needless_pass_by_value, reason = "so are requests given")]
fn seen(request: Request<Bytes>) -> String {
    let extension = request.extensions().get::<&str>().copied().unwrap_or("without");
    format!(
        "{} {} {:?} {:?} {extension} {:?}",
        request.method(),
        request.uri(),
        request.version(),
        request.headers()["x-tenant"],
        request.body()
    )
}

/// A request that is not `Clone`.
#[derive(Debug, PartialEq, Eq)]
struct Upload {
    bytes: &'static str,
    is_stream: bool,
    attempt: u32,
}

fn again(upload: &Upload) -> Option<Upload> {
    let attempt = current().map_or(0, |attempt| attempt.number());
    (!upload.is_stream).then_some(Upload { attempt, ..*upload })
}

#[tokio::test(start_paused = true)]
async fn what_is_not_clone_is_cloned_by_a_function_that_knows_the_attempt() {
    isolated(async {
        let probe = Probe::new([T, T, T]);
        let service = RetryLayer::new(POLICY)
            .clone_with(again)
            .layer(probe.clone().map_request(|upload: Upload| (upload.bytes, upload.attempt)));
        let request = Upload { bytes: "all of it", is_stream: false, attempt: 9 };
        assert_eq!(service.oneshot(request).await, Err(Failure::Unavailable));
        let sent: Vec<_> = probe.calls().into_iter().map(|call| call.request).collect();
        // The last one sends the request itself.
        assert_eq!(sent, [("all of it", 1), ("all of it", 2), ("all of it", 9)]);
    })
    .await;
}

budget! { static UPLOADS: Budget = Budget::new("uploads").burst(10).ratio(0.1); }

#[tokio::test(start_paused = true)]
async fn what_cannot_be_cloned_is_sent_once_and_the_call_says_why_it_stopped() {
    isolated(async {
        let begun = tokio::time::Instant::now();
        for (steps, result, reason) in [
            (vec![Gives(7)], Ok(7), None),
            (vec![T], Err(Failure::Unavailable), Some(StopReason::Unrepeatable)),
            // What would not be repeated anyway keeps its own reason.
            (vec![Fails(Failure::Refused)], Err(Failure::Refused), Some(StopReason::Permanent)),
            (vec![TM], Err(Failure::Lost), Some(StopReason::MaybeExecuted)),
        ] {
            let probe = Probe::new(steps);
            let service = RetryLayer::new(POLICY)
                .budget(&UPLOADS)
                .clone_with(again)
                .layer(probe.clone().map_request(|upload: Upload| upload.bytes));
            let upload = Upload { bytes: "all of it", is_stream: true, attempt: 0 };
            let (answer, calls) = report(service.oneshot(upload)).await;
            assert_eq!((answer, calls[0].reason()), (result, reason));
            assert_eq!(probe.calls()[0].request, "all of it");
            assert_eq!(probe.calls().len(), 1);
        }
        let uploads = budgets().get("uploads").unwrap().budget().stats();
        assert_eq!((uploads.withdrawn, uploads.refused, begun.elapsed()), (0, 0, Duration::ZERO));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_request_can_have_a_policy_a_budget_a_name_and_a_key_of_its_own() {
    isolated(async {
        let probe = Probe::new([TM, Gives(7), TM, T, Gives(8)]);
        let mut service = RetryLayer::new(POLICY)
            .named("store")
            .no_budget()
            .per_request(|request: &&str, call: &mut PerRequest| {
                if *request == "read" {
                    call.set_policy(call.policy().idempotent())
                        .named("store.read")
                        .budget(&UPLOADS);
                }
                call.idempotency_key(format_args!("of {request}"));
            })
            .layer(probe.clone().map_request(|request: &'static str| {
                let key = current().unwrap().idempotency_key().as_str().to_owned();
                format!("{request} {key}")
            }));
        let (answer, calls) = report(service.ready().await.unwrap().call("read")).await;
        assert_eq!((answer, calls[0].site(), calls[0].attempts()), (Ok(7), "store.read", 2));
        let (answer, calls) = report(service.ready().await.unwrap().call("write")).await;
        assert_eq!(answer, Err(Failure::Lost));
        assert_eq!(
            (calls[0].site(), calls[0].reason()),
            ("store", Some(StopReason::MaybeExecuted))
        );
        let (answer, calls) = report(service.ready().await.unwrap().call("write")).await;
        assert_eq!((answer, calls[0].site(), calls[0].attempts()), (Ok(8), "store", 2));
        let sent: Vec<String> = probe.calls().into_iter().map(|call| call.request).collect();
        let (read, write) = ("read of read", "write of write");
        assert_eq!(sent, [read, read, write, write, write]);
        assert_eq!(budgets().get("uploads").unwrap().budget().stats().withdrawn, 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_method_that_is_idempotent_makes_a_lost_answer_worth_a_repeat() {
    isolated(async {
        for (method, attempts) in [("GET", 2), ("DELETE", 2), ("POST", 1)] {
            let probe = Probe::new([TM, Gives(7)]);
            let service = RetryLayer::new(POLICY).per_request(by_method).layer(probe.clone());
            let request =
                Request::builder().method(method).uri("http://orders/7").body(()).unwrap();
            let answer = service.oneshot(request.map(|()| Bytes::new())).await;
            assert_eq!((answer.is_ok(), probe.attempts().len()), (attempts == 2, attempts));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_look_at_a_request_adds_to_those_before_it() {
    isolated(async {
        let probe = Probe::new([TM, Gives(7)]);
        let service = RetryLayer::new(POLICY)
            .per_request(by_method)
            .per_request(|_: &Request<Bytes>, call: &mut PerRequest| {
                call.named("reads");
            })
            .layer(probe.clone());
        let request = Request::builder().uri("http://orders/7").body(Bytes::new()).unwrap();
        let (answer, calls) = report(service.oneshot(request)).await;
        assert_eq!((answer, calls[0].site(), calls[0].attempts()), (Ok(7), "reads", 2));
    })
    .await;
}
