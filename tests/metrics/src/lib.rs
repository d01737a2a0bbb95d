//! A recorder that tests can read.

#![forbid(unsafe_code)]

/// The examples of the page about metrics are compiled like every other.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/metrics.md")]
struct Metrics;

use std::collections::BTreeMap;

use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use stormless::metrics::{Installed, install_to};

/// What a recorder was told.
#[derive(Debug)]
pub struct Board(Snapshotter);

/// A value of each series, by the metric's name without `stormless_` and the values of its labels.
#[derive(Debug)]
pub struct Reading(BTreeMap<String, DebugValue>);

impl Board {
    /// A fresh recorder, and what it will be told.
    #[must_use]
    pub fn new() -> (DebuggingRecorder, Self) {
        let recorder = DebuggingRecorder::new();
        let board = Self(recorder.snapshotter());
        (recorder, board)
    }

    /// A fresh recorder that records what happens here.
    #[must_use]
    pub fn install() -> (Installed, Self) {
        let (recorder, board) = Self::new();
        (install_to(recorder), board)
    }

    /// What it was told by now; values of histograms are told once.
    #[must_use]
    pub fn read(&self) -> Reading {
        let series = |(key, _, _, value): (metrics_util::CompositeKey, _, _, _)| {
            let (_, key) = key.into_parts();
            let name = key.name().trim_start_matches("stormless_").to_owned();
            let labels = key.labels().map(|label| label.value().to_owned());
            (std::iter::once(name).chain(labels).collect::<Vec<_>>().join(" "), value)
        };
        Reading(self.0.snapshot().into_vec().into_iter().map(series).collect())
    }
}

impl Reading {
    /// The counter of this name, if there is one.
    #[must_use]
    pub fn counter(&self, name: &str) -> Option<u64> {
        match self.0.get(name)? {
            DebugValue::Counter(value) => Some(*value),
            _ => None,
        }
    }

    /// The gauge of this name, if there is one.
    #[must_use]
    pub fn gauge(&self, name: &str) -> Option<f64> {
        match self.0.get(name)? {
            DebugValue::Gauge(value) => Some(value.into_inner()),
            _ => None,
        }
    }

    /// The values of a histogram, in their order.
    #[must_use]
    pub fn histogram(&self, name: &str) -> Vec<f64> {
        match self.0.get(name) {
            Some(DebugValue::Histogram(values)) => {
                values.iter().map(|value| value.into_inner()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Counters that begin with this and are not 0, with what follows it.
    #[must_use]
    pub fn counted(&self, prefix: &str) -> Vec<(&str, u64)> {
        let mut counted = Vec::new();
        for (name, value) in &self.0 {
            match (name.strip_prefix(prefix), value) {
                (Some(rest), DebugValue::Counter(count)) if *count > 0 => {
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

    /// How many series there are.
    #[must_use]
    pub fn series(&self) -> usize {
        self.0.len()
    }

    /// How many series begin with this.
    #[must_use]
    pub fn series_of(&self, prefix: &str) -> usize {
        self.0.keys().filter(|name| name.starts_with(prefix)).count()
    }
}
