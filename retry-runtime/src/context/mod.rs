//! What is ambient: the facts about the attempt that is being polled, in one thread-local word group.

mod ambient;
mod frames;
mod repeater;

use std::{
    future::Future,
    pin::Pin,
    task::{Context as TaskContext, Poll},
};

use pin_project_lite::pin_project;

use crate::{report, side, tracing::Carried};

#[cfg(feature = "testing")]
pub(crate) use ambient::LAST_TEST;
pub(crate) use ambient::{
    Ambient, CARRIED, CallNumber, IDEMPOTENT, INDEPENDENT, LAST_ATTEMPT, LAST_SCOPE, OFF, POLLED,
    REPEATING, SUPPRESS, after, told,
};
pub(crate) use frames::{ambient, began_before, enclosing, enter, next_call, running_attempt};
pub(crate) use repeater::{Repeater, repeater};

pin_project! {
    /// A future whose polls see the given facts.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Context, Scoped};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let scoped: Scoped<_> = Context::root().scope(async { 7 });
    /// assert_eq!(scoped.await, 7);
    /// # }
    /// ```
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Scoped<F> {
        #[pin]
        future: F,
        ambient: Ambient,
        carried: Carried,
    }
}

impl<F> Scoped<F> {
    pub(crate) const fn new(ambient: Ambient, future: F) -> Self {
        Self::carrying(Carried::NOTHING, ambient, future)
    }

    const fn carrying(carried: Carried, ambient: Ambient, future: F) -> Self {
        Self { future, ambient: ambient.with_flags(ambient.flags() | CARRIED), carried }
    }
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _entered = enter(this.ambient);
        let _inside = this.carried.enter();
        this.future.poll(task)
    }
}

/// The context of the running attempt, to be carried to where it does not follow by itself.
///
/// Everything polled within an attempt sees its context: awaits, `join!`, `select!`,
/// `FuturesUnordered`. A spawned task does not. Carry the context there, and calls in the task inherit
/// the deadline, run once where the attempt suppresses, and appear in the same report:
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Context;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let context = Context::capture();
/// tokio::spawn(context.scope(async { /* calls in here know where they belong */ })).await.unwrap();
/// # }
/// ```
///
/// With the feature `tracing-0-1` it carries the current span too, so that the spans of those calls lie in that of
/// the attempt.
///
/// A destructor that runs because an attempt was cancelled runs outside of its context.
#[derive(Clone, Debug)]
pub struct Context {
    ambient: Ambient,
    carried: Carried,
}

impl Context {
    /// The context that is in force: that of the attempt that is being polled, with the limits and
    /// scopes around it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Context, deadline};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let left = deadline::within(Duration::from_secs(2), async {
    ///     let context = Context::capture();
    ///     tokio::spawn(context.scope(async { deadline::remaining() })).await.unwrap()
    /// });
    /// assert_eq!(left.await.unwrap(), Some(Duration::from_secs(2)));
    /// # }
    /// ```
    #[must_use]
    pub fn capture() -> Self {
        // Made now, while the enclosing calls are known.
        let _key = side::current_key();
        let ambient = ambient();
        report::carry(ambient.scope());
        Self { ambient, carried: Carried::capture() }
    }

    /// No attempt, no deadline, no suppression: for work that outlives the call it was started from.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Context, deadline};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let left = deadline::within(Duration::from_secs(2), async {
    ///     // Cleaning up is done however late it is.
    ///     Context::root().scope(async { deadline::remaining() }).await
    /// });
    /// assert_eq!(left.await.unwrap(), None);
    /// # }
    /// ```
    #[must_use]
    pub fn root() -> Self {
        // This steps out of calls, not out of tests.
        let ambient = Ambient::ROOT.within(ambient()).with_scope(0);
        Self { ambient, carried: Carried::NOTHING }
    }

    /// The future, polled in this context.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Context;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let context = Context::capture();
    /// let task = tokio::spawn(context.scope(async { 7 }));
    /// assert_eq!(task.await.unwrap(), 7);
    /// # }
    /// ```
    pub fn scope<F: Future>(self, future: F) -> Scoped<F> {
        Scoped::carrying(self.carried, self.ambient, future)
    }

    /// Runs a closure in this context, on whichever thread: for `spawn_blocking`, and for threads of your
    /// own.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Context;
    ///
    /// let context = Context::capture();
    /// std::thread::spawn(move || context.run(|| { /* blocking calls know where they belong */ }));
    /// ```
    pub fn run<T>(self, run: impl FnOnce() -> T) -> T {
        let flags = self.ambient.flags() & !POLLED | CARRIED;
        let _entered = enter(&self.ambient.with_flags(flags));
        let _inside = self.carried.enter();
        run()
    }
}
