//! Which numbers of a breaker can be overridden while it runs, and by what.

use std::sync::PoisonError;

use super::changes::Untold;
use super::word::Kind;
use super::{Breaker, BreakerSettings};
use crate::control::{Fault, Value};
#[cfg(test)]
use crate::names;
use crate::names::{Told, values};
use crate::{ConfigError, Moment, clock, diagnostics::nearest};

/// By the names of the builders, and the state. Slow calls have two numbers and one builder, so the time
/// from which they are slow has a name of its own.
pub(crate) const KEYS: &[&str] = &[
    "consecutive",
    "consecutive_timeouts",
    "failure_rate",
    "slow_calls",
    "slow_calls_over",
    "window",
    "min_calls",
    "open_for",
    "growth",
    "max_open",
    "jitter",
    "probes",
    "probe_timeout",
    STATE,
];

const STATE: &str = "state";
const MOST: u32 = u32::MAX;

/// Whether a value is one that some breaker could have for this key.
///
/// # Errors
///
/// What it must be instead.
pub(crate) fn check_value(key: &str, value: &Value) -> Result<(), Fault> {
    match key {
        "consecutive" | "consecutive_timeouts" | "min_calls" | "probes" => {
            values::count(value, 1, MOST).map(drop)
        }
        "failure_rate" | "slow_calls" => values::share(value).map(drop),
        "growth" => growth(value).map(drop),
        "jitter" => jitter(value).map(drop),
        "slow_calls_over" | "window" | "open_for" | "max_open" | "probe_timeout" => {
            values::time(value).map(drop)
        }
        STATE => state(value).map(drop),
        _ => Err(Fault::UnknownKey {
            nearest: nearest(key, KEYS.iter().copied()).map(str::to_owned),
            allowed: KEYS.to_vec(),
        }),
    }
}

fn growth(value: &Value) -> Result<f64, Fault> {
    values::number(value, |factor| factor >= 1.0, "a finite number of at least 1")
}

fn jitter(value: &Value) -> Result<f64, Fault> {
    values::number(value, |share| (0.0..=1.0).contains(&share), "a number from 0 to 1")
}

/// Half-open is what comes of time, and cannot be asked for.
fn state(value: &Value) -> Result<Kind, Fault> {
    match value {
        Value::Text(text) if text == "open" => Ok(Kind::Open),
        Value::Text(text) if text == "closed" => Ok(Kind::Closed),
        Value::Text(text) if text == "isolated" => Ok(Kind::Isolated),
        _ => Err(values::wanted("one of \"open\", \"closed\", \"isolated\"")),
    }
}

fn told_state(told: &Told) -> Option<Kind> {
    let (_, value) = told.iter().find(|(key, _)| *key == STATE)?;
    state(value).ok()
}

