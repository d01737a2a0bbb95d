//! The layer, and the functions that it is given.

use std::{fmt, marker::PhantomData, time::Duration};

use tower_layer::Layer;

use super::{
    sending::{ByClone, Sending, Unprepared},
    service::RetryService,
};
use crate::{
    Classification, Cut, Policy, RetryEvent,
    run::{
        Awaited, ByError, ByFunction, ByResult, ByTrait, Explained, Hook, Nobody, Rules, Setup,
        WithClass,
    },
};

/// The layer that retries: each call of the service inside is one call, as that of an annotated function is.
///
/// It nests, pays and ends as those do, and has their settings. `T` and `E` are the service's response and
/// error, which need not be said: they are known where the service is.
///
/// ```
/// # use retry_runtime as stormless;
/// # use tower_layer::Layer;
/// # use tower_service::Service;
/// use std::time::Duration;
/// use stormless::{Budget, Policy, budget, tower::RetryLayer};
///
/// budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }
/// const POLICY: Policy = Policy::new().base(Duration::from_millis(50)).max(Duration::from_secs(1));
///
/// # fn decorate<S>(client: S) -> impl Service<String, Response = u64, Error = std::io::Error> + Clone
/// # where S: Service<String, Response = u64, Error = std::io::Error> + Clone {
/// // `ServiceBuilder::new().layer(…).service(client)` is the same.
/// let client = RetryLayer::new(POLICY)
///     .named("orders")
///     .budget(&ORDERS)
///     .deadline(Duration::from_secs(2))
///     .layer(client);
/// # client
/// # }
/// ```
///
/// # What is sent
///
/// An attempt sends a clone of the request, but where no other attempt can follow it sends the request itself:
/// on the last attempt, inside a call that does the retrying, or with retries switched off. Requests that are
/// not [`Clone`] need [`clone_with`](Self::clone_with).
///
/// # Readiness
///
/// `poll_ready` is that of the service inside. The first attempt calls the service that was waited for; each
/// later one waits for a clone of its own, as a part of the attempt: its limits are about the wait too, and where
/// the service says that it will never be ready, that is a failure like others. No clone that has been waited for
/// is kept while the call sleeps, so that a slot of a `ConcurrencyLimit` is free meanwhile.
///
/// # Responses
///
/// A response is a success unless [`classify_result`](Self::classify_result) says otherwise. One that is followed
/// by another attempt is dropped before the wait, and with it its body; the last one is returned as it came.
#[must_use = "a layer does nothing until a service is put into it"]
pub struct RetryLayer<
    T,
    E,
    M = Awaited,
    C = ByError<E>,
    J = ByTrait,
    K = Nobody,
    A = Nobody,
    Q = Sending,
> {
    pub(super) setup: Setup<Rules<C, J, K, A>>,
    pub(super) sending: Q,
    types: PhantomData<Types<T, E, M>>,
}

/// What a layer has to do with, and has nothing of.
type Types<T, E, M> = fn() -> (T, E, M);

impl<T, E> RetryLayer<T, E> {
    /// With this policy. The site of the calls is where this stands, unless they are [named](Self::named).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .named("orders");
    /// # drop(layer);
    /// ```
    #[track_caller]
    pub fn new(policy: Policy) -> Self {
        let sending = Sending { cloning: ByClone, preparing: Unprepared };
        Self { setup: Setup::new(policy), sending, types: PhantomData }
    }
}

