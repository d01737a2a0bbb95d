//! From the result of an attempt to the facts that decide.

use crate::{Classification, RetryError, Retryable, machine::Facts};

use super::cuts::Wrapped;

/// `Result`, under whatever name, and nothing else.
///
/// Every part of a call asks for it and not for a `Result<T, E>`, so that a function that returns
/// something else is told so once.
#[diagnostic::on_unimplemented(
    message = "`#[retry]` needs a function that returns `Result<_, _>`",
    label = "`{Self}` is not a `Result`"
)]
pub trait Fallible {
    /// The type of the value.
    type Value;
    /// The type of the error.
    type Error;

    /// The result that it is.
    fn as_result(&self) -> &Result<Self::Value, Self::Error>;

    /// A failure.
    fn failed(error: Self::Error) -> Self;
}

impl<T, E> Fallible for Result<T, E> {
    type Value = T;
    type Error = E;

    #[inline]
    fn as_result(&self) -> &Self {
        self
    }

    #[inline]
    fn failed(error: E) -> Self {
        Err(error)
    }
}

/// What an attempt ended in, with its types visible.
pub trait Attempted {
    /// The type of the value.
    type Value;
    /// The type of the error.
    type Error;

    /// The body's own result; `None` if stormless ended the attempt.
    fn result(&self) -> Option<&Result<Self::Value, Self::Error>>;

    /// Whether the record of the call goes into its result, should this be the last attempt.
    fn needs_record(&self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<R: Fallible> Attempted for R {
    type Value = R::Value;
    type Error = R::Error;

    #[inline]
    fn result(&self) -> Option<&Result<Self::Value, Self::Error>> {
        Some(self.as_result())
    }

    #[inline]
    fn needs_record(&self) -> bool {
        false
    }
}

impl<T, E> Attempted for Wrapped<T, E> {
    type Value = T;
    type Error = E;

    #[inline]
    fn result(&self) -> Option<&Result<T, E>> {
        match self {
            Self::Ran(result) => Some(result),
            Self::Cut(_) => None,
        }
    }

    #[inline]
    fn needs_record(&self) -> bool {
        // A value that counts as a failure has no place for it.
        !matches!(self, Self::Ran(Ok(_)))
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
    result.as_ref().err().map(|error| named(classify(error)))
}

/// A function of the user's speaks for the whole result; where it says nothing, `otherwise` does.
#[inline]
pub fn by_result<T, E>(
    result: &Result<T, E>,
    classify: impl FnOnce(&Result<T, E>) -> Option<Classification>,
    otherwise: impl FnOnce(&Result<T, E>) -> Option<Facts>,
) -> Option<Facts> {
    match classify(result) {
        Some(classification) => Some(named(classification)),
        None => otherwise(result),
    }
}

/// Facts under the name that the classification brings along.
fn named(classification: Classification) -> Facts {
    Facts { classification, label: classification.own_label().unwrap_or(OTHER) }
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