impl Breaker {
    /// The numbers that this breaker has: those of its rules, and of what follows. And its state.
    pub(crate) fn number_keys(&self) -> Vec<&'static str> {
        KEYS.iter().copied().filter(|key| self.missing(key).is_none()).collect()
    }

    /// Which rule it would need for this number.
    fn missing(&self, key: &str) -> Option<&'static str> {
        let has = match key {
            "consecutive" => self.settings.consecutive.is_some(),
            "consecutive_timeouts" => self.settings.consecutive_timeouts.is_some(),
            "failure_rate" => self.settings.failure_rate.is_some(),
            "slow_calls" | "slow_calls_over" => self.settings.slow_calls.is_some(),
            "min_calls" => self.settings.measures_rates(),
            _ => true,
        };
        let rule = match key {
            "consecutive" => "`consecutive`",
            "consecutive_timeouts" => "`consecutive_timeouts`",
            "failure_rate" => "`failure_rate`",
            "min_calls" => "`failure_rate` or `slow_calls`",
            _ => "`slow_calls`",
        };
        (!has).then_some(rule)
    }

    /// Whether this breaker can go by all of these.
    ///
    /// # Errors
    ///
    /// The first key that it cannot, and why.
    pub(crate) fn check_numbers<'a>(
        &self,
        told: impl IntoIterator<Item = (&'a str, &'a Value)>,
    ) -> Result<(), (&'a str, Fault)> {
        let mut settings = self.settings;
        let mut time = None;
        for (key, value) in told {
            self.set_number(&mut settings, key, value).map_err(|fault| (key, fault))?;
            if matches!(key, "open_for" | "max_open") {
                time = Some(key);
            }
        }
        match (time, open_times(&settings)) {
            (Some(key), Err(fault)) => Err((key, Fault::Value(fault.to_string()))),
            _ => Ok(()),
        }
    }

    /// Whether this breaker can go by this number.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    #[cfg(test)]
    pub(crate) fn check_number(&self, key: &str, value: &Value) -> Result<(), Fault> {
        self.check_numbers([(key, value)]).map_err(|(_, fault)| fault)
    }

    /// Has all that answer to this breaker's name, and those that will, go by these numbers, and by what
    /// was declared otherwise. What one of them does not have it leaves out.
    ///
    /// A `state` is entered once, when it is said first or said anew: `open` for the open time, `isolated`
    /// until it is no longer said.
    ///
    /// What that changes about states is to be [told](Untold::tell) when no lock is held any more.
    #[cfg(test)]
    #[must_use = "somebody may want to know"]
    pub(crate) fn override_numbers(&self, told: &Told, now: Moment) -> Vec<Untold> {
        names::tell::<Self>(self.name(), told, false, now)
    }

    /// Has all that answer to this breaker's name go by what was declared. One that was isolated by an
    /// override is closed.
    #[cfg(test)]
    #[must_use = "somebody may want to know"]
    pub(crate) fn restore_numbers(&self, now: Moment) -> Vec<Untold> {
        self.override_numbers(&Told::new(), now)
    }

    /// What is in force for this very object, whatever isolated test asks.
    pub(super) fn settings_here(&self) -> BreakerSettings {
        let changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        changed.as_deref().map_or(self.settings, |changed| *changed)
    }

    /// This very object.
    pub(super) fn go_by(
        &'static self,
        told: &Told,
        before: Option<&Told>,
        now: Moment,
    ) -> Vec<Untold> {
        let mut next = self.settings;
        for (key, value) in told {
            // Breakers of one name can have different rules.
            let _left_out = self.set_number(&mut next, key, value);
        }
        if open_times(&next).is_err() {
            (next.open_for, next.max_open) = (self.settings.open_for, self.settings.max_open);
        }
        {
            let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
            *changed = (next != self.settings).then(|| Box::new(next));
            self.limits.change(&next, now, self.tally.newest(self.circuit.word()));
        }
        if let Some(before) = before {
            return self.enter(told_state(told), told_state(before), now);
        }
        // Nobody has used it under this name yet, so nothing changes.
        let _nothing_new_under_the_name = match told_state(told) {
            Some(Kind::Isolated) => self.isolate_here(),
            // For the whole open time, which begins now and not when the override was said.
            Some(Kind::Open) => self.open_here(clock::now()),
            _ => None,
        };
        Vec::new()
    }

    fn enter(&'static self, state: Option<Kind>, before: Option<Kind>, now: Moment) -> Vec<Untold> {
        if state == before {
            return Vec::new();
        }
        // By the override that is gone; who closed it by hand meanwhile meant it.
        let is_left = self.circuit.word().kind() == Kind::Isolated;
        let closed =
            if before == Some(Kind::Isolated) && is_left { self.close_here() } else { None };
        let change = match state {
            Some(Kind::Isolated) => self.isolate_here(),
            Some(Kind::Closed) => self.close_here(),
            Some(Kind::Open) => self.open_here(now),
            _ => None,
        };
        let changes = [closed, change].into_iter().flatten();
        changes.map(|change| Untold { breaker: self, change, now }).collect()
    }

    fn set_number(
        &self,
        settings: &mut BreakerSettings,
        key: &str,
        value: &Value,
    ) -> Result<(), Fault> {
        check_value(key, value)?;
        if let Some(rule) = self.missing(key) {
            let has: Vec<_> = self.number_keys().iter().map(|key| format!("`{key}`")).collect();
            return Err(Fault::Value(format!(
                "the breaker has no {rule} rule: declare one; it has {}",
                has.join(", ")
            )));
        }
        let (share, longer_than) = settings.slow_calls.unwrap_or_default();
        match key {
            "consecutive" => settings.consecutive = Some(values::count(value, 1, MOST)?),
            "consecutive_timeouts" => {
                settings.consecutive_timeouts = Some(values::count(value, 1, MOST)?);
            }
            "failure_rate" => settings.failure_rate = Some(values::share(value)?),
            "slow_calls" => settings.slow_calls = Some((values::share(value)?, longer_than)),
            "slow_calls_over" => settings.slow_calls = Some((share, values::time(value)?)),
            "window" => settings.window = values::time(value)?,
            "min_calls" => settings.min_calls = values::count(value, 1, MOST)?,
            "open_for" => settings.open_for = values::time(value)?,
            "growth" => settings.growth = growth(value)?,
            "max_open" => settings.max_open = Some(values::time(value)?),
            "jitter" => settings.jitter = jitter(value)?,
            "probes" => settings.probes = values::count(value, 1, MOST)?,
            "probe_timeout" => settings.probe_timeout = Some(values::time(value)?),
            _ => {}
        }
        Ok(())
    }
}

/// Only known once both are.
pub(super) const fn open_times(settings: &BreakerSettings) -> Result<(), ConfigError> {
    let open_for = settings.open_for;
    match settings.max_open {
        Some(max_open) if max_open.as_nanos() < open_for.as_nanos() => {
            Err(ConfigError::OpenAboveMax { open_for, max_open })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "overrides/tests.rs"]
mod tests;
