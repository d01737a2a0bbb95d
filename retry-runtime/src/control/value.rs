//! What a key is set to.

use std::{fmt, time::Duration};

use super::duration;

/// What a key is set to.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::Value;
/// use std::time::Duration;
///
/// assert_eq!(Value::from(2), Value::Integer(2));
/// assert_eq!(Value::from("50ms"), Value::Text("50ms".to_owned()));
/// assert!(matches!(Value::from(Duration::from_millis(50)), Value::Text(_)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// Any number.
    Float(f64),
    /// Yes or no.
    Bool(bool),
    /// A word, or a duration such as `"50ms"`.
    Text(String),
    /// Several words.
    List(Vec<String>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number:?}"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(words) => write!(f, "{words:?}"),
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Duration> for Value {
    fn from(time: Duration) -> Self {
        Self::Text(duration::write(time))
    }
}

impl From<Vec<String>> for Value {
    fn from(words: Vec<String>) -> Self {
        Self::List(words)
    }
}

impl<const N: usize> From<[&str; N]> for Value {
    fn from(words: [&str; N]) -> Self {
        Self::List(words.map(str::to_owned).into())
    }
}
