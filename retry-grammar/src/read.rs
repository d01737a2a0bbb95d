//! From entries to settings: each key takes its own kind of value.

mod kinds;

use proc_macro2::{Ident, TokenStream};
use syn::{Error, Expr, Result};

use super::args::{Entry, Syntax};
use super::keys::Key;
use super::model::{Inner, Nested, Quantile, Setting, Settings};
use super::value;
use crate::diagnostics::Errors;

/// All settings that make sense by themselves, and the keys that were given at all: a check across
/// settings does not complain of a missing one whose value was refused already.
pub(super) fn read(entries: &[Entry], errors: &mut Errors) -> (Settings, Vec<Key>) {
    let mut settings = Settings::default();
    let mut given = Vec::new();
    for (position, entry) in entries.iter().enumerate() {
        let Some(key) = Key::from_ident(&entry.key) else {
            errors.push(&entry.key, Key::unknown(&entry.key));
            continue;
        };
        if given.contains(&key) {
            errors.push(&entry.key, format!("`{key}` is given twice: keep one of the two"));
            continue;
        }
        given.push(key);
        if let Err(error) = settings.set(key, &Source { key, entry, position }) {
            errors.add(error);
        }
    }
    (settings, given)
}

struct Source<'a> {
    key: Key,
    entry: &'a Entry,
    position: usize,
}

impl Source<'_> {
    /// The expression after `=`.
    fn value(&self) -> Result<&Expr> {
        let (key, example) = (self.key, self.key.example());
        match &self.entry.syntax {
            Syntax::Value(value) => Ok(value),
            Syntax::Flag => Err(Error::new(
                self.entry.key.span(),
                format!("`{key}` needs a value, write `{example}`"),
            )),
            Syntax::List(_) => Err(Error::new_spanned(
                self.entry.value_tokens(),
                format!("`{key}` is written with `=`: `{example}`"),
            )),
        }
    }

    fn flag(&self) -> Result<()> {
        match &self.entry.syntax {
            Syntax::Flag => Ok(()),
            Syntax::Value(_) | Syntax::List(_) => Err(Error::new_spanned(
                self.entry.value_tokens(),
                format!("`{}` takes no value: write the word alone, or leave it out", self.key),
            )),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "the slots that it fills are optional")]
    fn setting<T>(&self, value: T) -> Option<Setting<T>> {
        let key: Ident = self.entry.key.clone();
        let tokens: TokenStream = self.entry.value_tokens();
        Some(Setting { key, value, tokens, position: self.position })
    }
}

impl Settings {
    fn set(&mut self, key: Key, source: &Source<'_>) -> Result<()> {
        let duration = || source.value().and_then(|value| value::duration(key, value));
        let callable = || source.value().and_then(|value| value::callable(key, value));
        match key {
            Key::Attempts => {
                self.attempts = source.setting(value::attempts(source.value()?)?);
            }
            Key::Backoff => self.backoff = source.setting(kinds::backoff(source.value()?)?),
            Key::Adaptive => {
                self.adaptive = source.setting(value::const_path(
                    key,
                    source.value()?,
                    "the path of a const or static `Adaptive`",
                )?);
            }
            Key::Base => self.base = source.setting(duration()?),
            Key::Max => self.max = source.setting(duration()?),
            Key::Factor => self.factor = source.setting(value::factor(source.value()?)?),
            Key::Budget => self.budget = source.setting(kinds::budget(source.value()?)?),
            Key::BudgetKey => {
                self.budget_key = source.setting(kinds::budget_key(source.value()?)?);
            }
            Key::Shed => self.shed = source.setting(source.flag()?),
            Key::Breaker => self.breaker = source.setting(kinds::breaker(source.value()?)?),
            Key::Deadline => self.deadline = source.setting(kinds::deadline(source.value()?)?),
            Key::AttemptTimeout => self.attempt_timeout = source.setting(duration()?),
            Key::LastAttemptUntimed => {
                self.last_attempt_untimed = source.setting(source.flag()?);
            }
            Key::CutError => self.cut_error = source.setting(callable()?),
            Key::Uncut => self.uncut = source.setting(source.flag()?),
            Key::MinRemaining => self.min_remaining = source.setting(duration()?),
            Key::TimePerAttempt => self.time_per_attempt = source.setting(duration()?),
            Key::Expect => {
                self.expect = source.setting(value::choice(key, source.value()?, Quantile::ALL)?);
            }
            Key::MaxRetryAfter => self.max_retry_after = source.setting(duration()?),
            Key::Idempotent => self.idempotent = source.setting(kinds::idempotent(source)?),
            Key::IdempotencyKey => {
                self.idempotency_key = source.setting(kinds::idempotency_key(source.value()?)?);
            }
            Key::Classify => self.classify = source.setting(callable()?),
            Key::ClassifyResult => self.classify_result = source.setting(callable()?),
            Key::Hedge => self.hedge = source.setting(kinds::hedge(source.value()?)?),
            Key::HedgeMax => self.hedge_max = source.setting(value::hedge_max(source.value()?)?),
            Key::Nested => {
                self.nested = source.setting(value::choice(key, source.value()?, Nested::ALL)?);
            }
            Key::Inner => {
                self.inner = source.setting(value::choice(key, source.value()?, Inner::ALL)?);
            }
            Key::Clone => self.clone = source.setting(kinds::clone(source)?),
            Key::OnRetry => self.on_retry = source.setting(callable()?),
            Key::Policy => self.policy = source.setting(kinds::policy(source.value()?)?),
            Key::Name => self.name = source.setting(value::text(key, source.value()?)?),
            Key::Blocking => self.blocking = source.setting(source.flag()?),
            Key::Crate => self.krate = source.setting(kinds::krate(source.value()?)?),
        }
        Ok(())
    }
}
