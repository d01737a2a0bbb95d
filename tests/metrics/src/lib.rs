//! A recorder that tests can read.

#![forbid(unsafe_code)]

/// The examples of the page about metrics are compiled like every other.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/metrics.md")]
struct Metrics;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use ::metrics::{
    Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Label, Metadata, Recorder, SharedString,
    Unit,
};
use stormless::metrics::{Installed, install_to};

/// A recorder that keeps everything. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Board(Arc<Mutex<BTreeMap<String, Series>>>);

#[derive(Clone, Debug)]
enum Series {
    Counter(Arc<AtomicU64>),
    Gauge(Arc<AtomicU64>),
    Histogram(Arc<Values>),
}

#[derive(Debug, Default)]
struct Values(Mutex<Vec<f64>>);

impl HistogramFn for Values {
    fn record(&self, value: f64) {
        lock(&self.0).push(value);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The metric's name without `stormless_`, and the values of its labels.
fn name(key: &Key) -> String {
    let name = std::iter::once(key.name().trim_start_matches("stormless_"));
    name.chain(key.labels().map(Label::value)).collect::<Vec<_>>().join(" ")
}

impl Board {
    /// A fresh one, which records what happens here.
    pub fn install() -> (Installed, Self) {
        let board = Self::default();
        (install_to(board.clone()), board)
    }

    /// What it was told by now.
    #[must_use]
    pub fn read(&self) -> Reading {
        let value = |(name, series): (&String, &Series)| {
            let value = match series {
                Series::Counter(count) => Value::Counter(count.load(Ordering::Relaxed)),
                Series::Gauge(bits) => Value::Gauge(f64::from_bits(bits.load(Ordering::Relaxed))),
                Series::Histogram(values) => Value::Histogram(lock(&values.0).clone()),
            };
            (name.clone(), value)
        };
        Reading(lock(&self.0).iter().map(value).collect())
    }

    fn series(&self, key: &Key, make: impl FnOnce() -> Series) -> Series {
        lock(&self.0).entry(name(key)).or_insert_with(make).clone()
    }
}

impl Recorder for Board {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        match self.series(key, || Series::Counter(Arc::default())) {
            Series::Counter(count) => Counter::from_arc(count),
            other => panic!("`{key}` is {other:?} already"),
        }
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        match self.series(key, || Series::Gauge(Arc::default())) {
            Series::Gauge(bits) => Gauge::from_arc(bits),
            other => panic!("`{key}` is {other:?} already"),
        }
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        match self.series(key, || Series::Histogram(Arc::default())) {
            Series::Histogram(values) => Histogram::from_arc(values),
            other => panic!("`{key}` is {other:?} already"),
        }
    }
}

/// The value of each series.
#[derive(Debug)]
pub struct Reading(BTreeMap<String, Value>);

#[derive(Debug)]
enum Value {
    Counter(u64),
    Gauge(f64),
    Histogram(Vec<f64>),
}

impl Reading {
    /// The counter of this name, if there is one.
    #[must_use]
    pub fn counter(&self, name: &str) -> Option<u64> {
        match self.0.get(name)? {
            Value::Counter(value) => Some(*value),
            _ => None,
        }
    }

    /// The gauge of this name, if there is one.
    #[must_use]
    pub fn gauge(&self, name: &str) -> Option<f64> {
        match self.0.get(name)? {
            Value::Gauge(value) => Some(*value),
            _ => None,
        }
    }

    /// The values of a histogram, in their order.
    #[must_use]
    pub fn histogram(&self, name: &str) -> Vec<f64> {
        match self.0.get(name) {
            Some(Value::Histogram(values)) => values.clone(),
            _ => Vec::new(),
        }
    }

    /// Counters that begin with this and are not 0, with what follows it.
    #[must_use]
    pub fn counted(&self, prefix: &str) -> Vec<(&str, u64)> {
        let mut counted = Vec::new();
        for (name, value) in &self.0 {
            match (name.strip_prefix(prefix), value) {
                (Some(rest), Value::Counter(count)) if *count > 0 => {
                    counted.push((rest.trim_start(), *count));
                }
                _ => {}
            }
        }
        counted
    }

    /// The sum of all counters that begin with this.
    #[must_use]
    pub fn sum(&self, prefix: &str) -> u64 {
        self.counted(prefix).iter().map(|(_, count)| count).sum()
    }

    /// Each series that is not what it was before, a line each: how much was counted, what a gauge was and is,
    /// and what a histogram has got.
    ///
    /// # Panics
    ///
    /// If a name stands for another type than before.
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> Vec<String> {
        let change = |(name, value): (&String, &Value)| match (before.0.get(name), value) {
            (None, Value::Counter(0)) => None,
            (None, Value::Counter(count)) => Some(format!("{name} +{count}")),
            (Some(Value::Counter(known)), Value::Counter(count)) => {
                (known != count).then(|| format!("{name} +{}", count - known))
            }
            (None, Value::Gauge(now)) => Some(format!("{name}: {now}")),
            (Some(Value::Gauge(then)), Value::Gauge(now)) => {
                (then.to_bits() != now.to_bits()).then(|| format!("{name}: {then} -> {now}"))
            }
            (known, Value::Histogram(values)) => {
                let known = match known {
                    Some(Value::Histogram(known)) => known.len(),
                    _ => 0,
                };
                let new = &values[known..];
                (!new.is_empty()).then(|| format!("{name} {new:?}"))
            }
            (Some(known), value) => panic!("`{name}` was {known:?}, and is {value:?}"),
        };
        self.0.iter().filter_map(change).collect()
    }

    /// How many series there are.
    #[must_use]
    pub fn series(&self) -> usize {
        self.0.len()
    }

    /// How many series have this among their labels.
    #[must_use]
    pub fn series_with(&self, label: &str) -> usize {
        self.0.keys().filter(|name| name.split(' ').skip(1).any(|known| known == label)).count()
    }

    /// How many series begin with this.
    #[must_use]
    pub fn series_of(&self, prefix: &str) -> usize {
        self.0.keys().filter(|name| name.starts_with(prefix)).count()
    }
}
