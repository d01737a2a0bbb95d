//! How a call expresses that stormless ended an attempt: by its error type, by a function, or by
//! [`RetryError`].

use std::time::Duration;

use crate::{
    AttemptTimeout, BreakerOpen, Cut, DeadlineExceeded, RetryError, StopReason,
    call::{
        Attempted, Call, Cuts, Ended, FromAttemptTimeout, FromBreakerOpen, FromDeadlineExceeded,
        Wrap, Wrapped, breaker_from, deadline_from, deadline_never, or_cut, timeout_from,
    },
};

/// A way to express cuts.
pub trait Express<T, E> {
    /// What an attempt ends in.
    type Ended;
    /// The same, once the attempt and what it borrowed are gone.
    type Attempted: Attempted<Value = T, Error = E>;
    /// The error of the call.
    type Error;

    /// The body ran to its end.
    fn ran(result: Result<T, E>) -> Self::Ended;
    /// The attempt was cut, if that can be expressed. `inherited` is how the error type reports a deadline
    /// that is not the call's own.
    fn cut(&mut self, cut: Cut, inherited: fn() -> Option<E>) -> Option<Self::Ended>;
    /// Expresses a cut.
    fn settle(&mut self, ended: Self::Ended) -> Self::Attempted;
    /// The call's result.
    ///
    /// # Errors
    ///
    /// Where the last attempt failed or was cut.
    fn finish(call: &mut Call, attempted: Self::Attempted) -> Result<T, Self::Error>;
    /// The error of a client that was not ready, where no call has begun.
    fn unready(error: E) -> Self::Error;
}

/// Attempts may have a timeout.
pub trait CutByTimeout<E> {
    /// They have one.
    fn by_timeout(&mut self) {}
}

/// Attempts may be ended at the call's deadline.
pub trait CutByDeadline<E> {
    /// They are.
    fn by_deadline(&mut self) {}
}

/// Attempts may be refused.
pub trait CutByRefusal<E> {
    /// They may.
    fn by_refusal(&mut self) {}
}

/// The error type says what it can express, and what it is asked to.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Awaited, ByError, Operation, Run}};
///
/// // The same as `Run<Op, u32, io::Error>`: nothing was said.
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited, ByError<io::Error>> {
///     Policy::new().run(op)
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
#[derive(Debug)]
pub struct ByError<E> {
    timeout: Option<fn(AttemptTimeout) -> Option<E>>,
    /// `None` where the deadline is not the call's own.
    deadline: Option<fn(DeadlineExceeded) -> Option<E>>,
    refusal: Option<fn(BreakerOpen) -> Option<E>>,
}

impl<E> ByError<E> {
    pub(super) const NEW: Self = Self { timeout: None, deadline: None, refusal: None };

    /// The deadline ends no attempt.
    pub(crate) const fn uncut(&mut self) {
        self.deadline = Some(deadline_never);
    }
}

/// Not derived: nothing of the error's is in it.
impl<E> Clone for ByError<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for ByError<E> {}

impl<T, E> Express<T, E> for ByError<E> {
    type Ended = Result<T, E>;
    type Attempted = Result<T, E>;
    type Error = E;

    #[inline]
    fn ran(result: Result<T, E>) -> Result<T, E> {
        result
    }

    fn cut(&mut self, cut: Cut, inherited: fn() -> Option<E>) -> Option<Result<T, E>> {
        let error = match cut {
            Cut::AttemptTimeout(cut) => self.timeout.and_then(|from| from(cut)),
            Cut::DeadlineExceeded(cut) => self.deadline.map_or_else(inherited, |from| from(cut)),
            Cut::BreakerOpen(cut) => self.refusal.and_then(|from| from(cut)),
        };
        error.map(Err)
    }

    #[inline]
    fn settle(&mut self, ended: Result<T, E>) -> Result<T, E> {
        ended
    }

    #[inline]
    fn finish(_: &mut Call, attempted: Result<T, E>) -> Result<T, E> {
        attempted
    }

    fn unready(error: E) -> E {
        error
    }
}

impl<E: FromAttemptTimeout> CutByTimeout<E> for ByError<E> {
    fn by_timeout(&mut self) {
        self.timeout = Some(timeout_from);
    }
}

impl<E: FromDeadlineExceeded> CutByDeadline<E> for ByError<E> {
    fn by_deadline(&mut self) {
        self.deadline = Some(deadline_from);
    }
}

impl<E: FromBreakerOpen> CutByRefusal<E> for ByError<E> {
    fn by_refusal(&mut self) {
        self.refusal = Some(breaker_from);
    }
}

/// A function makes an error of a cut.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use std::time::Duration;
/// use stormless::{Cut, Policy, run::{Awaited, ByFunction, Operation, Run}};
///
/// type MakeError = fn(Cut) -> io::Error;
///
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited, ByFunction<MakeError>> {
///     Policy::new().run(op).cut_error(io::Error::other as MakeError).deadline(Duration::from_secs(2))
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let late = count(async || std::future::pending().await).await.unwrap_err();
/// assert_eq!(late.to_string(), "the deadline passed");
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByFunction<F>(pub(super) F);

impl<T, E, F: FnMut(Cut) -> E> Express<T, E> for ByFunction<F> {
    type Ended = Ended<Result<T, E>>;
    type Attempted = Result<T, E>;
    type Error = E;

    #[inline]
    fn ran(result: Result<T, E>) -> Self::Ended {
        Ended::Ran(result)
    }

    fn cut(&mut self, cut: Cut, _: fn() -> Option<E>) -> Option<Self::Ended> {
        Some(Ended::Cut(cut))
    }

    #[inline]
    fn settle(&mut self, ended: Self::Ended) -> Result<T, E> {
        or_cut(ended, |cut| self.0(cut))
    }

    #[inline]
    fn finish(_: &mut Call, attempted: Result<T, E>) -> Result<T, E> {
        attempted
    }

    fn unready(error: E) -> E {
        error
    }
}

impl<E, F> CutByTimeout<E> for ByFunction<F> {}
impl<E, F> CutByDeadline<E> for ByFunction<F> {}
impl<E, F> CutByRefusal<E> for ByFunction<F> {}

/// The call's error is a [`RetryError`], which expresses every cut.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Awaited, Explained, Operation, Run}};
///
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited, Explained> {
///     Policy::new().run(op).explain()
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err(io::ErrorKind::ConnectionRefused.into());
/// assert_eq!(count(refused).await.unwrap_err().attempts(), 3);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Explained;

impl<T, E> Express<T, E> for Explained {
    type Ended = Wrapped<T, E>;
    type Attempted = Wrapped<T, E>;
    type Error = RetryError<E>;

    #[inline]
    fn ran(result: Result<T, E>) -> Wrapped<T, E> {
        Wrapped::Ran(result)
    }

    fn cut(&mut self, cut: Cut, _: fn() -> Option<E>) -> Option<Wrapped<T, E>> {
        Cuts::<Result<T, E>>::cut(&mut Wrap, cut)
    }

    #[inline]
    fn settle(&mut self, ended: Wrapped<T, E>) -> Wrapped<T, E> {
        ended
    }

    #[inline]
    fn finish(call: &mut Call, attempted: Wrapped<T, E>) -> Result<T, RetryError<E>> {
        call.finish(attempted)
    }

    fn unready(error: E) -> RetryError<E> {
        RetryError::new(Some(error), None, 0, Duration::ZERO, StopReason::Permanent)
    }
}

impl<E> CutByTimeout<E> for Explained {}
impl<E> CutByDeadline<E> for Explained {}
impl<E> CutByRefusal<E> for Explained {}
