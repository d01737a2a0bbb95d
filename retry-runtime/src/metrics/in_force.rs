//! The recorder that is in force wherever something is registered.

use ::metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit, with_recorder,
};

/// Passes everything on to the facade's recorder: the thread's own, where it has one, or the process's.
pub(super) struct InForce;

impl Recorder for InForce {
    fn describe_counter(&self, key: KeyName, unit: Option<Unit>, description: SharedString) {
        with_recorder(|recorder| recorder.describe_counter(key, unit, description));
    }

    fn describe_gauge(&self, key: KeyName, unit: Option<Unit>, description: SharedString) {
        with_recorder(|recorder| recorder.describe_gauge(key, unit, description));
    }

    fn describe_histogram(&self, key: KeyName, unit: Option<Unit>, description: SharedString) {
        with_recorder(|recorder| recorder.describe_histogram(key, unit, description));
    }

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        with_recorder(|recorder| recorder.register_counter(key, metadata))
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        with_recorder(|recorder| recorder.register_gauge(key, metadata))
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        with_recorder(|recorder| recorder.register_histogram(key, metadata))
    }
}
