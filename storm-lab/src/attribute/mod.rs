//! A policy as the attribute says it. (The reader comes with its own branch.)

use std::{ops::Range, time::Duration};

use retry_grammar::{model, model::Setting, text};
use retry_runtime::{Backoff, Policy};

/// A policy as the attribute says it, in production's own types.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// As it was written.
    pub text: String,
    /// What decides.
    pub policy: Policy,
    /// What pays.
    pub budget: Payer,
    /// What is asked before each attempt, by its name.
    pub breaker: Option<String>,
    /// After how long an attempt is ended.
    pub attempt_timeout: Option<Duration>,
    /// For the whole call.
    pub deadline: Option<Duration>,
}

/// What pays for retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payer {
    /// A bucket of the function's own.
    Own,
    /// Nothing.
    None,
    /// The budget of this name.
    Named(String),
}

/// All that is wrong with a text.
#[derive(Clone, Debug)]
pub struct Mistakes(Vec<Mistake>);

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Mistake {
    range: Range<usize>,
    message: String,
}

impl Mistakes {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Mistake> {
        self.0.iter()
    }
}

impl Mistake {
    /// Where, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// What is wanted.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Reads a policy.
///
/// # Errors
///
/// All that is wrong.
pub fn read(text: &str) -> Result<Attribute, Mistakes> {
    let reading = text::read(text);
    if !reading.mistakes.is_empty() {
        let all = reading.mistakes.into_iter();
        return Err(Mistakes(all.map(|m| Mistake { range: m.range, message: m.message }).collect()));
    }
    let s = reading.settings;
    let mut policy = Policy::new();
    match s.attempts.as_ref().and_then(Setting::literal) {
        Some(model::Attempts::Count(count)) => policy = policy.attempts(*count),
        Some(model::Attempts::Unlimited) => policy = policy.unlimited(),
        None => {}
    }
    if let Some(Setting { value: model::Backoff::BuiltIn(strategy), .. }) = &s.backoff {
        policy = policy.backoff(match strategy {
            model::Strategy::FullJitter | model::Strategy::Adaptive => Backoff::FullJitter,
            model::Strategy::EqualJitter => Backoff::EqualJitter,
            model::Strategy::DecorrelatedJitter => Backoff::DecorrelatedJitter,
            model::Strategy::Exponential => Backoff::Exponential,
            model::Strategy::Linear => Backoff::Linear,
            model::Strategy::Fibonacci => Backoff::Fibonacci,
            model::Strategy::Fixed => Backoff::Fixed,
            model::Strategy::None => Backoff::None,
        });
    }
    let literal = |setting: &Option<Setting<model::Value<Duration>>>| {
        setting.as_ref().and_then(Setting::literal).copied()
    };
    policy = literal(&s.base).map_or(policy, |base| policy.base(base));
    policy = literal(&s.max).map_or(policy, |max| policy.max(max));
    policy = literal(&s.max_retry_after).map_or(policy, |hint| policy.max_retry_after(hint));
    if s.idempotent.is_some() {
        policy = policy.idempotent();
    }
    if s.nested.is_some_and(|nested| nested.value == model::Nested::Independent) {
        policy = policy.nested(retry_runtime::Nested::Independent);
    }
    if s.inner.is_some_and(|inner| inner.value == model::Inner::Allow) {
        policy = policy.inner(retry_runtime::Inner::Allow);
    }
    Ok(Attribute {
        text: text.to_owned(),
        policy,
        budget: match s.budget.map(|budget| budget.value) {
            Some(model::Budget::Off) => Payer::None,
            Some(model::Budget::Named(name)) => Payer::Named(name.value()),
            _ => Payer::Own,
        },
        breaker: None,
        attempt_timeout: literal(&s.attempt_timeout),
        deadline: None,
    })
}
