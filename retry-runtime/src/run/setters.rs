//! The settings of a closure's call that are values.

use std::{fmt::Display, hash::Hash, time::Duration};

use crate::{Budget, Quantile, deadline::IntoDeadline};

use super::{
    builder::{Awaited, Hedging, Lending, Run},
    cutting::{ByError, CutByDeadline, CutByRefusal, CutByTimeout},
    setup::{IntoBreaker, IntoBudget, IntoHedge},
};

/// Attempts that can be ended while they run: those that are futures.
#[diagnostic::on_unimplemented(
    message = "an attempt that runs on its thread cannot be ended",
    label = "`run_blocking` has no limits on a running attempt"
)]
pub trait Interruptible {}

impl Interruptible for Awaited {}
impl Interruptible for Hedging {}
impl Interruptible for Lending {}

impl<Op, T, E, M, C, J, K, A> Run<Op, T, E, M, C, J, K, A> {
    /// The name of the call's site in reports, tables and switches. Calls of one name share a site, wherever
    /// they stand, with its counters and its bucket. Without a name it is `file:line` of the call.
    pub fn named(mut self, name: &'static str) -> Self {
        self.setup.named(name);
        self
    }

    /// What retries are paid from: a `&'static Budget`, the name of one, or the bucket of a key. Where
    /// nothing is said it is a bucket of the site's own.
    pub fn budget(mut self, budget: impl IntoBudget) -> Self {
        self.setup.budget(budget);
        self
    }

    /// Retries are paid from the bucket of this key under the budget, and from the budget itself. See
    /// [`Budget::keyed`].
    pub fn budget_key(mut self, budget: &'static Budget, key: &(impl Hash + ?Sized)) -> Self {
        self.setup.budget_key(budget, key);
        self
    }

    /// Nothing pays: retries are limited by attempts and deadline alone.
    pub fn no_budget(mut self) -> Self {
        self.setup.no_budget();
        self
    }

    /// Lets a budget that [sheds](Budget::shed) refuse the call before its first attempt.
    pub fn shed(mut self) -> Self
    where
        C: CutByRefusal<E>,
    {
        self.setup.rules.cuts.by_refusal();
        self.setup.shed();
        self
    }

    /// Which breaker is asked before each attempt: a `&'static Breaker`, or the name of one.
    pub fn breaker(mut self, breaker: impl IntoBreaker) -> Self
    where
        C: CutByRefusal<E>,
    {
        self.setup.rules.cuts.by_refusal();
        self.setup.breaker(breaker);
        self
    }

    /// Starts no attempt that would not end in the time left, by how long this site's attempts took lately.
    pub fn expect(mut self, quantile: Quantile) -> Self {
        self.setup.expect(quantile);
        self
    }

    /// The deadline of the whole call: a `Duration` from its first poll on, or an `Instant`. It is never
    /// later than that of an enclosing call. Sleeps do not run past it, and it ends a running attempt.
    pub fn deadline(mut self, deadline: impl IntoDeadline) -> Self
    where
        C: CutByDeadline<E>,
    {
        self.setup.rules.cuts.by_deadline();
        self.setup.deadline(deadline);
        self
    }

    /// Steps out of an inherited deadline, for work that is to be done in any case.
    pub fn no_deadline(mut self) -> Self {
        self.setup.no_deadline();
        self
    }

    /// For how long one attempt may run.
    ///
    /// Zero is a fault of the policy: the call then runs once, and the fault is a warning of the site.
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self
    where
        M: Interruptible,
        C: CutByTimeout<E>,
    {
        self.setup.rules.cuts.by_timeout();
        self.setup.attempt_timeout(timeout);
        self
    }

    /// Lets the last attempt use all that is left of the deadline.
    pub fn last_attempt_untimed(mut self) -> Self
    where
        M: Interruptible,
    {
        self.setup.last_attempt_untimed();
        self
    }

    /// The key that all attempts share, from your own data. Without it one is derived, or made at random.
    /// Attempts read it with [`current()`](crate::current).
    pub fn idempotency_key(mut self, key: impl Display) -> Self {
        self.setup.idempotency_key(key);
        self
    }
}

impl<Op, T, E, C, J, K, A> Run<Op, T, E, Awaited, C, J, K, A> {
    /// Where no attempt has answered after this long, another one starts beside it, and the first answer
    /// wins: after a `Duration`, or after as long as that part of this site's attempts took lately, such as
    /// [`Quantile::P95`].
    ///
    /// It happens only where the policy is [`idempotent`](crate::Policy::idempotent), since two attempts run
    /// side by side, and each one is paid for like a retry. Zero is a fault of the policy.
    pub fn hedge(mut self, after: impl IntoHedge) -> Run<Op, T, E, Hedging, C, J, K, A> {
        self.setup.hedge(after);
        self.form()
    }
}

impl<Op, T, E, C, J, K, A> Run<Op, T, E, Hedging, C, J, K, A> {
    /// How many attempts may start beside the first of a round. 1 where nothing is said.
    pub fn hedge_max(mut self, max: u32) -> Self {
        self.setup.hedge_max(max);
        self
    }
}

impl<Op, T, E, M, J, K, A> Run<Op, T, E, M, ByError<E>, J, K, A> {
    /// A [`deadline`](Self::deadline) that stops retries and sleeps, but cannot stop a running attempt: for
    /// errors that cannot express that.
    pub fn uncut_deadline(mut self, deadline: impl IntoDeadline) -> Self {
        self.setup.rules.cuts.uncut();
        self.setup.deadline(deadline);
        self
    }
}
