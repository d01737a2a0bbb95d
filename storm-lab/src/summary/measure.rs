//! What is measured of an outcome, under which names, in which units, and how it is rounded.

use super::Value;
use crate::{
    outcome::{Outcome, Recovery},
    scenario::{Scenario, Work},
};

/// A figure that each outcome has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Logical calls in the window.
    Calls,
    /// The most retries in any 10 ms, as a rate.
    Peak10Ms,
    /// The most retries in any second.
    Peak1S,
    /// The most retries in any millisecond.
    Peak1Ms,
    /// When the first retry began, from the start.
    FirstRetry,
    /// Attempts at the watched tier for each logical call.
    Amplification,
    /// The share of calls that succeeded.
    Success,
    /// The share of calls that failed.
    Failure,
    /// Half of the calls that succeeded took no longer.
    P50,
    /// 95 % of them took no longer.
    P95,
    /// 99 % of them took no longer.
    P99,
    /// The share of their time in which the workers of the watched tier's server served.
    Utilisation,
    /// From the trigger's end until the service was well again.
    Recovery,
    /// Retries that budgets have granted, at all tiers.
    Granted,
    /// Retries that budgets have refused, at all tiers.
    Refused,
}

/// What a number counts, and so how it is rounded and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How many.
    Count,
    /// Each second.
    PerSecond,
    /// For each logical call.
    PerCall,
    /// Of the whole: 1 is written as 100 %.
    Share,
    /// Milliseconds.
    Millis,
    /// Seconds.
    Seconds,
    /// Memory, in MiB.
    Mib,
    /// One figure divided by another.
    Ratio,
}

impl Measure {
    /// All of them, in the order in which they are declared.
    pub const ALL: [Self; 15] = [
        Self::Calls,
        Self::Peak10Ms,
        Self::Peak1S,
        Self::Peak1Ms,
        Self::FirstRetry,
        Self::Amplification,
        Self::Success,
        Self::Failure,
        Self::P50,
        Self::P95,
        Self::P99,
        Self::Utilisation,
        Self::Recovery,
        Self::Granted,
        Self::Refused,
    ];

    /// Its name in JSON and CSV, with its unit.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Peak10Ms => "peak_10ms_retries_per_s",
            Self::Peak1S => "peak_1s_retries_per_s",
            Self::Peak1Ms => "peak_1ms_retries",
            Self::FirstRetry => "first_retry_s",
            Self::Amplification => "amplification",
            Self::Success => "success_percent",
            Self::Failure => "failure_percent",
            Self::P50 => "p50_ms",
            Self::P95 => "p95_ms",
            Self::P99 => "p99_ms",
            Self::Utilisation => "utilisation_percent",
            Self::Recovery => "recovery_s",
            Self::Granted => "granted_retries",
            Self::Refused => "refused_retries",
        }
    }

    /// In which unit.
    pub const fn unit(self) -> Unit {
        match self {
            Self::Calls | Self::Peak1Ms | Self::Granted | Self::Refused => Unit::Count,
            Self::Peak10Ms | Self::Peak1S => Unit::PerSecond,
            Self::Amplification => Unit::PerCall,
            Self::Success | Self::Failure | Self::Utilisation => Unit::Share,
            Self::P50 | Self::P95 | Self::P99 => Unit::Millis,
            Self::FirstRetry | Self::Recovery => Unit::Seconds,
        }
    }

    /// What it is in this outcome; shares from 0 to 1, not rounded.
    pub fn of(self, scenario: &Scenario, outcome: &Outcome) -> Value {
        let quantile = |quantile| match outcome.latency.len() {
            0 => Value::Undefined,
            _ => Value::number(outcome.percentile(quantile)),
        };
        let sum = |count: fn(&crate::outcome::TierOutcome) -> u64| {
            Value::count(outcome.tiers.iter().map(count).fold(0, u64::saturating_add))
        };
        match self {
            Self::Calls => Value::count(outcome.calls),
            Self::Peak10Ms => Value::number(outcome.peak_10ms()),
            Self::Peak1S => Value::number(outcome.peak_1s()),
            Self::Peak1Ms => {
                outcome.peak_1ms.map_or(Value::Undefined, |most| Value::count(most.into()))
            }
            Self::FirstRetry => outcome
                .first_retry
                .map_or(Value::Undefined, |time| Value::number(time.as_secs_f64())),
            Self::Amplification => outcome
                .watched()
                .map_or(Value::Undefined, |tier| Value::share(tier.attempts, outcome.calls)),
            Self::Success => Value::share(outcome.succeeded, outcome.calls),
            Self::Failure => {
                Value::share(outcome.calls.saturating_sub(outcome.succeeded), outcome.calls)
            }
            Self::P50 => quantile(0.5),
            Self::P95 => quantile(0.95),
            Self::P99 => quantile(0.99),
            Self::Utilisation => match outcome.watched() {
                Some(tier) if has_server(scenario, outcome.watch) => {
                    Value::number(tier.utilisation)
                }
                _ => Value::Undefined,
            },
            Self::Recovery => match outcome.recovery {
                Recovery::NoTrigger => Value::Undefined,
                Recovery::After(time) => Value::number(time.as_secs_f64()),
                Recovery::Never => Value::Never,
            },
            Self::Granted => sum(|tier| tier.granted),
            Self::Refused => sum(|tier| tier.refused),
        }
    }
}

/// Whether the tier at this place has workers that can be busy.
pub(super) fn has_server(scenario: &Scenario, tier: usize) -> bool {
    match &scenario.work {
        Work::Services(topology) => {
            topology.tiers.get(tier).is_some_and(|tier| tier.server.is_some())
        }
        Work::Row(_) => false,
    }
}

impl Unit {
    /// How many digits after the point are written. The one place where this is decided, for all outputs.
    pub const fn decimals(self) -> usize {
        match self {
            Self::Count | Self::PerSecond => 0,
            Self::Millis | Self::Seconds | Self::Mib => 1,
            Self::Share => 2,
            Self::PerCall | Self::Ratio => 3,
        }
    }

    /// The number as it is written, in tables as in files: shares as percentages, all rounded.
    pub fn shown(self, number: f64) -> f64 {
        let scaled = if self == Self::Share { number * 100.0 } else { number };
        let by = [1.0, 10.0, 100.0, 1_000.0][self.decimals()];
        let rounded = (scaled * by).round() / by;
        if rounded.is_finite() { rounded } else { scaled }
    }

    /// The number with all its digits and commas between thousands.
    pub fn text(self, number: f64) -> String {
        let plain = format!("{:.*}", self.decimals(), self.shown(number));
        let whole = plain.find('.').unwrap_or(plain.len());
        let mut text = String::with_capacity(plain.len() + whole / 3);
        for (at, digit) in plain.char_indices() {
            if at > 0 && at < whole && (whole - at) % 3 == 0 && !text.ends_with('-') {
                text.push(',');
            }
            text.push(digit);
        }
        text
    }
}
