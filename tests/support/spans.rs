//! Keeps the spans and records of what runs under it, as a subscriber sees them.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Debug,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tracing::{
    Dispatch, Level, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
    subscriber::DefaultGuard,
};
use tracing_subscriber::{
    Layer, Registry,
    filter::Targets,
    layer::{Context, SubscriberExt},
    registry::LookupSpan,
};

pub(crate) type Fields = BTreeMap<String, String>;

/// A span, in the place in which it began.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) name: &'static str,
    pub(crate) target: String,
    pub(crate) level: Level,
    /// The place of its parent.
    pub(crate) parent: Option<usize>,
    pub(crate) fields: Fields,
    pub(crate) entered: usize,
    pub(crate) left: usize,
    pub(crate) closed: bool,
}

/// A record, with the span in which it was made.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) level: Level,
    pub(crate) target: String,
    pub(crate) message: String,
    pub(crate) fields: Fields,
    pub(crate) within: Option<usize>,
}

/// What happened next: to the span in this place, or the record in this place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Opened(usize, Fields),
    Entered(usize),
    Left(usize),
    /// The span has more fields.
    Recorded(usize, Fields),
    Closed(usize),
    Told(usize),
}

#[derive(Debug, Default)]
struct Seen {
    spans: Vec<Span>,
    events: Vec<Event>,
    steps: Vec<Step>,
    open: HashMap<u64, usize>,
}

/// All that was seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Arc<Mutex<Seen>>);

/// What filters and keeps: as `info,stormless=debug` does with this line.
pub(crate) fn keeping(line: &str) -> (Log, Dispatch) {
    let log = Log::default();
    let filter: Targets = line.parse().expect("a line of targets and levels");
    (log.clone(), Dispatch::new(Registry::default().with(log.with_filter(filter))))
}

/// Subscribes on this thread, to everything of ours.
pub(crate) fn subscribed() -> (Log, DefaultGuard) {
    subscribed_to("info,stormless=debug")
}

/// Subscribes on this thread.
pub(crate) fn subscribed_to(line: &str) -> (Log, DefaultGuard) {
    let (log, dispatch) = keeping(line);
    (log, tracing::dispatcher::set_default(&dispatch))
}

impl Span {
    pub(crate) fn get(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(String::as_str)
    }
}

impl Event {
    pub(crate) fn get(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(String::as_str)
    }
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        self.lock().spans.clone()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.lock().events.clone()
    }

    /// All of it in its order.
    pub(crate) fn steps(&self) -> Vec<Step> {
        self.lock().steps.clone()
    }

    /// The spans of this name.
    pub(crate) fn named(&self, name: &str) -> Vec<Span> {
        self.spans().into_iter().filter(|span| span.name == name).collect()
    }

    /// The span that is current on this thread, by its place.
    pub(crate) fn current(&self) -> Option<usize> {
        let id = tracing::Span::current().id()?;
        self.lock().open.get(&id.into_u64()).copied()
    }

    /// The name of each span with those around it: `call/attempt`.
    pub(crate) fn paths(&self) -> Vec<String> {
        let spans = self.spans();
        (0..spans.len()).map(|at| path(&spans, at)).collect()
    }

    /// Each record with the spans around it: `call/attempt: attempt failed`.
    pub(crate) fn told(&self) -> Vec<String> {
        let spans = self.spans();
        let tell = |event: &Event| {
            let within = event.within.map_or(String::new(), |at| path(&spans, at));
            format!("{within}: {}", event.message)
        };
        self.events().iter().map(tell).collect()
    }

    /// The records of this level.
    pub(crate) fn at(&self, level: Level) -> Vec<Event> {
        self.events().into_iter().filter(|event| event.level == level).collect()
    }

    /// Every span was left as often as it was entered, and is closed.
    #[track_caller]
    pub(crate) fn assert_settled(&self) {
        for span in self.spans() {
            assert_eq!(span.entered, span.left, "{span:?}");
            assert!(span.closed, "{span:?}");
        }
    }
}

fn path(spans: &[Span], at: usize) -> String {
    let span = &spans[at];
    match span.parent {
        Some(parent) => format!("{}/{}", path(spans, parent), span.name),
        None => span.name.to_owned(),
    }
}

struct Reader<'a>(&'a mut Fields);

impl Visit for Reader<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Log {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, spans: Context<'_, S>) {
        let parent = spans.span(id).and_then(|span| span.parent()).map(|span| span.id());
        let mut fields = Fields::new();
        attributes.record(&mut Reader(&mut fields));
        let metadata = attributes.metadata();
        let mut seen = self.lock();
        let parent = parent.and_then(|parent| seen.open.get(&parent.into_u64()).copied());
        let at = seen.spans.len();
        seen.open.insert(id.into_u64(), at);
        seen.steps.push(Step::Opened(at, fields.clone()));
        seen.spans.push(Span {
            name: metadata.name(),
            target: metadata.target().to_owned(),
            level: *metadata.level(),
            parent,
            fields,
            entered: 0,
            left: 0,
            closed: false,
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut fields = Fields::new();
        values.record(&mut Reader(&mut fields));
        let more = fields.clone();
        self.change(id, |span| span.fields.extend(more), |at| Step::Recorded(at, fields));
    }

    fn on_enter(&self, id: &Id, _: Context<'_, S>) {
        self.change(id, |span| span.entered += 1, Step::Entered);
    }

    fn on_exit(&self, id: &Id, _: Context<'_, S>) {
        self.change(id, |span| span.left += 1, Step::Left);
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        self.change(&id, |span| span.closed = true, Step::Closed);
        self.lock().open.remove(&id.into_u64());
    }

    fn on_event(&self, event: &tracing::Event<'_>, spans: Context<'_, S>) {
        let mut fields = Fields::new();
        event.record(&mut Reader(&mut fields));
        let within = spans.event_span(event).map(|span| span.id().into_u64());
        let mut seen = self.lock();
        let within = within.and_then(|id| seen.open.get(&id).copied());
        let at = seen.events.len();
        seen.steps.push(Step::Told(at));
        seen.events.push(Event {
            level: *event.metadata().level(),
            target: event.metadata().target().to_owned(),
            message: fields.remove("message").unwrap_or_default(),
            fields,
            within,
        });
    }
}

impl Log {
    fn change(&self, id: &Id, change: impl FnOnce(&mut Span), step: impl FnOnce(usize) -> Step) {
        let mut seen = self.lock();
        if let Some(at) = seen.open.get(&id.into_u64()).copied() {
            change(&mut seen.spans[at]);
            seen.steps.push(step(at));
        }
    }
}
