//! How the error type of a function reports that stormless ended an attempt.

use std::time::Duration;

use crate::{AttemptTimeout, BreakerOpen, Cut, DeadlineExceeded, Retryable, site::Site};

use super::Fallible;

/// An error type that can report an attempt timeout.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot say that an attempt timed out",
    label = "`attempt_timeout` needs a way to end an attempt",
    note = "mark a variant with `#[retryable(attempt_timeout)]`, or implement `From<stormless::AttemptTimeout>` for `{Self}`",
    note = "or give `cut_error = path` with a `fn(stormless::Cut) -> {Self}`; for a closure, `.cut_error(..)` or `.explain()` before it"
)]
pub trait FromAttemptTimeout: Sized {
    /// The error.
    fn from_attempt_timeout(cut: AttemptTimeout) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<AttemptTimeout>> FromAttemptTimeout for E {
    fn from_attempt_timeout(cut: AttemptTimeout) -> Self {
        cut.into()
    }
}

/// An error type that can report a passed deadline.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot say that the deadline passed",
    label = "`deadline` needs a way to end a running attempt",
    note = "mark a variant with `#[retryable(deadline_exceeded)]`, or implement `From<stormless::DeadlineExceeded>` for `{Self}`",
    note = "or give `cut_error = path` with a `fn(stormless::Cut) -> {Self}`; for a closure, `.cut_error(..)` or `.explain()` before it",
    note = "or accept with `uncut`, or `.uncut_deadline(..)`, that the deadline stops retries and sleeps but not a running attempt"
)]
pub trait FromDeadlineExceeded: Sized {
    /// The error.
    fn from_deadline_exceeded(cut: DeadlineExceeded) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<DeadlineExceeded>> FromDeadlineExceeded for E {
    fn from_deadline_exceeded(cut: DeadlineExceeded) -> Self {
        cut.into()
    }
}

/// An error type that can report a refused attempt.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot say that an attempt was refused",
    label = "what refuses attempts needs a way to say so",
    note = "mark a variant with `#[retryable(breaker_open)]`, or implement `From<stormless::BreakerOpen>` for `{Self}`",
    note = "or give `cut_error = path` with a `fn(stormless::Cut) -> {Self}`; for a closure, `.cut_error(..)` or `.explain()` before it"
)]
pub trait FromBreakerOpen: Sized {
    /// The error.
    fn from_breaker_open(cut: BreakerOpen) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<BreakerOpen>> FromBreakerOpen for E {
    fn from_breaker_open(cut: BreakerOpen) -> Self {
        cut.into()
    }
}

/// Reports timeouts through `From`.
#[inline]
pub fn timeout_from<E: FromAttemptTimeout>(cut: AttemptTimeout) -> Option<E> {
    Some(E::from_attempt_timeout(cut))
}

/// There are no timeouts to report.
#[inline]
pub fn timeout_never<E>(_: AttemptTimeout) -> Option<E> {
    None
}

/// Reports a passed deadline through `From`.
#[inline]
pub fn deadline_from<E: FromDeadlineExceeded>(cut: DeadlineExceeded) -> Option<E> {
    Some(E::from_deadline_exceeded(cut))
}

/// Reports an inherited deadline if the error type says how.
#[inline]
pub fn deadline_by_trait<E: Retryable>(_: DeadlineExceeded) -> Option<E> {
    E::deadline_exceeded()
}

/// Never ends a running attempt at a deadline.
#[inline]
pub fn deadline_never<E>(_: DeadlineExceeded) -> Option<E> {
    None
}

/// Reports an open breaker through `From`.
#[inline]
pub fn breaker_from<E: FromBreakerOpen>(cut: BreakerOpen) -> Option<E> {
    Some(E::from_breaker_open(cut))
}

/// From the body's result, or from a cut, to what the loop works with.
pub trait Cuts<R> {
    /// What the loop works with.
    type Output;

