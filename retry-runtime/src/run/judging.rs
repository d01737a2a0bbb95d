//! What a result means: the error speaks for itself, or functions of the user's do.

use crate::{
    Classification, Retryable,
    call::{by_classifier, by_result, by_trait},
    machine::Facts,
};

/// A meaning for every result.
pub trait Judging<T, E> {
    /// What it means; `None` is an answer.
    fn judge(&mut self, result: &Result<T, E>) -> Option<Facts>;
    /// How the error type reports a deadline that is not the call's own, if it is asked.
    fn inherited() -> Option<E>;
}

/// `Retryable` is what the error has to be.
#[derive(Clone, Copy, Debug)]
pub struct ByTrait;

impl<T, E: Retryable> Judging<T, E> for ByTrait {
    #[inline]
    fn judge(&mut self, result: &Result<T, E>) -> Option<Facts> {
        by_trait(result)
    }

    fn inherited() -> Option<E> {
        E::deadline_exceeded()
    }
}

/// A function speaks for the error.
#[derive(Clone, Copy, Debug)]
pub struct ByClass<F>(pub(super) F);

impl<T, E, F: FnMut(&E) -> Classification> Judging<T, E> for ByClass<F> {
    #[inline]
    fn judge(&mut self, result: &Result<T, E>) -> Option<Facts> {
        by_classifier(result, &mut self.0)
    }

    fn inherited() -> Option<E> {
        None
    }
}

/// A function speaks for the whole result; where it says nothing, `J` does.
#[derive(Clone, Copy, Debug)]
pub struct ByResult<F, J>(pub(super) F, pub(super) J);

impl<T, E, F, J> Judging<T, E> for ByResult<F, J>
where
    F: FnMut(&Result<T, E>) -> Option<Classification>,
    J: Judging<T, E>,
{
    #[inline]
    fn judge(&mut self, result: &Result<T, E>) -> Option<Facts> {
        let Self(classify, otherwise) = self;
        by_result(result, classify, |result| otherwise.judge(result))
    }

    fn inherited() -> Option<E> {
        J::inherited()
    }
}

/// Takes a function for the error in, whether or not one for the result is there already.
pub trait WithClass<F> {
    /// With it.
    type Judge;
    /// Takes it in.
    fn with_class(self, classify: F) -> Self::Judge;
}

impl<F> WithClass<F> for ByTrait {
    type Judge = ByClass<F>;

    fn with_class(self, classify: F) -> ByClass<F> {
        ByClass(classify)
    }
}

impl<R, F> WithClass<F> for ByResult<R, ByTrait> {
    type Judge = ByResult<R, ByClass<F>>;

    fn with_class(self, classify: F) -> Self::Judge {
        ByResult(self.0, ByClass(classify))
    }
}
