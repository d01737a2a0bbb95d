//! From a kind and its numbers to production's budget.

use std::collections::BTreeMap;
use std::time::Duration;

use retry_runtime::{Budget, ConfigError, Kind as Failure};

use super::keys::{Key, Value};
use super::kinds::Kind;

type Settings = BTreeMap<Key, Value>;

pub(super) fn budget(kind: Kind, settings: &Settings, name: &'static str) -> Budget {
    let count = |key, default| match settings.get(&key) {
        Some(Value::Count(count)) => *count,
        _ => default,
    };
    let budget = match kind {
        Kind::Bucket => Budget::new(name),
        Kind::Tokens => Budget::tokens(
            name,
            count(Key::Capacity, 100),
            count(Key::Cost, 10),
            count(Key::Reward, 1),
        ),
        Kind::Window => Budget::sliding_window(name),
        Kind::AwsStandard => Budget::aws_standard(name),
        Kind::AwsLegacy => Budget::aws_legacy(name),
        Kind::Grpc => {
            let ratio = match settings.get(&Key::TokenRatio) {
                Some(Value::Number(ratio)) => *ratio,
                _ => 0.1,
            };
            Budget::grpc_throttling(name, count(Key::MaxTokens, 10), ratio)
        }
        Kind::FinaglePerRequest => Budget::finagle_per_request(name),
        Kind::FinaglePerSuccess => Budget::finagle_per_success(name),
        Kind::Envoy => Budget::envoy(name),
        Kind::Sre => Budget::sre_throttling(name),
    };
    settings.iter().fold(budget, |budget, (key, value)| apply(budget, *key, *value, settings))
}

fn apply(budget: Budget, key: Key, value: Value, settings: &Settings) -> Budget {
    match (key, value) {
        (Key::Burst, Value::Count(retries)) => budget.burst(retries),
        (Key::Ratio, Value::Number(ratio)) => budget.ratio(ratio),
        (Key::Window, Value::Time(length)) => budget.window(length),
        (Key::MinSamples, Value::Count(attempts)) => budget.min_samples(attempts),
        (Key::Reserve, Value::Count(per_second)) => budget.reserve(per_second),
        (Key::MinConcurrency, Value::Count(retries)) => budget.min_concurrency(retries),
        (Key::Shed, Value::Number(multiplier)) => budget.shed(multiplier),
        (Key::PerCall, Value::Number(share)) => budget.per_call(share),
        (Key::Floor, Value::Count(per_second)) => match settings.get(&Key::FloorSilence) {
            Some(Value::Time(silence)) => budget.floor(per_second, *silence),
            _ => budget,
        },
        (Key::Refund, Value::Refund(refund)) => budget.refund(refund),
        (Key::CostOfTransient, Value::Count(cost)) => budget.cost_of(Failure::Transient, cost),
        (Key::CostOfThrottled, Value::Count(cost)) => budget.cost_of(Failure::Throttled, cost),
        (Key::CostOfTimeout, Value::Count(cost)) => budget.cost_of(Failure::Timeout, cost),
        (Key::CostOfConflict, Value::Count(cost)) => budget.cost_of(Failure::Conflict, cost),
        (Key::ObserveOnly, Value::Flag(true)) => budget.observe_only(),
        // The rest went into the constructor, or stands beside the key that it belongs to.
        _ => budget,
    }
}

/// Whether production takes this setting for this kind, whatever else is said.
pub(super) fn check_alone(kind: Kind, key: Key, value: Value) -> Result<(), ConfigError> {
    let foreign = match key {
        Key::Capacity | Key::Cost | Key::Reward => kind != Kind::Tokens,
        Key::MaxTokens | Key::TokenRatio => kind != Kind::Grpc,
        _ => false,
    };
    if foreign {
        return Err(ConfigError::NotThisBudget(key.name()));
    }
    let mut settings = Settings::new();
    // What it is measured against is large enough.
    if kind == Kind::Tokens {
        settings.insert(Key::Capacity, Value::Count(u32::MAX));
        settings.insert(Key::Cost, Value::Count(1));
    }
    if key.is_cost_of() && matches!(kind, Kind::Bucket | Kind::Sre) {
        settings.insert(Key::Burst, Value::Count(u32::MAX));
    }
    if key == Key::FloorSilence {
        settings.insert(Key::Floor, Value::Count(1));
    }
    if key == Key::Floor {
        settings.insert(Key::FloorSilence, Value::Time(Duration::from_secs(1)));
    }
    settings.insert(key, value);
    budget(kind, &settings, "budget").check()
}
