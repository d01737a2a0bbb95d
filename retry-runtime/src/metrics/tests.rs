//! A breaker tells of itself, without a call and without a refresh.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, atomic::AtomicU64, atomic::Ordering},
};

use ::metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Label, Metadata, Recorder, SharedString, Unit,
};

use super::install_to;
use crate::{Breaker, BreakerState, What, event};

/// Keeps gauges by the values of their labels.
#[derive(Clone, Default)]
struct Gauges(Arc<Mutex<BTreeMap<String, Arc<AtomicU64>>>>);

impl Gauges {
    fn get(&self, labels: &str) -> f64 {
        f64::from_bits(self.0.lock().unwrap()[labels].load(Ordering::Relaxed))
    }
}

impl Recorder for Gauges {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        let labels: Vec<_> = key.labels().map(Label::value).collect();
        let mut known = self.0.lock().unwrap();
        Gauge::from_arc(Arc::clone(known.entry(labels.join(" ")).or_default()))
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

fn changed(breaker: &'static str) {
    event::tell(|| What::BreakerChanged {
        breaker,
        from: BreakerState::Closed,
        to: BreakerState::Isolated,
    });
}

#[test]
fn a_changed_breaker_sets_its_gauges_whether_it_was_known_or_not() {
    let known = Breaker::declare(Breaker::new("metrics: known").consecutive(3)).unwrap();
    let gauges = Gauges::default();
    let _installed = install_to(gauges.clone());
    let states = |name: &str| {
        ["closed", "isolated"].map(|state| gauges.get(&format!("metrics: {name} {state}")) > 0.0)
    };
    assert_eq!(states("known"), [true, false]);
    known.isolate();
    changed("metrics: known");
    assert_eq!(states("known"), [false, true]);

    Breaker::declare(Breaker::new("metrics: new").consecutive(3)).unwrap().isolate();
    changed("metrics: new");
    assert_eq!(states("new"), [false, true]);
}
