//! Who is told of a retry, and who is asked how long it is to wait.

use std::time::Duration;

use crate::RetryEvent;

/// Is told before each wait.
pub trait Told<E> {
    /// Another attempt follows.
    fn tell(&mut self, event: &RetryEvent<'_, E>);
}

/// May change a delay.
pub trait Adjusting<E> {
    /// Whether it is to be asked.
    const ADJUSTS: bool;

    /// The delay to be slept; `None` for no other attempt.
    fn adjust(&mut self, error: &E, delay: Duration) -> Option<Duration>;
}

/// Nobody.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use std::time::Duration;
/// use stormless::{Policy, run::{Awaited, ByError, ByTrait, Hook, Nobody, Operation, Run}};
///
/// type Adjust = fn(&io::Error, Duration) -> Option<Duration>;
///
/// // Nobody is told, and a function is asked.
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited, ByError<io::Error>, ByTrait, Nobody, Hook<Adjust>> {
///     Policy::new().run(op).adjust((|_, delay| Some(delay * 2)) as Adjust)
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl<E> Told<E> for Nobody {
    #[inline]
    fn tell(&mut self, _: &RetryEvent<'_, E>) {}
}

impl<E> Adjusting<E> for Nobody {
    const ADJUSTS: bool = false;

    fn adjust(&mut self, _: &E, delay: Duration) -> Option<Duration> {
        Some(delay)
    }
}

/// A function of the user's.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, RetryEvent, run::{Awaited, ByError, ByTrait, Hook, Operation, Run}};
///
/// type Log = fn(&RetryEvent<'_, io::Error>);
///
/// fn count<Op: Operation<Output = Result<u32, io::Error>>>(op: Op) -> Run<Op, u32, io::Error, Awaited, ByError<io::Error>, ByTrait, Hook<Log>> {
///     Policy::new().run(op).on_retry((|event| eprintln!("{:?}", event.error())) as Log)
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(count(async || Ok(7)).await.unwrap(), 7);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hook<F>(pub(super) F);

impl<E, F: FnMut(&RetryEvent<'_, E>)> Told<E> for Hook<F> {
    fn tell(&mut self, event: &RetryEvent<'_, E>) {
        self.0(event);
    }
}

impl<E, F: FnMut(&E, Duration) -> Option<Duration>> Adjusting<E> for Hook<F> {
    const ADJUSTS: bool = true;

    fn adjust(&mut self, error: &E, delay: Duration) -> Option<Duration> {
        self.0(error, delay)
    }
}
