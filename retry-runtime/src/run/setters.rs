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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, sites};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
    /// assert!(sites().get("fetch").is_some());
    /// # }
    /// ```
    #[inline]
    pub fn named(self, name: &'static str) -> Self {
        self.set(|setup| setup.named(name))
    }

    /// What retries are paid from: a `&'static Budget`, the name of one, or the bucket of a key. Where
    /// nothing is said it is a bucket of the site's own.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Policy, StopReason, budget};
    /// use std::io;
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(1); }
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// let error = Policy::new().run(refused).budget(&ORDERS).explain().await.unwrap_err();
    /// assert_eq!((error.attempts(), error.reason()), (2, StopReason::BudgetExhausted));
    /// # }
    /// ```
    #[inline]
    pub fn budget(self, budget: impl IntoBudget) -> Self {
        self.set(|setup| setup.budget(budget))
    }

    /// Retries are paid from the bucket of this key under the budget, and from the budget itself. See
    /// [`Budget::keyed`].
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Policy, budget};
    /// use std::io;
    ///
    /// budget! { static HOSTS: Budget = Budget::new("hosts").burst(10); }
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// let _error = Policy::new().run(refused).budget_key(&HOSTS, "one.example").await;
    /// assert_eq!((HOSTS.keyed("one.example").balance(), HOSTS.balance()), (8.0, 8.0));
    /// # }
    /// ```
    #[inline]
    pub fn budget_key(self, budget: &'static Budget, key: &(impl Hash + ?Sized)) -> Self {
        self.set(|setup| setup.budget_key(budget, key))
    }

    /// Nothing pays: retries are limited by attempts and deadline alone.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, StopReason};
    /// use std::io;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// let call = Policy::new().attempts(20).run(refused).no_budget().explain();
    /// assert_eq!(call.await.unwrap_err().attempts(), 20);
    /// # }
    /// ```
    #[inline]
    pub fn no_budget(self) -> Self {
        self.set(|setup| setup.no_budget())
    }

    /// Lets a budget that [sheds](Budget::shed) refuse the call before its first attempt.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Policy, budget};
    ///
    /// budget! { static SEARCH: Budget = Budget::sre_throttling("search"); }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let find = async || Ok::<_, std::io::Error>(7);
    /// assert_eq!(Policy::new().run(find).budget(&SEARCH).shed().await?, 7);
    /// # Ok(())
    /// # }
    /// ```
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
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, BreakerOpen, Policy, breaker};
    ///
    /// breaker! { static ORDERS: Breaker = Breaker::new("orders"); }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// ORDERS.isolate();
    /// let call = Policy::new().run(async || Ok::<_, std::io::Error>(7)).breaker(&ORDERS);
    /// let error = call.await.unwrap_err();
    /// assert!(error.get_ref().is_some_and(|inner| inner.is::<BreakerOpen>()));
    /// # }
    /// ```
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

    /// Starts no attempt that would not end in the time left, by how long this site's attempts took lately; calls
    /// without a deadline, and sites of which fewer than 20 attempts are known, do not ask.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, Quantile};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let fetch = async || Ok::<_, std::io::Error>(7);
    /// let call = Policy::new().run(fetch).expect(Quantile::P90).deadline(Duration::from_secs(1));
    /// assert_eq!(call.await?, 7);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn expect(self, quantile: Quantile) -> Self {
        self.set(|setup| setup.expect(quantile))
    }

    /// The deadline of the whole call: a `Duration` from its first poll on, or an `Instant`. It is never
    /// later than that of an enclosing call. Sleeps do not run past it, and it ends a running attempt.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, StopReason};
    /// use std::{io, time::Duration};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let slow = async || std::future::pending::<io::Result<()>>().await;
    /// let call = Policy::new().run(slow).explain().deadline(Duration::from_secs(1));
    /// assert_eq!(call.await.unwrap_err().reason(), StopReason::DeadlineExceeded);
    /// # }
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, deadline};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let left = deadline::within(Duration::from_secs(1), async {
    ///     let clean_up = async || Ok::<_, std::io::Error>(deadline::remaining());
    ///     Policy::new().run(clean_up).no_deadline().await
    /// });
    /// assert_eq!(left.await.unwrap().unwrap(), None);
    /// # }
    /// ```
    #[inline]
    pub fn no_deadline(self) -> Self {
        self.set(|setup| setup.no_deadline())
    }

    /// For how long one attempt may run.
    ///
    /// Zero is a fault of the policy: the call then runs once, and the fault is a warning of the site.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::{io, time::Duration};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let slow = async || std::future::pending::<io::Result<()>>().await;
    /// let call = Policy::new().idempotent().run(slow).attempt_timeout(Duration::from_millis(200));
    /// assert_eq!(call.await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    /// # }
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> std::io::Result<()> {
    /// let slow = async || {
    ///     tokio::time::sleep(Duration::from_millis(300)).await;
    ///     Ok::<_, std::io::Error>(7)
    /// };
    /// let call = Policy::new()
    ///     .idempotent()
    ///     .run(slow)
    ///     .attempt_timeout(Duration::from_millis(200))
    ///     .last_attempt_untimed()
    ///     .deadline(Duration::from_secs(2));
    /// assert_eq!(call.await?, 7);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn last_attempt_untimed(self) -> Self
    where
        M: Interruptible,
    {
        self.set(|setup| setup.last_attempt_untimed())
    }

    /// The key that all attempts share, from your own data. Without it one is derived, or made at random.
    /// Attempts read it with [`current()`](crate::current).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let send = async || Ok::<_, std::io::Error>(current().unwrap().idempotency_key());
    /// let key = Policy::new().run(send).idempotency_key("order-17").await?;
    /// assert_eq!(key.as_str(), "order-17");
    /// # Ok(())
    /// # }
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> std::io::Result<()> {
    /// let read = async || {
    ///     let number = current().unwrap().number();
    ///     if number == 1 {
    ///         tokio::time::sleep(Duration::from_secs(10)).await;
    ///     }
    ///     Ok::<_, std::io::Error>(number)
    /// };
    /// let call = Policy::new().idempotent().run(read).hedge(Duration::from_millis(100));
    /// assert_eq!(call.await?, 2, "the second one was faster");
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn hedge(self, after: impl IntoHedge) -> Run<Op, T, E, Hedging, C, J, K, A> {
        self.set(|setup| setup.hedge(after)).form()
    }
}

impl<Op: Operation, T, E, C, J, K, A> Run<Op, T, E, Hedging, C, J, K, A> {
    /// How many attempts may start beside the first of a round. 1 where nothing is said; with 0 none does.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> std::io::Result<()> {
    /// let read = async || {
    ///     let number = current().unwrap().number();
    ///     if number < 3 {
    ///         tokio::time::sleep(Duration::from_secs(10)).await;
    ///     }
    ///     Ok::<_, std::io::Error>(number)
    /// };
    /// let policy = Policy::new().idempotent();
    /// let call = policy.run(read).hedge(Duration::from_millis(100)).hedge_max(2);
    /// assert_eq!(call.await?, 3);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn hedge_max(self, max: u32) -> Self {
        self.set(|setup| setup.hedge_max(max))
    }
}

impl<Op, T, E, M: Mode<Op>, J, K, A> Run<Op, T, E, M, ByError<E>, J, K, A> {
    /// A [`deadline`](Self::deadline) that stops retries and sleeps, but cannot stop a running attempt: for
    /// errors that cannot express that.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Policy, StopReason};
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let call = Policy::new()
    ///     .base(Duration::from_secs(60))
    ///     .max(Duration::from_secs(60))
    ///     .backoff(stormless::Backoff::Fixed)
    ///     .run(async || Err::<(), _>("refused"))
    ///     .classify(|_| Classification::transient())
    ///     .uncut_deadline(Duration::from_secs(1));
    /// assert_eq!(call.await, Err("refused"), "there is no time for the wait");
    /// # }
    /// ```
    #[inline]
    pub fn uncut_deadline(self, deadline: impl IntoDeadline) -> Self {
        self.set(|setup| {
            setup.rules.cuts.uncut();
            setup.deadline(deadline);
        })
    }
}
