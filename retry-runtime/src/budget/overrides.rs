//! Which numbers of a budget can be overridden while it runs, and by what.

use super::build::{RETRY, units_of};
use super::numbers::Numbers;
use super::price::KINDS_IN_ORDER;
use super::window::WHOLE;
use super::{Budget, UNITS_OF_FAILURE};
use crate::control::{Fault, Value};
#[cfg(test)]
use crate::names;
use crate::names::{Told, values};
use crate::{ConfigError, Moment};

/// All that any kind of budget has, by the names of their builders. A floor has two numbers and one
/// builder, so its second has a name of its own.
pub(crate) const KEYS: &[&str] = &[
    "burst",
    "ratio",
    "window",
    "min_samples",
    "capacity",
    "reward",
    "max_tokens",
    "token_ratio",
    "reserve",
    "min_concurrency",
    "per_call",
    "floor",
    "floor_silence",
    "shed",
];

const MOST: u32 = u32::MAX;

/// Whether a value is one that some budget could have for this key.
///
/// # Errors
///
/// What it must be instead.
pub(crate) fn check_value(key: &str, value: &Value) -> Result<(), Fault> {
    match key {
        "burst" | "capacity" | "floor" => values::count(value, 1, MOST).map(drop),
        "max_tokens" => values::count(value, 1, 1_000).map(drop),
        "reward" | "min_samples" | "reserve" | "min_concurrency" => {
            values::count(value, 0, MOST).map(drop)
        }
        "ratio" => ratio(value).map(drop),
        "token_ratio" => token_ratio(value).map(drop),
        "per_call" => values::share(value).map(drop),
        "shed" => multiplier(value).map(drop),
        "window" | "floor_silence" => values::time(value).map(drop),
        _ => Err(Fault::UnknownKey {
            nearest: crate::diagnostics::nearest(key, KEYS.iter().copied()).map(str::to_owned),
            allowed: KEYS.to_vec(),
        }),
    }
}

fn ratio(value: &Value) -> Result<f64, Fault> {
    values::number(value, |ratio| ratio >= 0.0, "a finite number of at least 0")
}

fn token_ratio(value: &Value) -> Result<f64, Fault> {
    values::number(value, |ratio| ratio >= 0.001, "a finite number of at least 0.001")
}

fn multiplier(value: &Value) -> Result<f64, Fault> {
    let allowed = |multiplier| (1.0..=1_000.0).contains(&multiplier);
    values::number(value, allowed, "a number from 1 to 1000")
}

