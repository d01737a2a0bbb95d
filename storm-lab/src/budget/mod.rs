//! A budget as a command line or a table says it.

mod build;
mod keys;
mod kinds;
mod names;
mod pairs;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use retry_runtime::Budget;

use keys::{Key, Value};
use kinds::Kind;
pub use pairs::{PairError, PairValue};

/// A budget that can be made anew: its kind and the numbers that were given, in production's own words.
///
/// | Key | Value | Of which kinds |
/// |---|---|---|
/// | `kind` | `bucket` (the default), `tokens`, `window`, `aws_standard`, `aws_legacy`, `grpc`, `finagle_per_request`, `finagle_per_success`, `envoy`, `sre` | |
/// | `burst` | retries, at least 1 | `bucket`, `sre` |
/// | `ratio` | number | `bucket`, `sre`, `window`, `finagle_…`, `envoy` |
/// | `window` | duration | `window`, `finagle_…` |
/// | `min_samples` | attempts | `window` |
/// | `capacity`, `cost`, `reward` | tokens; 100, 10 and 1 where nothing is said | `tokens` |
/// | `max_tokens`, `token_ratio` | tokens from 1 to 1,000, number; both are needed | `grpc` |
/// | `reserve` | retries a second | `finagle_…` |
/// | `min_concurrency` | retries | `envoy` |
/// | `shed` | number from 1 to 1,000 | all; asked through [`Budget::sheds`] |
/// | `per_call` | share above 0 and at most 1 | all |
/// | `floor`, `floor_silence` (or `silence`) | retries a second, duration; both are needed | all |
/// | `refund` | `nothing`, `last_cost` | buckets |
/// | `cost_of_transient`, `cost_of_throttled`, `cost_of_timeout`, `cost_of_conflict` | retries, or tokens where those are counted; at least 1 | all but `grpc` and `envoy` |
/// | `observe_only` | `true`, `false` | all |
///
/// What the numbers mean, and where they come from, is said at [`Budget`]'s methods of the same names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BudgetSpec {
    kind: Kind,
    settings: BTreeMap<Key, Value>,
}

impl BudgetSpec {
    /// Reads pairs with commas between them, as on a command line: `ratio=0.1,burst=10`. An empty text is the
    /// default bucket of [`Budget::new`].
    ///
    /// ```
    /// use storm_lab::budget::BudgetSpec;
    ///
    /// let spec = BudgetSpec::read("ratio=0.05,burst=20").unwrap();
    /// assert_eq!(spec.build("orders".into()).balance(), 20.0);
    /// assert_eq!(spec.to_string(), "burst=20,ratio=0.05");
    ///
    /// let errors = BudgetSpec::read("burst=0,window=60s").unwrap_err();
    /// assert_eq!(errors.len(), 2);
    /// ```
    ///
    /// # Errors
    ///
    /// All that is wrong, in the order of the text.
    pub fn read(text: &str) -> Result<Self, Vec<PairError>> {
        let (pairs, mut errors) = pairs::split(text);
        match Self::from_pairs(pairs) {
            Ok(spec) if errors.is_empty() => Ok(spec),
            Ok(_) => Err(errors),
            Err(more) => {
                errors.extend(more);
                Err(errors)
            }
        }
    }

    /// Takes the pairs of a table. What makes no sense is refused in production's own words.
    ///
    /// # Errors
    ///
    /// All that is wrong, each with the key as it was given.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, PairValue)>,
    ) -> Result<Self, Vec<PairError>> {
        pairs::read(pairs)
    }

    /// Whether it remembers what happened over some time, which takes more memory.
    pub(crate) const fn counts_over_time(&self) -> bool {
        matches!(
            self.kind,
            Kind::Window | Kind::FinaglePerRequest | Kind::FinaglePerSuccess | Kind::Sre
        )
    }

    /// A full budget of this name. An empty name makes one that production finds faulty.
    ///
    /// Most of production's budgets keep a name for as long as the program runs, so a name takes memory once, however
    /// many budgets are made of it. For very many of them [`Budget::fresh_copy`] of one does as well.
    pub fn build(&self, name: String) -> Budget {
        build::budget(self.kind, &self.settings, names::kept(name))
    }
}

/// The canonical text, which [`read`](BudgetSpec::read) takes back.
impl Display for BudgetSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if self.kind != Kind::Bucket || self.settings.is_empty() {
            write!(f, "kind={}", self.kind.name())?;
            separator = ",";
        }
        for (key, value) in &self.settings {
            write!(f, "{separator}{}={value}", key.name())?;
            separator = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
