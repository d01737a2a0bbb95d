//! A closure's call, and the functions that it is given.

use std::{
    fmt,
    future::Future,
    marker::{PhantomData, PhantomPinned},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use crate::{Classification, Cut, Policy, RetryEvent};

use super::{
    cutting::{ByError, ByFunction, Explained},
    hooks::{Hook, Nobody},
    judging::{ByResult, ByTrait, WithClass},
    mode::{Awaited, Holds, IsAwaited, Mode, Parts},
    rules::Rules,
    setup::{Setup, SetupMut},
};

pin_project! {
    /// A call of a closure: what it runs, and what it was told. The call begins at the first poll, or where it
    /// is [called](Self::call).
    ///
    /// From [`Policy::run`], [`Policy::run_mut`] and [`Policy::run_blocking`], or their suffix forms in
    /// [`RetryExt`](super::RetryExt). What the attribute has keys for has methods here; what a
    /// [`Policy`] says, such as `attempts` and `idempotent`, is said there: `POLICY.attempts(5).run(…)`.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Policy, budget};
    /// use std::time::Duration;
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let call = Policy::new()
    ///     .run(async || Ok::<_, std::io::Error>(7))
    ///     .named("orders.count")
    ///     .budget(&ORDERS)
    ///     .deadline(Duration::from_secs(2));
    /// assert_eq!(call.await?, 7);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use = "nothing runs until it is awaited, or until `.call()` where it comes from `run_mut` or `run_blocking`"]
    pub struct Run<Op, T, E, M = Awaited, C = ByError<E>, J = ByTrait, K = Nobody, A = Nobody>
    where
        M: Mode<Op>,
    {
        #[pin]
        pub(super) driver: M::Driver<Rules<C, J, K, A>>,
        types: PhantomData<fn() -> (T, E)>,
        // So that nothing is set any more once it was polled.
        #[pin]
        pinned: PhantomPinned,
    }
}

impl<Op, T, E, M: Mode<Op>> Run<Op, T, E, M> {
    #[inline]
    #[track_caller]
    pub(super) fn new(policy: Policy, operation: Op) -> Self {
        Self::of(Parts { operation, setup: Setup::new(policy) })
    }
}

impl<Op, T, E, M: Mode<Op>, C, J, K, A> Run<Op, T, E, M, C, J, K, A> {
    /// What an error means, where its type is not [`Retryable`](crate::Retryable) or means something else
    /// here. A deadline that the call has inherited then ends no attempt, because a foreign error type
    /// cannot express that; one of its own does.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Policy, StopReason};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let call = Policy::new()
    ///     .run(async || Err::<(), _>("busy"))
    ///     .classify(|error: &&str| match *error {
    ///         "busy" => Classification::throttled(),
    ///         _ => Classification::permanent(),
    ///     })
    ///     .explain();
    /// let error = call.await.unwrap_err();
    /// assert_eq!((error.attempts(), error.reason()), (3, StopReason::AttemptsExhausted));
    /// # }
    /// ```
    #[inline]
    pub fn classify<F>(self, classify: F) -> Run<Op, T, E, M, C, J::Judge, K, A>
    where
        J: WithClass<F>,
        F: FnMut(&E) -> Classification,
    {
        self.with(|setup| setup.classify(classify))
    }

    /// What a whole result means; asked first. `None` lets the result speak for itself. This is for an
    /// `Ok(response)` that is really a failure; the last one is returned unchanged.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Policy};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let mut answers = ["pending", "pending", "done"].into_iter();
    /// let poll = async || Ok::<_, std::io::Error>(answers.next().unwrap());
    /// let state = Policy::new()
    ///     .run_mut(poll)
    ///     .classify_result(|result: &Result<&str, _>| match result {
    ///         Ok("pending") => Some(Classification::transient()),
    ///         _ => None,
    ///     })
    ///     .call()
    ///     .await;
    /// assert_eq!(state.unwrap(), "done");
    /// # }
    /// ```
    #[inline]
    pub fn classify_result<F>(self, classify: F) -> Run<Op, T, E, M, C, ByResult<F, J>, K, A>
    where
        F: FnMut(&Result<T, E>) -> Option<Classification>,
    {
        self.with(|setup| setup.classify_result(classify))
    }

    /// Called before each wait, with the error, the attempt and the delay that will be slept. If it panics,
    /// that is counted, and changes nothing.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, RetryEvent};
    /// use std::{cell::Cell, io};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let retries = Cell::new(0);
    /// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// let count = |_: &RetryEvent<'_, io::Error>| retries.set(retries.get() + 1);
    /// let _error = Policy::new().run(refused).on_retry(count).await;
    /// assert_eq!(retries.get(), 2);
    /// # }
    /// ```
    #[inline]
    pub fn on_retry<F>(self, hook: F) -> Run<Op, T, E, M, C, J, Hook<F>, A>
    where
        F: FnMut(&RetryEvent<'_, E>),
    {
        self.with(|setup| setup.on_retry(hook))
    }

    /// Asked for the delay of each retry, with the error and the delay that was drawn; `None` ends the call,
    /// and the reason is [`StopReason::Declined`](crate::StopReason::Declined).
    ///
    /// It is asked where a retry would follow, and before deadline, breaker and budget are: a delay for
    /// which there is no time ends the call, and so does an empty budget. A server that asked for a wait is
    /// never asked earlier, whatever is said here; the policy's `max` is no limit. It is not asked where
    /// there is no error of yours: where an `Ok` was classified as a failure, or where an attempt was cut and
    /// the call [explains](Self::explain) itself. If it panics, that is counted, and the delay stays.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::{io, time::Duration};
    /// use stormless::{Backoff, Policy, StopReason};
    ///
    /// const POLICY: Policy =
    ///     Policy::new().idempotent().backoff(Backoff::Fixed).base(Duration::from_millis(10));
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let mut errors = [io::ErrorKind::ConnectionReset, io::ErrorKind::TimedOut].into_iter();
    /// let call = POLICY.run_mut(async || Err::<(), _>(io::Error::from(errors.next().unwrap())));
    /// // What timed out is not worth another attempt; everything else waits for twice as long.
    /// let call = call
    ///     .adjust(|error, delay| (error.kind() != io::ErrorKind::TimedOut).then(|| delay * 2))
    ///     .explain();
    /// let error = call.call().await.unwrap_err();
    /// assert_eq!((error.attempts(), error.reason()), (2, StopReason::Declined));
    /// assert_eq!(error.slept(), Duration::from_millis(20));
    /// # }
    /// ```
    #[inline]
    pub fn adjust<F>(self, adjust: F) -> Run<Op, T, E, M, C, J, K, Hook<F>>
    where
        F: FnMut(&E, Duration) -> Option<Duration>,
    {
        self.with(|setup| setup.adjust(adjust))
    }

    #[inline]
    fn of(parts: Parts<Op, Rules<C, J, K, A>>) -> Self {
        Self { driver: M::Driver::hold(parts), types: PhantomData, pinned: PhantomPinned }
    }

    /// The same call in another form.
    #[inline]
    pub(super) fn form<N: Mode<Op>>(self) -> Run<Op, T, E, N, C, J, K, A> {
        Run::of(self.driver.release())
    }

    #[inline]
    pub(super) fn set(mut self, set: impl FnOnce(SetupMut<'_, Rules<C, J, K, A>>)) -> Self {
        if let Some(setup) = self.driver.said().0 {
            set(setup);
        }
        self
    }

    #[inline]
    fn with<C2, J2, K2, A2>(
        self,
        with: impl FnOnce(Setup<Rules<C, J, K, A>>) -> Setup<Rules<C2, J2, K2, A2>>,
    ) -> Run<Op, T, E, M, C2, J2, K2, A2> {
        let Parts { operation, setup } = self.driver.release();
        Run::of(Parts { operation, setup: with(setup) })
    }
}

impl<Op, T, E, M: Mode<Op>, J, K, A> Run<Op, T, E, M, ByError<E>, J, K, A> {
    /// How a call that was cut reports itself, where the error type has no `From` for that. It comes before
    /// the settings that cut: `attempt_timeout`, `deadline`, `breaker`, `shed`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Cut, Policy};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let call = Policy::new()
    ///     .run(async || std::future::pending::<Result<(), String>>().await)
    ///     .classify(|_| Classification::permanent())
    ///     .cut_error(|cut: Cut| cut.to_string())
    ///     .deadline(Duration::from_secs(1));
    /// assert_eq!(call.await.unwrap_err(), "the deadline passed");
    /// # }
    /// ```
    #[inline]
    pub fn cut_error<F>(self, cut_error: F) -> Run<Op, T, E, M, ByFunction<F>, J, K, A>
    where
        F: FnMut(Cut) -> E,
    {
        self.with(|setup| setup.cut_error(cut_error))
    }

    /// Makes the call's error a [`RetryError`](crate::RetryError): yours, with the number of attempts, the
    /// time slept and the reason. It can express every cut, and comes before the settings that cut.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::{io, time::Duration};
    /// use stormless::{Policy, StopReason};
    ///
    /// const POLICY: Policy = Policy::new().attempts(3);
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// // An `io::Error` alone could not say that the deadline has passed.
    /// let error = POLICY.run(refused).explain().deadline(Duration::from_secs(2)).await.unwrap_err();
    /// assert_eq!((error.attempts(), error.reason()), (3, StopReason::AttemptsExhausted));
    /// assert_eq!(error.into_inner().unwrap().kind(), io::ErrorKind::ConnectionRefused);
    /// # }
    /// ```
    #[inline]
    pub fn explain(self) -> Run<Op, T, E, M, Explained, J, K, A> {
        self.with(Setup::explain)
    }
}

// One trait for all of it, so that the compiler names the one thing that is missing.
impl<Op, T, E, M, C, J, K, A> Future for Run<Op, T, E, M, C, J, K, A>
where
    M: IsAwaited<Op, Rules<C, J, K, A>>,
{
    type Output = M::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<M::Output> {
        M::poll(self.project().driver, task)
    }
}

impl<Op, T, E, M, C, J, K, A> fmt::Debug for Run<Op, T, E, M, C, J, K, A>
where
    M: Mode<Op>,
    M::Driver<Rules<C, J, K, A>>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("call", &self.driver).finish_non_exhaustive()
    }
}
