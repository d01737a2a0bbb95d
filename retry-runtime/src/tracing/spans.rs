//! The spans of a call: its own, and one for each of its attempts.

use std::time::Duration;

use ::tracing::{
    Level, Span, debug_span, event_enabled,
    field::Empty,
    level_filters::{LevelFilter, STATIC_MAX_LEVEL},
};

use super::{
    TARGET,
    contain::{Held, Inside, contained, is_heard, is_telling},
    records,
};
use crate::{
    Budget, RetryId, Warning, What,
    event::Origin,
    machine::Facts,
    site::Count,
    warning::{self, warn},
};

/// What OpenTelemetry calls the status of a span whose work failed.
const ERROR: &str = "ERROR";

/// The type of an error that nobody saw: the body panicked.
const PANICKED: &str = "panicked";

/// Whether a subscriber may want to hear of every call: a load and a comparison.
#[inline]
pub(crate) fn wants_calls() -> bool {
    Level::DEBUG <= STATIC_MAX_LEVEL && Level::DEBUG <= LevelFilter::current()
}

/// The spans of a call that has some, or at least records.
#[derive(Debug)]
pub(crate) struct Traced {
    call: Held,
    /// Those in flight, by their numbers.
    attempts: Vec<(u32, Held)>,
    /// The wait before the next attempt.
    delay: Option<Duration>,
    /// The end of the call is on record already.
    warned: bool,
}

impl Traced {
    /// A call begins. `None` if nobody wants its spans, nor records of it.
    pub(crate) fn begin(origin: &Origin) -> Option<Self> {
        // Of calls that a subscriber makes there is nothing to tell.
        if is_telling() {
            return None;
        }
        let Some(call) = contained(|| if is_heard() { call_span(origin) } else { None }) else {
            panicked(origin);
            return None;
        };
        let call = call.map(Held::new)?;
        // Whoever hears of calls has missed what was warned about before.
        warning::record();
        Some(Self { call, attempts: Vec::new(), delay: None, warned: false })
    }

    /// For as long as what this returns is in scope, the call's span is the current one.
    pub(crate) fn call(&self) -> Inside<'_> {
        self.call.enter()
    }

    /// For as long as what this returns is in scope, the span of the attempt in flight that has this number is
    /// the current one.
    pub(crate) fn attempt(&self, number: u32) -> Inside<'_> {
        let attempt = self.attempts.iter().find(|(known, _)| *known == number);
        attempt.map_or(Inside::NOWHERE, |(_, span)| span.enter())
    }

    /// The end of the call is on record from here on, as a warning that is written by `warn`.
    pub(super) fn warn(&mut self, warn: impl FnOnce()) {
        self.warned = true;
        self.call.span().in_scope(warn);
    }

    /// Something happens to the call.
    pub(crate) fn tell(&mut self, origin: &Origin, what: &What) {
        if contained(|| self.follow(origin, what)).is_none() {
            panicked(origin);
        }
    }

    fn follow(&mut self, origin: &Origin, what: &What) {
        let ended = match what {
            // Its span says it all.
            What::CallStarted => return,
            What::AttemptStarted { hedge } => {
                self.start(origin, *hedge);
                None
            }
            What::AttemptSucceeded { .. } => self.end(origin),
            What::AttemptFailed { classification, label, .. } => {
                let ended = self.end(origin);
                if let Some(span) = &ended {
                    fail(span.span(), Facts { classification: *classification, label });
                }
                ended
            }
            What::AttemptDropped { .. } => {
                let ended = self.end(origin);
                if let Some(span) = &ended {
                    span.span().record("stormless.dropped", true);
                }
                ended
            }
            What::RetryScheduled { delay } => {
                self.delay = Some(*delay);
                None
            }
            What::BreakerRefused { .. } => {
                self.call.span().record("retry_circuit_broken", true);
                None
            }
            What::CallSucceeded { attempts, .. } => {
                self.call.span().record("stormless.attempts", i64::from(*attempts));
                None
            }
            What::CallStopped { reason, failure, attempts, .. } => {
                let span = self.call.span();
                span.record("stormless.attempts", i64::from(*attempts));
                span.record("stormless.reason", reason.label());
                if let Some((classification, label)) = *failure {
                    fail(span, Facts { classification, label });
                }
                None
            }
            What::CallPanicked { attempts, .. } => {
                let span = self.call.span();
                span.record("stormless.attempts", i64::from(*attempts));
                span.record("error.type", PANICKED);
                span.record("otel.status_code", ERROR);
                None
            }
            _ => None,
        };
        if self.warned && matches!(what, What::CallStopped { .. }) {
            return;
        }
        let attempt = match what {
            What::AttemptStarted { .. } => self.attempts.last().map(|(_, span)| span),
            _ => ended.as_ref(),
        };
        attempt.unwrap_or(&self.call).span().in_scope(|| records::of_call(what));
    }

    /// An attempt starts.
    fn start(&mut self, origin: &Origin, hedge: bool) {
        let delay = self.delay.take().filter(|_| !hedge);
        let span = self.call.span().in_scope(|| attempt_span(origin, hedge, delay));
        self.attempts.push((origin.attempt, Held::new(span)));
    }

    /// An attempt in flight has ended.
    fn end(&mut self, origin: &Origin) -> Option<Held> {
        let at = self.attempts.iter().position(|(number, _)| *number == origin.attempt)?;
        Some(self.attempts.remove(at).1)
    }
}

/// The span of a call; one that is none if only records are wanted, and `None` if not even those.
fn call_span(origin: &Origin) -> Option<Span> {
    let site = origin.site.name();
    let span = debug_span!(
        target: TARGET,
        "call",
        otel.name = site,
        otel.kind = "internal",
        otel.status_code = Empty,
        stormless.site = site,
        stormless.budget = origin.budget.map(Budget::name),
        stormless.retry_id = format_args!("{:016x}", RetryId::new(origin.call, 0).call()),
        stormless.attempts = Empty,
        stormless.kind = Empty,
        stormless.reason = Empty,
        error.type = Empty,
        retry_circuit_broken = Empty,
    );
    let recorded = !span.is_none() || event_enabled!(target: TARGET, Level::DEBUG);
    recorded.then_some(span)
}

/// The span of an attempt, as a child of the current one.
fn attempt_span(origin: &Origin, hedge: bool, delay: Option<Duration>) -> Span {
    let site = origin.site.name();
    let resent = origin.attempt.checked_sub(1).filter(|resent| *resent != 0);
    debug_span!(
        target: TARGET,
        "attempt",
        otel.name = format_args!("{site} attempt"),
        otel.kind = "internal",
        otel.status_code = Empty,
        stormless.site = site,
        stormless.budget = origin.budget.map(Budget::name),
        stormless.retry_id = %RetryId::new(origin.call, origin.attempt),
        stormless.delay_ms = delay.map(records::millis),
        stormless.hedge = hedge.then_some(true),
        stormless.kind = Empty,
        stormless.dropped = Empty,
        http.request.resend_count = resent.map(i64::from),
        error.type = Empty,
    )
}

/// What a failure adds to a span.
fn fail(span: &Span, Facts { classification, label }: Facts) {
    span.record("error.type", label);
    span.record("stormless.kind", classification.kind().label());
    span.record("otel.status_code", ERROR);
}

/// A subscriber has panicked, and the call goes on.
#[cold]
pub(super) fn panicked(origin: &Origin) {
    origin.site.state().add(Count::HookPanics);
    warn(Warning::HookPanicked { site: origin.site.name(), hook: "tracing" });
}