impl Budget {
    /// The numbers that this budget has.
    pub(crate) fn number_keys(&self) -> Vec<&'static str> {
        KEYS.iter().copied().filter(|key| self.has_number(key)).collect()
    }

    fn has_number(&self, key: &str) -> bool {
        let bucket = self.is_bucket();
        let deposits = self.window.as_ref().map(super::Window::is_of_deposits);
        match key {
            "burst" => bucket && !self.counted_in_tokens,
            "ratio" => !self.options.half_full && !self.counted_in_tokens,
            "capacity" | "reward" => bucket && self.counted_in_tokens,
            "max_tokens" | "token_ratio" => self.options.half_full,
            "window" => deposits.is_some(),
            "min_samples" => deposits == Some(false),
            "reserve" => deposits == Some(true),
            "min_concurrency" => self.options.flight.is_some(),
            "per_call" => true,
            "floor" | "floor_silence" => self.options.floor.is_some(),
            "shed" => self.options.shedding.get().is_some(),
            _ => false,
        }
    }

    /// Whether this budget can go by all of these.
    ///
    /// # Errors
    ///
    /// The first key that it cannot, and why.
    pub(crate) fn check_numbers<'a>(
        &self,
        told: impl IntoIterator<Item = (&'a str, &'a Value)>,
    ) -> Result<(), (&'a str, Fault)> {
        let mut numbers = self.declared_numbers();
        told.into_iter().try_for_each(|(key, value)| {
            self.set_number(&mut numbers, key, value).map_err(|fault| (key, fault))
        })
    }

    /// Whether this budget can go by this number.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    #[cfg(test)]
    pub(crate) fn check_number(&self, key: &str, value: &Value) -> Result<(), Fault> {
        self.check_numbers([(key, value)]).map_err(|(_, fault)| fault)
    }

    /// Has all that answer to this budget's name, and those that will, go by these numbers, and by what was
    /// declared otherwise. What one of them does not have it leaves out.
    #[cfg(test)]
    pub(crate) fn override_numbers(&self, told: &Told, now: Moment) {
        let _nothing = names::tell::<Self>(self.name(), told, false, now);
    }

    /// Has all that answer to this budget's name go by what was declared.
    #[cfg(test)]
    pub(crate) fn restore_numbers(&self, now: Moment) {
        self.override_numbers(&Told::new(), now);
    }

    /// This very object and the buckets of its keys.
    pub(super) fn go_by(&'static self, told: &Told, now: Moment) {
        let change = |mut numbers| {
            for (key, value) in told {
                // Budgets of one name can be of different kinds.
                let _left_out = self.set_number(&mut numbers, key, value);
            }
            numbers
        };
        self.change_numbers(change, now);
        // A key's bucket that is made from here on has the new numbers.
        self.each_key(|bucket| bucket.follow(self, now));
    }

    /// Has the bucket of a key go by the numbers of its budget.
    pub(super) fn follow(&'static self, budget: &Self, now: Moment) {
        let numbers = budget.numbers();
        // First attempts are shed by the budget alone.
        self.change_numbers(|declared| Numbers { shed: declared.shed, ..numbers }, now);
    }

    fn set_number(&self, numbers: &mut Numbers, key: &str, value: &Value) -> Result<(), Fault> {
        check_value(key, value)?;
        if !self.has_number(key) {
            return Err(self.missing(key));
        }
        match key {
            "burst" => {
                let retries = values::count(value, self.dearest(RETRY), MOST)?;
                numbers.capacity = u64::from(retries) * RETRY;
            }
            "capacity" => {
                numbers.capacity = values::count(value, self.dearest(1), MOST)?.into();
            }
            "max_tokens" => {
                numbers.capacity = u64::from(values::count(value, 1, 1_000)?) * UNITS_OF_FAILURE;
            }
            "reward" => numbers.earned = values::count(value, 0, MOST)?.into(),
            "token_ratio" => numbers.earned = thousandths(token_ratio(value)?),
            "ratio" => self.set_ratio(numbers, value)?,
            "window" => numbers.length = values::time(value)?,
            "min_samples" => numbers.min_samples = values::count(value, 0, MOST)?,
            "reserve" => numbers.reserve = values::count(value, 0, MOST)?,
            "min_concurrency" => numbers.min_concurrency = values::count(value, 0, MOST)?,
            "per_call" => numbers.per_call = values::share(value)?,
            "floor" => numbers.floor = values::count(value, 1, MOST)?,
            "floor_silence" => numbers.floor_silence = values::time(value)?,
            "shed" => {
                // Rounded as its builder rounds.
                let units = thousandths(multiplier(value)? + 0.000_5);
                numbers.shed = u32::try_from(units).unwrap_or(MOST);
            }
            _ => {}
        }
        Ok(())
    }

    fn set_ratio(&self, numbers: &mut Numbers, value: &Value) -> Result<(), Fault> {
        let ratio = ratio(value)?;
        let units = units_of(ratio);
        let of_attempts = self.window.as_ref().is_some_and(|window| !window.is_of_deposits());
        if (of_attempts && units >= WHOLE) || (self.options.flight.is_some() && units > WHOLE) {
            return Err(Fault::Value(ConfigError::Share(ratio).to_string()));
        }
        if self.window.is_some() || self.options.flight.is_some() {
            numbers.share = units;
        } else {
            numbers.earned = units;
        }
        Ok(())
    }

    /// What the dearest retry costs, in wholes of so many units; a bucket that cannot hold it never
    /// grants it.
    fn dearest(&self, whole: u64) -> u32 {
        let costs = KINDS_IN_ORDER.iter().filter_map(|kind| self.options.costs.of(*kind));
        let most = costs.fold(self.bucket.retry(), u64::max).div_ceil(whole);
        u32::try_from(most).unwrap_or(MOST)
    }

    fn missing(&self, key: &str) -> Fault {
        let has: Vec<_> = self.number_keys().iter().map(|key| format!("`{key}`")).collect();
        let why = match key {
            "floor" | "floor_silence" => "it has no `floor`: declare one",
            "shed" => "it has no `shed`: declare one",
            _ => "it is not a number of this kind of budget",
        };
        Fault::Value(format!("{why}; this one has {}", has.join(", ")))
    }
}

/// What floats lack to the decimal that was written is far less than the millionth.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive, and what is too large saturates, above every capacity"
)]
fn thousandths(number: f64) -> u64 {
    (number * 1e3 + 1e-6) as u64
}

#[cfg(test)]
#[path = "overrides/tests.rs"]
mod tests;
