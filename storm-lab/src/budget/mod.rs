//! A budget as a command line or a table says it. (The reader comes with its own branch.)

use retry_runtime::Budget;

/// A budget that can be made anew.
#[derive(Clone, Debug)]
pub struct BudgetSpec(fn(String) -> Budget);

/// What a table says for a key.
#[derive(Clone, Debug, PartialEq)]
pub enum PairValue {
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A word or a duration.
    Text(String),
}

/// What is wrong with a key or its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairError {
    /// Which.
    pub key: String,
    /// What is wanted.
    pub message: String,
}

impl BudgetSpec {
    /// One that this function makes.
    pub const fn made_by(make: fn(String) -> Budget) -> Self {
        Self(make)
    }

    /// Reads one from a table.
    ///
    /// # Errors
    ///
    /// All that is wrong.
    pub fn from_pairs<'a>(pairs: impl Iterator<Item = (&'a str, PairValue)>) -> Result<Self, Vec<PairError>> {
        let wrong: Vec<_> = pairs
            .filter(|(key, value)| *key == "ratio" && matches!(value, PairValue::Float(ratio) if *ratio < 0.0))
            .map(|(key, _)| PairError { key: key.to_owned(), message: "`ratio` is negative".to_owned() })
            .collect();
        if wrong.is_empty() { Ok(Self(|name| Budget::new(name.leak()))) } else { Err(wrong) }
    }

    /// A full one of this name.
    pub fn build(&self, name: String) -> Budget {
        (self.0)(name)
    }
}
