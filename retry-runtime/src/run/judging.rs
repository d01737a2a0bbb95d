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
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Awaited, ByError, ByTrait, Operation, Run}};
///
/// // The same as `Run<Op, u32, io::Error>`: nothing was said.
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited, ByError<io::Error>, ByTrait> {
///     Policy::new().run(op)
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
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
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Classification, Policy, run::{Awaited, ByClass, ByError, Operation, Run}};
///
/// type Classify = fn(&String) -> Classification;
///
/// fn count<Op: Operation<Output = Result<u32, String>>>(op: Op) -> Run<Op, u32, String, Awaited, ByError<String>, ByClass<Classify>> {
///     Policy::new().run(op).classify((|_| Classification::permanent()) as Classify)
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
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
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Classification, Policy, run::{Awaited, ByError, ByResult, ByTrait, Operation, Run}};
///
/// type Classify = fn(&io::Result<u32>) -> Option<Classification>;
///
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited, ByError<io::Error>, ByResult<Classify, ByTrait>> {
///     Policy::new().run(op)
///         .classify_result((|result| matches!(result, Ok(0)).then(Classification::transient)) as Classify)
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
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
