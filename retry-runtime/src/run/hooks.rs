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
