//! Figures that may be undefined, or never come.

use std::cmp::Ordering;

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A finite one.
    Number(f64),
    /// A time that did not come; longer than all that did.
    Never,
    /// There is none: nothing happened of which it would be a figure, or it would be a division by zero.
    Undefined,
}

/// The median of several figures, and the least and the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The middle one; of an even number, the mean of the two in the middle, which is never if one of them is.
    pub median: Value,
    /// The least.
    pub low: Value,
    /// The greatest.
    pub high: Value,
    /// Of how many; undefined ones are left out.
    pub count: usize,
}

impl Value {
    /// This number; undefined if it is none.
    pub const fn number(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Undefined }
    }

    /// This number; undefined if it is not known.
    pub const fn known(number: Option<f64>) -> Self {
        match number {
            Some(number) => Self::number(number),
            None => Self::Undefined,
        }
    }

    /// So many KiB, in MiB.
    pub const fn mib(kib: Option<u64>) -> Self {
        match kib {
            Some(kib) => Self::share(kib, 1_024),
            None => Self::Undefined,
        }
    }

    /// So many.
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    pub const fn count(count: u64) -> Self {
        Self::Number(count as f64)
    }

    /// So much of the whole; undefined if there is no whole.
    pub const fn share(part: u64, whole: u64) -> Self {
        Self::count(part).over(Self::count(whole))
    }

    /// This divided by that; undefined unless both are numbers and the latter is not zero.
    pub const fn over(self, base: Self) -> Self {
        match (self, base) {
            (Self::Number(part), Self::Number(whole)) if whole != 0.0 => Self::number(part / whole),
            _ => Self::Undefined,
        }
    }

    /// The number, if it is one.
    pub const fn as_number(self) -> Option<f64> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// Smaller ones first; never after every number, undefined last of all.
    pub fn order(&self, other: &Self) -> Ordering {
        let rank = |value: &Self| match value {
            Self::Number(_) => 0,
            Self::Never => 1,
            Self::Undefined => 2,
        };
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => left.total_cmp(right),
            _ => rank(self).cmp(&rank(other)),
        }
    }

    fn middle(self, other: Self) -> Self {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => Self::number(left.midpoint(right)),
            (Self::Undefined, _) | (_, Self::Undefined) => Self::Undefined,
            _ => Self::Never,
        }
    }
}

impl Spread {
    /// Of nothing.
    pub const UNDEFINED: Self =
        Self { median: Value::Undefined, low: Value::Undefined, high: Value::Undefined, count: 0 };

    /// Of these, undefined ones left out.
    pub fn of(values: impl IntoIterator<Item = Value>) -> Self {
        let mut values: Vec<Value> =
            values.into_iter().filter(|value| !matches!(value, Value::Undefined)).collect();
        values.sort_by(Value::order);
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
            return Self::UNDEFINED;
        };
        let count = values.len();
        let median = values[(count - 1) / 2].middle(values[count / 2]);
        Self { median, low, high, count }
    }
}