    /// The body ran to its end.
    fn ran(result: R) -> Self::Output;

    /// The attempt was cut; `None` if that cannot be expressed, and then it goes on.
    fn cut(&mut self, cut: Cut) -> Option<Self::Output>;

    /// After how long an attempt is ended: what the site says, unless the call brings its own.
    #[inline]
    fn timeout(&self, site: &Site) -> Option<Duration> {
        site.timeout()
    }
}

/// One function for each kind of cut.
#[derive(Debug)]
pub struct Plain<A, D>(pub A, pub D);

impl<R: Fallible, A, D> Cuts<R> for Plain<A, D>
where
    A: FnMut(AttemptTimeout) -> Option<R::Error>,
    D: FnMut(DeadlineExceeded) -> Option<R::Error>,
{
    type Output = R;

    #[inline]
    fn ran(result: R) -> R {
        result
    }

    fn cut(&mut self, cut: Cut) -> Option<R> {
        let error = match cut {
            Cut::AttemptTimeout(cut) => (self.0)(cut),
            Cut::DeadlineExceeded(cut) => (self.1)(cut),
            Cut::BreakerOpen(_) => None,
        };
        error.map(R::failed)
    }
}

/// The same, and a function for a breaker's refusal.
#[derive(Debug)]
pub struct Refusing<C, B>(pub C, pub B);

impl<R, C, B> Cuts<R> for Refusing<C, B>
where
    R: Fallible,
    C: Cuts<R, Output = R>,
    B: FnMut(BreakerOpen) -> Option<R::Error>,
{
    type Output = R;

    #[inline]
    fn ran(result: R) -> R {
        result
    }

    fn cut(&mut self, cut: Cut) -> Option<R> {
        match cut {
            Cut::BreakerOpen(open) => (self.1)(open).map(R::failed),
            Cut::AttemptTimeout(_) | Cut::DeadlineExceeded(_) => self.0.cut(cut),
        }
    }
}

/// A function of the user's makes the error. It is judged here, where it stands, and nowhere else.
pub fn by_cut<E>(cut: Cut, cut_error: impl FnOnce(Cut) -> E) -> E {
    cut_error(cut)
}

/// For functions with `cut_error`, which is asked when the attempt and what it borrowed are gone.
#[derive(Debug)]
pub struct Later;

/// What an attempt of such a function ended in, whatever its type.
#[derive(Debug)]
pub enum Ended<R> {
    /// The body's own result.
    Ran(R),
    /// Stormless ended it.
    Cut(Cut),
}

impl<R> Cuts<R> for Later {
    type Output = Ended<R>;

    #[inline]
    fn ran(result: R) -> Ended<R> {
        Ended::Ran(result)
    }

    fn cut(&mut self, cut: Cut) -> Option<Ended<R>> {
        Some(Ended::Cut(cut))
    }
}

/// The body's own result, or the one that the function's `cut_error` makes of a cut.
#[inline]
pub fn or_cut<R: Fallible>(ended: Ended<R>, cut_error: impl FnOnce(Cut) -> R::Error) -> R {
    match ended {
        Ended::Ran(result) => result,
        Ended::Cut(cut) => R::failed(cut_error(cut)),
    }
}

/// For functions that return `Result<T, RetryError<E>>`, which can always express a cut.
#[derive(Debug)]
pub struct Wrap;

/// What an attempt of such a function ended in.
#[derive(Debug)]
pub enum Wrapped<T, E> {
    /// The body's own result.
    Ran(Result<T, E>),
    /// Stormless ended it.
    Cut(Cut),
}

impl<T, E> Cuts<Result<T, E>> for Wrap {
    type Output = Wrapped<T, E>;

    #[inline]
    fn ran(result: Result<T, E>) -> Self::Output {
        Wrapped::Ran(result)
    }

    fn cut(&mut self, cut: Cut) -> Option<Self::Output> {
        Some(Wrapped::Cut(cut))
    }
}