impl<T, E, M, C, J, K, A, Q> RetryLayer<T, E, M, C, J, K, A, Q> {
    /// What an error means, where its type is not [`Retryable`](crate::Retryable) or means something else
    /// here. A deadline that a call has inherited then ends no attempt, because a foreign error type cannot
    /// express that; one of its own does.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Retryable};
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .classify(|error: &std::io::Error| match error.kind() {
    ///         std::io::ErrorKind::Other => Classification::transient(),
    ///         _ => error.classify(),
    ///     });
    /// # drop(layer);
    /// ```
    pub fn classify<F>(self, classify: F) -> RetryLayer<T, E, M, C, J::Judge, K, A, Q>
    where
        J: WithClass<F>,
        F: Fn(&E) -> Classification + Clone,
    {
        self.with(|setup| setup.classify(classify))
    }

    /// What a whole result means; asked first. `None` lets the result speak for itself. This is for an
    /// `Ok(response)` that is really a failure; the last one is returned unchanged.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Classification;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .classify_result(|result: &Result<u32, _>| match result {
    ///         Ok(0) => Some(Classification::transient()), // nothing there yet
    ///         _ => None,
    ///     });
    /// # drop(layer);
    /// ```
    pub fn classify_result<F>(self, classify: F) -> RetryLayer<T, E, M, C, ByResult<F, J>, K, A, Q>
    where
        F: Fn(&Result<T, E>) -> Option<Classification> + Clone,
    {
        self.with(|setup| setup.classify_result(classify))
    }

    /// Called before each wait, with the error, the attempt and the delay that will be slept. If it panics,
    /// that is counted, and changes nothing.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::RetryEvent;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .on_retry(|event: &RetryEvent<'_, std::io::Error>| {
    ///         eprintln!("attempt {} failed: {:?}", event.attempt(), event.error());
    ///     });
    /// # drop(layer);
    /// ```
    pub fn on_retry<F>(self, hook: F) -> RetryLayer<T, E, M, C, J, Hook<F>, A, Q>
    where
        F: Fn(&RetryEvent<'_, E>) + Clone,
    {
        self.with(|setup| setup.on_retry(hook))
    }

    /// Asked for the delay of each retry, with the error and the delay that was drawn; `None` ends the call,
    /// and the reason is [`StopReason::Declined`](crate::StopReason::Declined). See
    /// [`Run::adjust`](crate::run::Run::adjust).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .adjust(|_error: &std::io::Error, delay| Some(delay * 2));
    /// # drop(layer);
    /// ```
    pub fn adjust<F>(self, adjust: F) -> RetryLayer<T, E, M, C, J, K, Hook<F>, Q>
    where
        F: Fn(&E, Duration) -> Option<Duration> + Clone,
    {
        self.with(|setup| setup.adjust(adjust))
    }

    /// The same layer with something else to know about its requests.
    pub(super) fn sending<Q2>(
        self,
        with: impl FnOnce(Q) -> Q2,
    ) -> RetryLayer<T, E, M, C, J, K, A, Q2> {
        RetryLayer { setup: self.setup, sending: with(self.sending), types: PhantomData }
    }

    /// The same layer in another form.
    pub(super) fn form<N>(self) -> RetryLayer<T, E, N, C, J, K, A, Q> {
        RetryLayer { setup: self.setup, sending: self.sending, types: PhantomData }
    }

    fn with<C2, J2, K2, A2>(
        self,
        with: impl FnOnce(Setup<Rules<C, J, K, A>>) -> Setup<Rules<C2, J2, K2, A2>>,
    ) -> RetryLayer<T, E, M, C2, J2, K2, A2, Q> {
        RetryLayer { setup: with(self.setup), sending: self.sending, types: PhantomData }
    }
}

impl<T, E, M, J, K, A, Q> RetryLayer<T, E, M, ByError<E>, J, K, A, Q> {
    /// How a call that was cut reports itself, where the error type has no `From` for that. It comes before
    /// the settings that cut: `attempt_timeout`, `deadline`, `breaker`, `shed`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .cut_error(|cut| std::io::Error::other(cut))
    ///     .deadline(Duration::from_secs(2));
    /// # drop(layer);
    /// ```
    pub fn cut_error<F>(self, cut_error: F) -> RetryLayer<T, E, M, ByFunction<F>, J, K, A, Q>
    where
        F: Fn(Cut) -> E + Clone,
    {
        self.with(|setup| setup.cut_error(cut_error))
    }

    /// Makes the error of calls a [`RetryError`](crate::RetryError): the service's, with the number of
    /// attempts, the time slept and the reason. It can express every cut, and comes before the settings that
    /// cut.
    ///
    /// An error of `poll_ready` becomes one too, of no attempts, because no call has begun.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .explain()
    ///     .attempt_timeout(Duration::from_millis(500));
    /// # drop(layer);
    /// ```
    pub fn explain(self) -> RetryLayer<T, E, M, Explained, J, K, A, Q> {
        self.with(Setup::explain)
    }
}

impl<S, T, E, M, C, J, K, A, Q> Layer<S> for RetryLayer<T, E, M, C, J, K, A, Q>
where
    Self: Clone,
{
    type Service = RetryService<S, Self>;

    fn layer(&self, inner: S) -> RetryService<S, Self> {
        RetryService::new(inner, self.clone())
    }
}

/// Not derived: nothing of the service's is in it.
impl<T, E, M, C, J, K, A, Q> Clone for RetryLayer<T, E, M, C, J, K, A, Q>
where
    C: Clone,
    J: Clone,
    K: Clone,
    A: Clone,
    Q: Clone,
{
    fn clone(&self) -> Self {
        Self { setup: self.setup.clone(), sending: self.sending.clone(), types: PhantomData }
    }
}

impl<T, E, M, C, J, K, A, Q> fmt::Debug for RetryLayer<T, E, M, C, J, K, A, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryLayer")
            .field("policy", &self.setup.policy)
            .field("settings", &self.setup.settings)
            .finish_non_exhaustive()
    }
}
