//! The spans of calls and attempts: in which order, within which, and with which fields.

#[path = "support/bomb.rs"]
mod bomb;
#[path = "support/plan.rs"]
mod plan;
#[path = "support/script.rs"]
mod script;
#[path = "support/spans.rs"]
mod spans;

use std::{
    panic::AssertUnwindSafe,
    sync::{Mutex, atomic::AtomicBool, atomic::Ordering},
    time::Duration,
};

use futures_util::FutureExt;
use plan::Plan;
use script::{Failure, OK, Outcome, P, Script, T, ms, ra, row, secs};
use spans::{Log, Span, subscribed, subscribed_to};
use stormless::{
    Breaker, Budget, Policy, What, breaker, budget, current, retry,
    testing::{self, isolated},
};
use tracing::{Level, Metadata, span};

budget! {
    static ORDERS: Budget = Budget::new("tracing-orders");
}

breaker! {
    static GUARD: Breaker =
        Breaker::new("tracing-orders").consecutive(2).open_for(Duration::from_secs(30)).jitter(0.0);
}

#[retry(backoff = "fixed", base = "10ms", budget = ORDERS, name = "fetch")]
async fn fetch(script: &Script) -> Outcome {
    tokio::task::yield_now().await;
    script.body().await
}

/// Fields that all spans of the function have.
const COMMON: &str = "otel.kind=internal otel.name=fetch";

/// Each field that a span has, in one line.
fn fields(span: &Span) -> String {
    let id = |field: &str| field == "stormless.retry_id";
    let fields = span.fields.iter().filter(|(field, _)| !id(field));
    fields.map(|(field, value)| format!("{field}={value}")).collect::<Vec<_>>().join(" ")
}

async fn traced(outcomes: impl Into<Vec<Outcome>>) -> (Log, Outcome) {
    let outcomes = outcomes.into();
    isolated(async {
        let (log, _subscribed) = subscribed();
        let result = fetch(&Script::new(outcomes)).await;
        log.assert_settled();
        (log, result)
    })
    .await
}

// R141
#[tokio::test(start_paused = true)]
async fn each_attempt_has_its_own_span_under_that_of_the_call() {
    static SEEN: Mutex<Vec<Option<usize>>> = Mutex::new(Vec::new());
    #[retry(backoff = "none", budget = none)]
    async fn seeing(script: &Script, log: &Log) -> Outcome {
        SEEN.lock().unwrap().push(log.current());
        script.body().await
    }
    let (log, _subscribed) = subscribed();
    assert_eq!(seeing(&Script::new([T, T, OK]), &log).await, OK);
    assert_eq!(*SEEN.lock().unwrap(), [Some(1), Some(2), Some(3)]);
    assert_eq!(log.paths(), ["call", "call/attempt", "call/attempt", "call/attempt"]);
    log.assert_settled();
}

