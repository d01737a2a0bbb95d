//! The metrics: their names, their units and what they mean.

use ::metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Label, Level, Metadata, Recorder, SharedString, Unit,
};

/// What a metric is.
#[derive(Clone, Copy)]
enum Type {
    Counter,
    Gauge,
    Histogram,
}

/// One metric, by whatever labels.
pub(super) struct Metric {
    pub(super) name: &'static str,
    kind: Type,
    unit: Unit,
    help: &'static str,
}

impl Metric {
    const fn counter(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Type::Counter, unit: Unit::Count, help }
    }

    const fn gauge(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Type::Gauge, unit: Unit::Count, help }
    }

    const fn histogram(name: &'static str, unit: Unit, help: &'static str) -> Self {
        Self { name, kind: Type::Histogram, unit, help }
    }
}

pub(super) const CALLS: Metric = Metric::counter(
    "stormless_calls_total",
    "Calls that have ended, by how: each is counted once.",
);
pub(super) const ATTEMPTS: Metric = Metric::counter(
    "stormless_attempts_total",
    "Attempts that have started: first ones, retries and hedges.",
);
pub(super) const ATTEMPT_FAILURES: Metric = Metric::counter(
    "stormless_attempt_failures_total",
    "Attempts that failed, the last of a call among them, by kind and by the error's label.",
);
pub(super) const RETRIES_REFUSED: Metric = Metric::counter(
    "stormless_retries_refused_total",
    "Calls that failed, by why nothing followed.",
);
pub(super) const CALL_ATTEMPTS: Metric = Metric::histogram(
    "stormless_call_attempts",
    Unit::Count,
    "Attempts that a call made; 0 if it was kept from its first.",
);
pub(super) const RETRY_DELAY: Metric = Metric::histogram(
    "stormless_retry_delay_seconds",
    Unit::Seconds,
    "Waits before retries, as they are slept.",
);
pub(super) const ATTEMPT_DURATION: Metric = Metric::histogram(
    "stormless_attempt_duration_seconds",
    Unit::Seconds,
    "How long attempts took, those among them that were cut or dropped.",
);
pub(super) const BUDGET_LEVEL: Metric =
    Metric::gauge("stormless_budget_level", "Retries that the budget would pay for now.");
pub(super) const BUDGET_CAPACITY: Metric = Metric::gauge(
    "stormless_budget_capacity",
    "Retries that the budget pays for in a row while nothing is answered.",
);
pub(super) const BUDGET_IMPLICIT: Metric = Metric::gauge(
    "stormless_budget_implicit",
    "1 if nobody declared the budget, so that a default stands in.",
);
pub(super) const SITE_BUDGET: Metric =
    Metric::gauge("stormless_site_budget", "1: the budget pays for retries of the site.");
pub(super) const BREAKER_STATE: Metric =
    Metric::gauge("stormless_breaker_state", "1 for the state that the breaker is in, else 0.");
pub(super) const RETRIES_OFF: Metric =
    Metric::gauge("stormless_retries_off", "1 while retries are switched off there.");
pub(super) const OVERRIDES: Metric = Metric::gauge(
    "stormless_overrides",
    "Overrides in force, by the layer that says them; a switch that was thrown is one.",
);

static ALL: [&Metric; 14] = [
    &CALLS,
    &ATTEMPTS,
    &ATTEMPT_FAILURES,
    &RETRIES_REFUSED,
    &CALL_ATTEMPTS,
    &RETRY_DELAY,
    &ATTEMPT_DURATION,
    &BUDGET_LEVEL,
    &BUDGET_CAPACITY,
    &BUDGET_IMPLICIT,
    &SITE_BUDGET,
    &BREAKER_STATE,
    &RETRIES_OFF,
    &OVERRIDES,
];

const BY_COUNT: &[f64] = &[1.0, 2.0, 3.0, 4.0, 5.0, 10.0];
/// From below the default base to beyond the default maximum.
const BY_DELAY: &[f64] =
    &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0];
/// Those that the clients of Prometheus have by default.
const BY_DURATION: &[f64] = &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Buckets for each histogram by its name, for exporters that are told them: upper bounds in ascending order,
/// in attempts and in seconds.
///
/// ```
/// # use retry_runtime as stormless;
/// for (name, buckets) in stormless::metrics::BUCKETS {
///     assert!(name.starts_with("stormless_") && buckets.is_sorted());
/// }
/// ```
pub const BUCKETS: &[(&str, &[f64])] = &[
    (CALL_ATTEMPTS.name, BY_COUNT),
    (RETRY_DELAY.name, BY_DELAY),
    (ATTEMPT_DURATION.name, BY_DURATION),
];

/// Tells what all of them are.
pub(super) fn describe(recorder: &dyn Recorder) {
    for metric in ALL {
        let (name, help) =
            (KeyName::from_const_str(metric.name), SharedString::const_str(metric.help));
        let unit = Some(metric.unit);
        match metric.kind {
            Type::Counter => recorder.describe_counter(name, unit, help),
            Type::Gauge => recorder.describe_gauge(name, unit, help),
            Type::Histogram => recorder.describe_histogram(name, unit, help),
        }
    }
}

static METADATA: Metadata<'static> = Metadata::new("stormless", Level::INFO, None);

/// Labels with their values.
pub(super) type Labels<'a> = &'a [(&'static str, &'a SharedString)];

fn key(metric: &Metric, labels: Labels<'_>) -> Key {
    let label = |(name, value): &(&'static str, &SharedString)| Label::new(*name, (*value).clone());
    Key::from_parts(metric.name, labels.iter().map(label).collect::<Vec<_>>())
}

pub(super) fn counter(recorder: &dyn Recorder, metric: &Metric, labels: Labels<'_>) -> Counter {
    recorder.register_counter(&key(metric, labels), &METADATA)
}

pub(super) fn gauge(recorder: &dyn Recorder, metric: &Metric, labels: Labels<'_>) -> Gauge {
    recorder.register_gauge(&key(metric, labels), &METADATA)
}

pub(super) fn histogram(recorder: &dyn Recorder, metric: &Metric, labels: Labels<'_>) -> Histogram {
    recorder.register_histogram(&key(metric, labels), &METADATA)
}
