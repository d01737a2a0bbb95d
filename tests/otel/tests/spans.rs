//! What arrives at an exporter: the spans of a call and its attempts, with their parents, attributes and status.

use opentelemetry::{
    Value,
    trace::{SpanId, SpanKind, Status, TracerProvider},
};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use stormless::{Context, Retryable, current, retry, testing::isolated};
use tracing::instrument;
use tracing_subscriber::{EnvFilter, layer::SubscriberExt};

#[derive(Debug, PartialEq, thiserror::Error, Retryable)]
enum Trouble {
    #[error("unavailable")]
    #[retryable(transient)]
    Unavailable,
    #[error("no such order")]
    #[retryable(permanent)]
    NotFound,
}

#[retry(backoff = "fixed", base = "20ms", name = "fetch")]
async fn fetch(number: u32) -> Result<u32, Trouble> {
    match current().map_or(0, |attempt| attempt.number()) {
        1 => Err(Trouble::Unavailable),
        _ if number == 0 => Err(Trouble::NotFound),
        _ => {
            tokio::spawn(Context::capture().scope(note())).await.expect("it does not panic");
            Ok(number)
        }
    }
}

#[instrument]
async fn note() {}

#[instrument]
async fn handler(number: u32) -> Result<u32, Trouble> {
    fetch(number).await
}

/// What is exported of this.
async fn exported(call: impl Future) -> Vec<SpanData> {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let filter = EnvFilter::new("info,stormless=debug");
    let subscriber = tracing_subscriber::registry().with(filter).with(layer);
    let in_force = tracing::subscriber::set_default(subscriber);
    isolated(call).await;
    drop(in_force);
    exporter.get_finished_spans().expect("it was not shut down")
}

fn named<'a>(spans: &'a [SpanData], name: &str) -> Vec<&'a SpanData> {
    let mut named: Vec<_> = spans.iter().filter(|span| span.name == name).collect();
    named.sort_by_key(|span| span.start_time);
    named
}

fn id(span: &SpanData) -> SpanId {
    span.span_context.span_id()
}

fn attribute(span: &SpanData, key: &str) -> Option<Value> {
    span.attributes.iter().find(|known| known.key.as_str() == key).map(|known| known.value.clone())
}

fn text(span: &SpanData, key: &str) -> Option<String> {
    attribute(span, key).map(|value| value.to_string())
}

#[tokio::test(start_paused = true)]
async fn spans_arrive_with_parents_attributes_and_status() {
    let spans = exported(async { assert_eq!(handler(7).await, Ok(7)) }).await;
    assert_eq!(spans.len(), 5, "{spans:?}");
    let (handlers, calls) = (named(&spans, "handler"), named(&spans, "fetch"));
    let ([handler], [call]) = (&handlers[..], &calls[..]) else { panic!("{spans:?}") };
    let attempts = named(&spans, "fetch attempt");
    let [first, second] = attempts[..] else { panic!("{spans:?}") };
    let notes = named(&spans, "note");

    assert_eq!(call.parent_span_id, id(handler));
    assert_eq!((first.parent_span_id, second.parent_span_id), (id(call), id(call)));
    assert_eq!(notes[0].parent_span_id, id(second), "what an attempt spawns hangs under it");
    let trace = handler.span_context.trace_id();
    assert!(spans.iter().all(|span| span.span_context.trace_id() == trace));

    for span in [call, first, second] {
        assert_eq!(span.span_kind, SpanKind::Internal);
        assert_eq!(text(span, "stormless.site").as_deref(), Some("fetch"));
        assert_eq!(text(span, "otel.name"), None, "it is the name");
    }
    assert_eq!(call.status, Status::Unset);
    assert_eq!(first.status, Status::error(""));
    assert_eq!(second.status, Status::Unset);
    assert_eq!(text(first, "error.type").as_deref(), Some("Unavailable"));
    assert_eq!(text(first, "stormless.kind").as_deref(), Some("transient"));
    assert_eq!(attribute(first, "http.request.resend_count"), None);
    assert_eq!(attribute(second, "http.request.resend_count"), Some(Value::I64(1)));
    assert_eq!(attribute(second, "stormless.delay_ms"), Some(Value::I64(20)));
    assert_eq!(attribute(call, "stormless.attempts"), Some(Value::I64(2)));
    assert_eq!(attribute(call, "error.type"), None);

    let told = |span: &SpanData| -> Vec<String> {
        span.events.iter().map(|event| event.name.to_string()).collect()
    };
    assert_eq!(told(call), ["retry scheduled", "call succeeded"]);
    assert_eq!(told(first), ["attempt started", "attempt failed"]);
    assert_eq!(told(second), ["attempt started", "attempt succeeded"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_fails_is_an_error_with_its_reason() {
    let spans = exported(async { assert_eq!(fetch(0).await, Err(Trouble::NotFound)) }).await;
    let call = named(&spans, "fetch")[0];
    assert_eq!(call.parent_span_id, SpanId::INVALID);
    assert_eq!(call.status, Status::error(""));
    assert_eq!(text(call, "error.type").as_deref(), Some("NotFound"));
    assert_eq!(text(call, "stormless.reason").as_deref(), Some("permanent"));
    let given_up = call.events.iter().find(|event| event.name == "call gave up");
    let given_up = given_up.expect("a warning is an event of the span");
    let level = given_up.attributes.iter().find(|known| known.key.as_str() == "level");
    assert_eq!(level.map(|known| known.value.to_string()).as_deref(), Some("WARN"));
}
