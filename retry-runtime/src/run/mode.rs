//! How the attempts of a closure's call run, and what drives them.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use super::{
    drive::Drive,
    hedged::HedgedDrive,
    operation::Operation,
    setup::{Setup, SetupMut},
};

/// Attempts are futures that outlive each call of the closure: [`Policy::run`](crate::Policy::run).
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Awaited, Operation, Run}};
///
/// /// What all counts have in common.
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited> {
///     Policy::new().attempts(2).run(op).named("count")
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Awaited {}

/// The same, and slow attempts have others beside them: [`Run::hedge`](super::Run::hedge).
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use std::time::Duration;
/// use stormless::{Policy, run::{Hedging, Operation, Run}};
///
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Hedging> {
///     Policy::new().idempotent().run(op).hedge(Duration::from_millis(100))
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Hedging {}

/// Attempts borrow from the closure: [`Policy::run_mut`](crate::Policy::run_mut).
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Lending, Run}};
///
/// fn count<Op: AsyncFnMut() -> Result<u32, io::Error>>(op: Op) -> Run<Op, u32, io::Error, Lending> {
///     Policy::new().run_mut(op).named("count")
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let mut calls = 0;
/// let counted = count(async || {
///     calls += 1;
///     Ok(calls)
/// });
/// assert_eq!(counted.call().await.unwrap(), 1);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Lending {}

/// Attempts run on the calling thread: [`Policy::run_blocking`](crate::Policy::run_blocking).
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Blocking, Run}};
///
/// fn count<Op: FnMut() -> Result<u32, io::Error>>(op: Op) -> Run<Op, u32, io::Error, Blocking> {
///     Policy::new().run_blocking(op).named("count")
/// }
///
/// assert_eq!(count(|| Ok(7)).call().unwrap(), 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Blocking {}

/// A way to run attempts.
pub trait Mode<Op> {
    /// What drives them.
    type Driver<R>: Holds<Op, R>;
}

/// Calls of this mode are futures.
#[diagnostic::on_unimplemented(
    message = "`run_mut(..)` ends in `.call().await`, and `run_blocking(..)` in `.call()`",
    label = "this call is not awaited by itself"
)]
pub trait IsAwaited<Op, R>: Mode<Op> {
    /// What the call comes to.
    type Output;

    #[doc(hidden)]
    fn poll(driver: Pin<&mut Self::Driver<R>>, task: &mut Context<'_>) -> Poll<Self::Output>;
}

impl<Op: Operation, R> IsAwaited<Op, R> for Awaited
where
    Drive<Op, R>: Future,
{
    type Output = <Drive<Op, R> as Future>::Output;

    #[inline]
    fn poll(driver: Pin<&mut Drive<Op, R>>, task: &mut Context<'_>) -> Poll<Self::Output> {
        driver.poll(task)
    }
}

impl<Op: Operation, R> IsAwaited<Op, R> for Hedging
where
    HedgedDrive<Op, R>: Future,
{
    type Output = <HedgedDrive<Op, R> as Future>::Output;

    #[inline]
    fn poll(driver: Pin<&mut HedgedDrive<Op, R>>, task: &mut Context<'_>) -> Poll<Self::Output> {
        driver.poll(task)
    }
}

/// Attempts that can be ended while they run: those that are futures.
#[diagnostic::on_unimplemented(
    message = "an attempt that runs on its thread cannot be ended",
    label = "`run_blocking` has no limits on a running attempt"
)]
pub trait Interruptible {}

impl Interruptible for Awaited {}
impl Interruptible for Hedging {}
impl Interruptible for Lending {}

impl<Op: Operation> Mode<Op> for Awaited {
    type Driver<R> = Drive<Op, R>;
}

impl<Op: Operation> Mode<Op> for Hedging {
    type Driver<R> = HedgedDrive<Op, R>;
}

impl<Op> Mode<Op> for Lending {
    type Driver<R> = Uncalled<Op, R>;
}

impl<Op> Mode<Op> for Blocking {
    type Driver<R> = Uncalled<Op, R>;
}

/// What a call is made of.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parts<Op, R> {
    pub(super) operation: Op,
    pub(super) setup: Setup<R>,
}

/// What drives the calls of a mode, of an operation and all that is said about it.
#[cfg(feature = "tower-0-5")]
pub(crate) fn driver<M: Mode<Op>, Op, R>(operation: Op, setup: Setup<R>) -> M::Driver<R> {
    M::Driver::hold(Parts { operation, setup })
}

/// What was said about a call that has not begun.
#[doc(hidden)]
pub struct Said<'a, R>(pub(super) Option<SetupMut<'a, R>>);

/// Holds the parts of a call until it begins.
pub trait Holds<Op, R>: Sized {
    #[doc(hidden)]
    fn hold(parts: Parts<Op, R>) -> Self;
    #[doc(hidden)]
    fn release(self) -> Parts<Op, R>;
    /// What was said about the call, until it begins.
    #[doc(hidden)]
    fn said(&mut self) -> Said<'_, R>;
}

/// A call that begins where it is called.
pub struct Uncalled<Op, R>(Parts<Op, R>);

impl<Op, R> Holds<Op, R> for Uncalled<Op, R> {
    #[inline]
    fn hold(parts: Parts<Op, R>) -> Self {
        Self(parts)
    }

    #[inline]
    fn release(self) -> Parts<Op, R> {
        self.0
    }

    #[inline]
    fn said(&mut self) -> Said<'_, R> {
        Said(Some(self.0.setup.as_mut()))
    }
}

impl<R> fmt::Debug for Said<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Said").finish_non_exhaustive()
    }
}

impl<Op, R> fmt::Debug for Uncalled<Op, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uncalled").field("policy", &self.0.setup.policy).finish_non_exhaustive()
    }
}