#[tokio::test(start_paused = true)]
async fn spans_say_what_became_of_the_call_and_of_each_attempt() {
    let (log, result) = traced([T, ra(secs(1)), OK]).await;
    assert_eq!(result, OK);
    let [call, first, second, third] = &log.spans()[..] else { panic!("{log:?}") };
    for span in [call, first, second, third] {
        assert_eq!((span.target.as_str(), span.level), ("stormless", Level::DEBUG));
    }
    assert_eq!(
        fields(call),
        format!(
            "{COMMON} stormless.attempts=3 stormless.budget=tracing-orders stormless.site=fetch"
        )
    );
    assert_eq!(
        fields(first),
        format!(
            "error.type=Unavailable {COMMON} attempt otel.status_code=ERROR \
             stormless.budget=tracing-orders stormless.kind=transient stormless.site=fetch"
        )
    );
    assert_eq!(
        fields(second),
        format!(
            "error.type=Busy http.request.resend_count=1 {COMMON} attempt otel.status_code=ERROR \
             stormless.budget=tracing-orders stormless.delay_ms=10 stormless.kind=throttled \
             stormless.site=fetch"
        )
    );
    let delay = third.get("stormless.delay_ms").unwrap().parse::<u64>().unwrap();
    assert!((1_000..=1_250).contains(&delay), "{delay}");
    assert_eq!(third.get("http.request.resend_count"), Some("2"));
    assert_eq!((third.get("error.type"), third.get("otel.status_code")), (None, None));
    assert_eq!(third.get("stormless.kind"), None);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_fails_says_why() {
    let (log, result) = traced([T, P]).await;
    assert_eq!(result, P);
    assert_eq!(
        fields(&log.spans()[0]),
        "error.type=Refused otel.kind=internal otel.name=fetch otel.status_code=ERROR \
         stormless.attempts=2 stormless.budget=tracing-orders stormless.kind=permanent \
         stormless.reason=permanent stormless.site=fetch"
    );
}

#[tokio::test(start_paused = true)]
async fn what_happens_is_recorded_in_the_span_that_it_belongs_to() {
    let (log, _) = traced([ra(secs(1)), OK]).await;
    assert_eq!(
        log.told(),
        [
            "call/attempt: attempt started",
            "call/attempt: attempt failed",
            "call: hint used",
            "call: retry scheduled",
            "call/attempt: attempt started",
            "call/attempt: attempt succeeded",
            "call: call succeeded",
        ]
    );
    assert!(log.events().iter().all(|event| event.level == Level::DEBUG));
    let retry = &log.events()[3];
    assert!(retry.get("stormless.delay_ms").unwrap().parse::<u64>().unwrap() >= 1_000);
}

#[tokio::test(start_paused = true)]
async fn one_id_joins_spans_events_and_bodies() {
    static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    #[retry(backoff = "none", budget = none)]
    async fn seeing(script: &Script) -> Outcome {
        SEEN.lock().unwrap().push(current().unwrap().id().to_string());
        script.body().await
    }
    isolated(async {
        let (log, _subscribed) = subscribed();
        let events = testing::events();
        assert_eq!(seeing(&Script::new([T, OK])).await, OK);
        let started = events.take().into_iter();
        let started = started.filter(|event| matches!(event.what(), What::AttemptStarted { .. }));
        let told: Vec<_> = started.map(|event| event.retry_id().unwrap().to_string()).collect();
        let id = |span: &Span| span.get("stormless.retry_id").unwrap().to_owned();
        let attempts: Vec<_> = log.named("attempt").iter().map(id).collect();
        assert_eq!((told.as_slice(), attempts), (&*SEEN.lock().unwrap().clone(), told.clone()));
        let call = id(&log.named("call")[0]);
        assert!(told.iter().all(|attempt| attempt.starts_with(&call)), "{call} {told:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_the_breaker_is_marked() {
    #[retry(backoff = "none", budget = none, attempts = 3, breaker = GUARD)]
    async fn guarded(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let (log, _subscribed) = subscribed();
        let script = Script::always(T);
        assert_eq!(guarded(&script).await, T, "the second failure opens it, and stops the call");
        assert_eq!(guarded(&script).await, Err(Failure::Open), "and then there is no attempt");
        log.assert_settled();
        assert_eq!(log.paths(), ["call", "call/attempt", "call/attempt", "call"]);
        let calls = log.named("call");
        for (call, attempts) in calls.iter().zip(["2", "0"]) {
            assert_eq!(call.get("retry_circuit_broken"), Some("true"));
            assert_eq!(call.get("stormless.reason"), Some("breaker_open"));
            assert_eq!(call.get("stormless.attempts"), Some(attempts));
            assert_eq!(call.get("otel.status_code"), Some("ERROR"));
        }
        let (_, result) = traced([T, OK]).await;
        assert_eq!(result, OK);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn hedges_have_spans_side_by_side_and_the_one_that_lost_is_closed() {
    #[retry(idempotent, attempts = 3, hedge = "100ms", budget = none)]
    async fn hedged(plan: &Plan, log: &Log, seen: &Mutex<Vec<Option<usize>>>) -> Outcome {
        seen.lock().unwrap().push(log.current());
        let result = plan.body().await;
        seen.lock().unwrap().push(log.current());
        result
    }
    let (log, _subscribed) = subscribed();
    let seen = Mutex::default();
    let plan = Plan::new([(script::FOREVER, OK), (ms(50), OK)]);
    assert_eq!(hedged(&plan, &log, &seen).await, OK);
    assert_eq!(*seen.lock().unwrap(), [Some(1), Some(2), Some(2)], "each in its own");
    assert_eq!(log.paths(), ["call", "call/attempt", "call/attempt"]);
    log.assert_settled();
    let [_, lost, won] = &log.spans()[..] else { panic!("{log:?}") };
    assert_eq!((lost.get("stormless.dropped"), lost.get("stormless.hedge")), (Some("true"), None));
    assert_eq!((won.get("stormless.dropped"), won.get("stormless.hedge")), (None, Some("true")));
    assert_eq!(won.get("http.request.resend_count"), Some("1"));
    assert_eq!((lost.get("error.type"), lost.get("otel.status_code")), (None, None));
}

#[tokio::test(start_paused = true)]
async fn a_call_inside_an_attempt_has_its_span_under_that_of_the_attempt() {
    #[retry(backoff = "none", budget = none, attempts = 2)]
    async fn outer(script: &Script) -> Outcome {
        fetch(script).await
    }
    let (log, _subscribed) = subscribed();
    isolated(async { assert_eq!(outer(&Script::new([T, OK])).await, OK) }).await;
    assert_eq!(
        log.paths(),
        [
            "call",
            "call/attempt",
            "call/attempt/call",
            "call/attempt/call/attempt",
            "call/attempt",
            "call/attempt/call",
            "call/attempt/call/attempt",
        ]
    );
    assert_eq!(log.spans()[2].get("stormless.reason"), Some("nested"));
    assert!(log.told().contains(&"call/attempt/call: retry left to the call around".to_owned()));
    log.assert_settled();
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_closes_its_spans_and_is_no_error() {
    let (log, _subscribed) = subscribed();
    isolated(async {
        let script = Script::hanging();
        let mut call = Box::pin(fetch(&script));
        assert_eq!((&mut call).now_or_never(), None);
        assert_eq!((&mut call).now_or_never(), None);
        drop(call);
    })
    .await;
    log.assert_settled();
    let [call, attempt] = &log.spans()[..] else { panic!("{log:?}") };
    assert_eq!(call.get("stormless.reason"), Some("cancelled"));
    assert_eq!((call.get("error.type"), call.get("otel.status_code")), (None, None));
    assert_eq!(attempt.get("stormless.dropped"), Some("true"));
    assert_eq!(
        log.told()[1..],
        ["call/attempt: attempt dropped".to_owned(), "call: call stopped".to_owned()]
    );
    assert!(log.events().iter().all(|event| event.level == Level::DEBUG));
}

#[tokio::test(start_paused = true)]
async fn a_panic_closes_the_spans_and_is_an_error() {
    #[retry(backoff = "none", budget = none)]
    async fn panicking(script: &Script) -> Outcome {
        script.body().await?;
        // As a panic does, without its message.
        std::panic::resume_unwind(Box::new(()));
    }
    let (log, _subscribed) = subscribed();
    let script = Script::new([T, OK]);
    assert!(AssertUnwindSafe(panicking(&script)).catch_unwind().await.is_err());
    log.assert_settled();
    let call = &log.spans()[0];
    assert_eq!(call.get("error.type"), Some("panicked"));
    assert_eq!(call.get("otel.status_code"), Some("ERROR"));
    assert_eq!(call.get("stormless.attempts"), Some("2"));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_under_way_when_somebody_subscribed_has_no_spans() {
    isolated(async {
        let script = Script::new([T, OK]);
        let mut call = Box::pin(fetch(&script));
        assert_eq!((&mut call).now_or_never(), None);
        let (log, _subscribed) = subscribed();
        assert_eq!(call.await, OK);
        assert!(log.spans().is_empty() && log.events().is_empty(), "{log:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_filter_that_leaves_us_out_leaves_no_trace() {
    isolated(async {
        for line in ["info", "debug,stormless=info", "off"] {
            let (log, _subscribed) = subscribed_to(line);
            assert_eq!(fetch(&Script::new([T, OK])).await, OK);
            assert!(log.spans().is_empty() && log.events().is_empty(), "{line}: {log:?}");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn closures_have_the_same_spans() {
    use stormless::RetryExt as _;
    static SEEN: Mutex<Vec<Option<usize>>> = Mutex::new(Vec::new());
    let (log, _subscribed) = subscribed();
    isolated(async {
        let script = Script::new([T, OK]);
        let result = (|| {
            // What makes the body belongs to the attempt, too.
            SEEN.lock().unwrap().push(log.current());
            script.body()
        })
        .retry(Policy::new())
        .named("closure")
        .await;
        assert_eq!(result, OK);
    })
    .await;
    assert_eq!(*SEEN.lock().unwrap(), [Some(1), Some(2)]);
    assert_eq!(log.paths(), ["call", "call/attempt", "call/attempt"]);
    assert_eq!(log.spans()[1].get("otel.name"), Some("closure attempt"));
    log.assert_settled();
}

/// Panics wherever it is told of anything but entering and leaving.
struct Panics(AtomicBool);

impl Panics {
    fn panic(&self) {
        if self.0.load(Ordering::Relaxed) {
            bomb::explode();
        }
    }
}

impl tracing::Subscriber for Panics {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "stormless"
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        if attributes.metadata().name() == "attempt" {
            self.panic();
        }
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {
        self.panic();
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, _: &tracing::Event<'_>) {
        self.panic();
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}

    fn try_close(&self, _: span::Id) -> bool {
        self.panic();
        true
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_that_panics_changes_no_result_and_is_counted() {
    isolated(async {
        let _subscribed = tracing::subscriber::set_default(Panics(AtomicBool::new(true)));
        assert_eq!(fetch(&Script::new([T, OK])).await, OK);
        assert_eq!(fetch(&Script::new([T, T, T])).await, T);
        let script = Script::hanging();
        let mut call = Box::pin(fetch(&script));
        assert_eq!((&mut call).now_or_never(), None);
        drop(call);
        assert!(row("fetch").hook_panics() > 0);
        let warned = stormless::warnings();
        assert!(
            warned.iter().any(|warning| warning.to_string().contains("`tracing`")),
            "{warned:?}"
        );
    })
    .await;
}
