//! The document's fields, in their order.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::measured::MeasuredJson;
use crate::summary::{Unit, Value};

#[derive(Serialize)]
pub(super) struct Document<'a> {
    pub(super) version: u32,
    pub(super) complete: bool,
    pub(super) scenarios: Vec<ScenarioJson<'a>>,
}

#[derive(Serialize)]
pub(super) struct ScenarioJson<'a> {
    pub(super) name: &'a str,
    pub(super) title: &'a str,
    pub(super) about: &'a str,
    pub(super) complete: bool,
    pub(super) duration_s: f64,
    pub(super) window_s: [f64; 2],
    pub(super) trigger_s: Option<[f64; 2]>,
    pub(super) watched_tier: Option<&'a str>,
    pub(super) first_policy: &'a str,
    pub(super) policies: Vec<PolicyJson<'a>>,
    pub(super) failures: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) measured: Option<MeasuredJson<'a>>,
}

#[derive(Serialize)]
pub(super) struct PolicyJson<'a> {
    pub(super) name: &'a str,
    pub(super) seeds: &'a [u64],
    pub(super) figures: Figures<FigureJson>,
    pub(super) tiers: Vec<TierRowJson<'a>>,
    pub(super) stops: BTreeMap<&'a str, SpreadJson>,
    pub(super) notes: Vec<NoteJson<'a>>,
    pub(super) outcomes: Vec<OutcomeJson<'a>>,
}

#[derive(Serialize)]
pub(super) struct FigureJson {
    pub(super) value: SpreadJson,
    pub(super) ratio: Option<SpreadJson>,
}

#[derive(Serialize)]
pub(super) struct SpreadJson {
    pub(super) median: Number,
    pub(super) low: Number,
    pub(super) high: Number,
    pub(super) seeds: usize,
}

#[derive(Serialize)]
pub(super) struct TierRowJson<'a> {
    pub(super) name: &'a str,
    pub(super) attempts_per_call: SpreadJson,
    pub(super) utilisation_percent: SpreadJson,
    pub(super) wasted_percent: SpreadJson,
    pub(super) granted_retries: SpreadJson,
    pub(super) refused_retries: SpreadJson,
}

#[derive(Serialize)]
pub(super) struct NoteJson<'a> {
    pub(super) text: &'a str,
    pub(super) seeds: &'a [u64],
}

#[derive(Serialize)]
pub(super) struct OutcomeJson<'a> {
    pub(super) seed: u64,
    pub(super) figures: Figures<Number>,
    pub(super) tiers: Vec<TierJson<'a>>,
    pub(super) stops: &'a BTreeMap<&'static str, u64>,
    pub(super) notes: &'a [String],
    pub(super) events: u64,
    pub(super) most_concurrent: u64,
    pub(super) latency_ms: LatencyJson,
    pub(super) series: SeriesJson<'a>,
}

#[derive(Serialize)]
pub(super) struct TierJson<'a> {
    pub(super) name: &'a str,
    pub(super) calls: u64,
    pub(super) attempts: u64,
    pub(super) arrived: u64,
    pub(super) served: u64,
    pub(super) wasted: u64,
    pub(super) utilisation_percent: Number,
    pub(super) granted_retries: u64,
    pub(super) refused_retries: u64,
}

#[derive(Serialize)]
pub(super) struct LatencyJson {
    pub(super) succeeded: Figures<Number>,
    pub(super) all: Figures<Number>,
}

#[derive(Serialize)]
pub(super) struct SeriesJson<'a> {
    pub(super) step_s: f64,
    pub(super) calls: &'a [u32],
    pub(super) succeeded: &'a [u32],
    pub(super) attempts: &'a [u32],
    pub(super) retries: &'a [u32],
    pub(super) offered: &'a [u32],
    pub(super) served: &'a [u32],
    pub(super) budget_step_s: f64,
    pub(super) budget: Vec<Number>,
    pub(super) inner_budgets: Vec<Vec<Number>>,
}

/// One entry for each measure, in their order.
pub(super) struct Figures<T>(pub(super) Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Figures<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A rounded number, `null`, or a word.
pub(super) struct Number(pub(super) Option<f64>, pub(super) Option<&'static str>);

impl Number {
    pub(super) fn of(value: Value, unit: Unit) -> Self {
        match value {
            Value::Number(number) => Self(Some(unit.shown(number)), None),
            Value::Never => Self(None, Some("never")),
            Value::Undefined => Self(None, None),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self(Some(number), _) => whole_or_not(*number, serializer),
            Self(None, Some(word)) => serializer.serialize_str(word),
            Self(None, None) => serializer.serialize_none(),
        }
    }
}

/// `4700` rather than `4700.0`.
fn whole_or_not<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole, and below 2^53")]
    if number.fract() == 0.0 && number.abs() < EXACT {
        serializer.serialize_i64(number as i64)
    } else {
        serializer.serialize_f64(number)
    }
}
