//! The settings of a closure's call that are values.

use std::{fmt::Display, hash::Hash, time::Duration};

use crate::{Budget, Quantile, deadline::IntoDeadline};

use super::{
    asked::{IntoBreaker, IntoBudget, IntoHedge},
    builder::Run,
    cutting::{ByError, CutByDeadline, CutByRefusal, CutByTimeout},
    mode::{Awaited, Hedging, Interruptible, Mode},
    operation::Operation,
};

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method is one for a single lifetime, where it is named"
)]
impl<Op, T, E, M: Mode<Op>, C, J, K, A> Run<Op, T, E, M, C, J, K, A> {
    /// The name of the call's site in reports, tables and switches. Calls of one name share a site, wherever
    /// they stand, with its counters and its bucket. Without a name it is `file:line` of the call.
    #[inline]
    pub fn named(self, name: &'static str) -> Self {
        self.set(|setup| setup.named(name))
    }

    /// What retries are paid from: a `&'static Budget`, the name of one, or the bucket of a key. Where
    /// nothing is said it is a bucket of the site's own.
    #[inline]
    pub fn budget(self, budget: impl IntoBudget) -> Self {
        self.set(|setup| setup.budget(budget))
    }

    /// Retries are paid from the bucket of this key under the budget, and from the budget itself. See
    /// [`Budget::keyed`].
    #[inline]
    pub fn budget_key(self, budget: &'static Budget, key: &(impl Hash + ?Sized)) -> Self {
        self.set(|setup| setup.budget_key(budget, key))
    }

    /// Nothing pays: retries are limited by attempts and deadline alone.
    #[inline]
    pub fn no_budget(self) -> Self {
        self.set(|setup| setup.no_budget())
    }

    /// Lets a budget that [sheds](Budget::shed) refuse the call before its first attempt.
    #[inline]
    pub fn shed(self) -> Self
    where
        C: CutByRefusal<E>,
    {
        self.set(|setup| {
            setup.rules.cuts.by_refusal();
            setup.shed();
        })
    }

    /// Which breaker is asked before each attempt: a `&'static Breaker`, or the name of one.
    #[inline]
    pub fn breaker(self, breaker: impl IntoBreaker) -> Self
    where
        C: CutByRefusal<E>,
    {
        self.set(|setup| {
            setup.rules.cuts.by_refusal();
            setup.breaker(breaker);
        })
    }

    /// Starts no attempt that would not end in the time left, by how long this site's attempts took lately.
    #[inline]
    pub fn expect(self, quantile: Quantile) -> Self {
        self.set(|setup| setup.expect(quantile))
    }

    /// The deadline of the whole call: a `Duration` from its first poll on, or an `Instant`. It is never
    /// later than that of an enclosing call. Sleeps do not run past it, and it ends a running attempt.
    #[inline]
    pub fn deadline(self, deadline: impl IntoDeadline) -> Self
    where
        C: CutByDeadline<E>,
    {
        self.set(|setup| {
            setup.rules.cuts.by_deadline();
            setup.deadline(deadline);
        })
    }

    /// Steps out of an inherited deadline, for work that is to be done in any case.
    #[inline]
    pub fn no_deadline(self) -> Self {
        self.set(|setup| setup.no_deadline())
    }

    /// For how long one attempt may run.
    ///
    /// Zero is a fault of the policy: the call then runs once, and the fault is a warning of the site.
    #[inline]
    pub fn attempt_timeout(self, timeout: Duration) -> Self
    where
        M: Interruptible,
        C: CutByTimeout<E>,
    {
        self.set(|setup| {
            setup.rules.cuts.by_timeout();
            setup.attempt_timeout(timeout);
        })
    }

    /// Lets the last attempt use all that is left of the deadline.
    #[inline]
    pub fn last_attempt_untimed(self) -> Self
    where
        M: Interruptible,
    {
        self.set(|setup| setup.last_attempt_untimed())
    }

    /// The key that all attempts share, from your own data. Without it one is derived, or made at random.
    /// Attempts read it with [`current()`](crate::current).
    #[inline]
    pub fn idempotency_key(self, key: impl Display) -> Self {
        self.set(|setup| setup.idempotency_key(key))
    }
}

impl<Op: Operation, T, E, C, J, K, A> Run<Op, T, E, Awaited, C, J, K, A> {
    /// Where no attempt has answered after this long, another one starts beside it, and the first answer
    /// wins: after a `Duration`, or after as long as that part of this site's attempts took lately, such as
    /// [`Quantile::P95`].
    ///
    /// It happens only where the policy is [`idempotent`](crate::Policy::idempotent), since two attempts run
    /// side by side, and each one is paid for like a retry. Zero is a fault of the policy.
    #[inline]
    pub fn hedge(self, after: impl IntoHedge) -> Run<Op, T, E, Hedging, C, J, K, A> {
        self.set(|setup| setup.hedge(after)).form()
    }
}

impl<Op: Operation, T, E, C, J, K, A> Run<Op, T, E, Hedging, C, J, K, A> {
    /// How many attempts may start beside the first of a round. 1 where nothing is said.
    #[inline]
    pub fn hedge_max(self, max: u32) -> Self {
        self.set(|setup| setup.hedge_max(max))
    }
}

impl<Op, T, E, M: Mode<Op>, J, K, A> Run<Op, T, E, M, ByError<E>, J, K, A> {
    /// A [`deadline`](Self::deadline) that stops retries and sleeps, but cannot stop a running attempt: for
    /// errors that cannot express that.
    #[inline]
    pub fn uncut_deadline(self, deadline: impl IntoDeadline) -> Self {
        self.set(|setup| {
            setup.rules.cuts.uncut();
            setup.deadline(deadline);
        })
    }
}
