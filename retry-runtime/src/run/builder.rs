//! A closure's call that has not begun, and the functions that it is given.

use std::{
    fmt,
    future::{Future, IntoFuture},
    marker::PhantomData,
    time::Duration,
};

use crate::{Classification, Cut, Policy, RetryEvent};

use super::{
    cutting::{ByError, ByFunction, Explained, Express},
    drive::Drive,
    hedged::HedgedDrive,
    hooks::{Adjusting, Hook, Nobody, Told},
    judging::{ByResult, ByTrait, Judging, WithClass},
    operation::Operation,
    rules::Rules,
    settings::Settings,
    setup::Setup,
};

/// Attempts are futures that outlive each call of the closure: [`Policy::run`].
#[derive(Clone, Copy, Debug)]
pub enum Awaited {}

/// The same, and slow attempts have others beside them: [`Run::hedge`].
#[derive(Clone, Copy, Debug)]
pub enum Hedging {}

/// Attempts borrow from the closure: [`Policy::run_mut`].
#[derive(Clone, Copy, Debug)]
pub enum Lending {}

/// Attempts run on the calling thread: [`Policy::run_blocking`].
#[derive(Clone, Copy, Debug)]
pub enum Blocking {}

/// A call of a closure that has not begun: what it runs, and what it was told.
///
/// From [`Policy::run`], [`Policy::run_mut`] and [`Policy::run_blocking`], or their suffix forms in
/// [`RetryExt`](super::RetryExt). What the attribute has keys for has methods here; what a
/// [`Policy`] says, such as `attempts` and `idempotent`, is said there: `POLICY.attempts(5).run(…)`.
#[must_use = "nothing runs until it is awaited, or until `.call()` where it comes from `run_mut` or `run_blocking`"]
pub struct Run<Op, T, E, M = Awaited, C = ByError<E>, J = ByTrait, K = Nobody, A = Nobody> {
    pub(super) operation: Op,
    pub(super) setup: Setup<C, J, K, A>,
    types: PhantomData<fn() -> (T, E, M)>,
}

impl<Op, T, E, M> Run<Op, T, E, M> {
    #[track_caller]
    pub(super) fn new(policy: Policy, operation: Op) -> Self {
        Self { operation, setup: Setup::new(policy), types: PhantomData }
    }
}

impl<Op, T, E, M, C, J, K, A> Run<Op, T, E, M, C, J, K, A> {
    /// What an error means, where its type is not [`Retryable`](crate::Retryable) or means something else
    /// here. A deadline that the call has inherited then ends no attempt, because a foreign error type
    /// cannot express that; one of its own does.
    pub fn classify<F>(self, classify: F) -> Run<Op, T, E, M, C, J::Judge, K, A>
    where
        J: WithClass<F>,
        F: FnMut(&E) -> Classification,
    {
        self.with(|setup| setup.classify(classify))
    }

    /// What a whole result means; asked first. `None` lets the result speak for itself. This is for an
    /// `Ok(response)` that is really a failure; the last one is returned unchanged.
    pub fn classify_result<F>(self, classify: F) -> Run<Op, T, E, M, C, ByResult<F, J>, K, A>
    where
        F: FnMut(&Result<T, E>) -> Option<Classification>,
    {
        self.with(|setup| setup.classify_result(classify))
    }

    /// Called before each wait, with the error, the attempt and the delay that will be slept. If it panics,
    /// that is counted, and changes nothing.
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
    pub fn adjust<F>(self, adjust: F) -> Run<Op, T, E, M, C, J, K, Hook<F>>
    where
        F: FnMut(&E, Duration) -> Option<Duration>,
    {
        self.with(|setup| setup.adjust(adjust))
    }

    /// The same call in another form.
    pub(super) fn form<N>(self) -> Run<Op, T, E, N, C, J, K, A> {
        Run { operation: self.operation, setup: self.setup, types: PhantomData }
    }

    pub(super) fn with<C2, J2, K2, A2>(
        self,
        with: impl FnOnce(Setup<C, J, K, A>) -> Setup<C2, J2, K2, A2>,
    ) -> Run<Op, T, E, M, C2, J2, K2, A2> {
        Run { operation: self.operation, setup: with(self.setup), types: PhantomData }
    }
}

impl<Op, T, E, M, J, K, A> Run<Op, T, E, M, ByError<E>, J, K, A> {
    /// How a call that was cut reports itself, where the error type has no `From` for that. It comes before
    /// the settings that cut: `attempt_timeout`, `deadline`, `breaker`, `shed`.
    pub fn cut_error<F>(self, cut_error: F) -> Run<Op, T, E, M, ByFunction<F>, J, K, A>
    where
        F: FnMut(Cut) -> E,
    {
        self.with(|setup| setup.cut_error(cut_error))
    }

    /// Makes the call's error a [`RetryError`](crate::RetryError): yours, with the number of attempts, the
    /// time slept and the reason. It can express every cut, and comes before the settings that cut.
    pub fn explain(self) -> Run<Op, T, E, M, Explained, J, K, A> {
        self.with(Setup::explain)
    }
}

/// Calls that are awaited, and the future of each.
#[diagnostic::on_unimplemented(
    message = "`run_mut(..)` ends in `.call().await`, and `run_blocking(..)` in `.call()`",
    label = "this call is not awaited by itself",
    note = "only `run(..)` and `.retry(..)` are"
)]
pub trait Form<O, R> {
    /// The call, under way.
    type Driver;

    #[doc(hidden)]
    fn drive(operation: O, policy: Policy, settings: Parts, rules: R) -> Self::Driver;
}

/// The settings of a call, which nobody else takes apart.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parts(Settings);

impl<O: Operation, R> Form<O, R> for Awaited {
    type Driver = Drive<O, R>;

    fn drive(operation: O, policy: Policy, settings: Parts, rules: R) -> Drive<O, R> {
        Drive::new(operation, policy, settings.0, rules)
    }
}

impl<O: Operation, R> Form<O, R> for Hedging {
    type Driver = HedgedDrive<O, R>;

    fn drive(operation: O, policy: Policy, settings: Parts, rules: R) -> HedgedDrive<O, R> {
        HedgedDrive::new(operation, policy, settings.0, rules)
    }
}

// One for all forms, so that the compiler says which of the bounds is not met.
impl<Op, T, E, M, C, J, K, A> IntoFuture for Run<Op, T, E, M, C, J, K, A>
where
    C: Express<T, E>,
    J: Judging<T, E>,
    K: Told<E>,
    A: Adjusting<E>,
    M: Form<Op, Rules<C, J, K, A>>,
    M::Driver: Future<Output = Result<T, C::Error>>,
{
    type Output = Result<T, C::Error>;
    type IntoFuture = M::Driver;

    fn into_future(self) -> M::Driver {
        let Setup { policy, settings, rules } = self.setup;
        M::drive(self.operation, policy, Parts(settings), rules)
    }
}

impl<Op, T, E, M, C, J, K, A> fmt::Debug for Run<Op, T, E, M, C, J, K, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("policy", &self.setup.policy)
            .field("settings", &self.setup.settings)
            .finish_non_exhaustive()
    }
}
