//! From the result of an attempt to the facts that decide.

use crate::{Classification, RetryError, Retryable, machine::Facts};

use super::cuts::Wrapped;

/// What an attempt ended in, with its types visible.
#[diagnostic::on_unimplemented(
    message = "`#[retry]` needs a function that returns `Result<_, _>`",
    label = "`{Self}` is not a `Result`"
)]
pub trait Attempted {
    /// The type of the value.
    type Value;
    /// The type of the error.
    type Error;

    /// Whether the record of a call that failed goes into its result.
    const NEEDS_RECORD: bool;

    /// The body's own result; `None` if stormless ended the attempt.
    fn result(&self) -> Option<&Result<Self::Value, Self::Error>>;
}

impl<T, E> Attempted for Result<T, E> {
    type Value = T;
    type Error = E;

    const NEEDS_RECORD: bool = false;

    #[inline]
    fn result(&self) -> Option<&Self> {
        Some(self)
    }
}

impl<T, E> Attempted for Wrapped<T, E> {
    type Value = T;
    type Error = E;

    const NEEDS_RECORD: bool = true;

    #[inline]
    fn result(&self) -> Option<&Result<T, E>> {
        match self {
            Self::Ran(result) => Some(result),
            Self::Cut(_) => None,
        }
    }
}

/// The error speaks for itself.
#[inline]
pub fn by_trait<T, E: Retryable>(result: &Result<T, E>) -> Option<Facts> {
    result
        .as_ref()
        .err()
        .map(|error| Facts { classification: error.classify(), label: error.label() })
}

/// A function of the user's speaks for the error.
#[inline]
pub fn by_classifier<T, E>(
    result: &Result<T, E>,
    classify: impl FnOnce(&E) -> Classification,
) -> Option<Facts> {
    result.as_ref().err().map(|error| Facts { classification: classify(error), label: OTHER })
}

/// A function of the user's speaks for the whole result; where it says nothing, `otherwise` does.
#[inline]
pub fn by_result<T, E>(
    result: &Result<T, E>,
    classify: impl FnOnce(&Result<T, E>) -> Option<Classification>,
    otherwise: impl FnOnce(&Result<T, E>) -> Option<Facts>,
) -> Option<Facts> {
    match classify(result) {
        Some(classification) => Some(Facts { classification, label: OTHER }),
        None => otherwise(result),
    }
}

/// The label of what has none of its own.
const OTHER: &str = "_OTHER";

impl<E: Retryable> Retryable for RetryError<E> {
    fn classify(&self) -> Classification {
        match (self.get_ref(), self.cut()) {
            (Some(error), _) => error.classify(),
            (None, Some(cut)) => cut.classify(),
            (None, None) => Classification::permanent(),
        }
    }

    fn label(&self) -> &'static str {
        match (self.get_ref(), self.cut()) {
            (Some(error), _) => error.label(),
            (None, Some(cut)) => cut.label(),
            (None, None) => OTHER,
        }
    }

    fn deadline_exceeded() -> Option<Self> {
        Some(Self::from_cut(crate::DeadlineExceeded::new().into()))
    }
}
