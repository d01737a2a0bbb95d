//! The settings of a layer that are values. Each is what it is for a closure's call.

use std::{hash::Hash, time::Duration};

use super::layer::RetryLayer;
use crate::{
    Budget, Policy, Quantile,
    run::{
        Awaited, ByError, CutByDeadline, CutByRefusal, CutByTimeout, Hedging, IntoBreaker,
        IntoBudget, IntoHedge,
    },
};

impl<T, E, M, C, J, K, A, Q> RetryLayer<T, E, M, C, J, K, A, Q> {
    /// Another policy.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .policy(Policy::new().attempts(5));
    /// # drop(layer);
    /// ```
    pub fn policy(mut self, policy: Policy) -> Self {
        self.setup.policy = policy;
        self
    }

    /// The name of the calls' site in reports, tables and switches. Calls of one name share a site, wherever
    /// they come from, with its counters and its bucket. Without a name it is `file:line` of the layer.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .named("orders.fetch");
    /// # drop(layer);
    /// ```
    pub fn named(mut self, name: &'static str) -> Self {
        self.setup.as_mut().named(name);
        self
    }

    /// What retries are paid from: a `&'static Budget`, the name of one, or the bucket of a key. Where
    /// nothing is said it is a bucket of the site's own.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget};
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .budget(&ORDERS);
    /// # drop(layer);
    /// ```
    pub fn budget(mut self, budget: impl IntoBudget) -> Self {
        self.setup.as_mut().budget(budget);
        self
    }

    /// Retries are paid from the bucket of this key under the budget, and from the budget itself. See
    /// [`Budget::keyed`], and [`per_request`](Self::per_request) for a key of each request.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget};
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .budget_key(&ORDERS, "one.example");
    /// # drop(layer);
    /// ```
    pub fn budget_key(mut self, budget: &'static Budget, key: &(impl Hash + ?Sized)) -> Self {
        self.setup.as_mut().budget_key(budget, key);
        self
    }

    /// Nothing pays: retries are limited by attempts and deadline alone.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .no_budget();
    /// # drop(layer);
    /// ```
    pub fn no_budget(mut self) -> Self {
        self.setup.as_mut().no_budget();
        self
    }

    /// Lets a budget that [sheds](Budget::shed) refuse a call before its first attempt.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget};
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// budget! { static SEARCH: Budget = Budget::sre_throttling("search"); }
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .budget(&SEARCH)
    ///     .shed();
    /// # drop(layer);
    /// ```
    pub fn shed(mut self) -> Self
    where
        C: CutByRefusal<E>,
    {
        self.setup.rules.cuts.by_refusal();
        self.setup.as_mut().shed();
        self
    }

    /// Which breaker is asked before each attempt: a `&'static Breaker`, or the name of one.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, breaker};
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// breaker! { static ORDERS: Breaker = Breaker::new("orders"); }
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .breaker(&ORDERS);
    /// # drop(layer);
    /// ```
    pub fn breaker(mut self, breaker: impl IntoBreaker) -> Self
    where
        C: CutByRefusal<E>,
    {
        self.setup.rules.cuts.by_refusal();
        self.setup.as_mut().breaker(breaker);
        self
    }

    /// Starts no attempt that would not end in the time left, by how long this site's attempts took lately.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::Quantile;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .expect(Quantile::P90)
    ///     .deadline(Duration::from_secs(2));
    /// # drop(layer);
    /// ```
    pub fn expect(mut self, quantile: Quantile) -> Self {
        self.setup.as_mut().expect(quantile);
        self
    }

    /// The time that a whole call has, from its future's first poll on; `None` for no limit. Its deadline is
    /// never later than that of an enclosing call. Sleeps do not run past it, and it ends a running attempt.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .deadline(Duration::from_secs(2));
    /// # drop(layer);
    /// ```
    pub fn deadline(mut self, time: impl Into<Option<Duration>>) -> Self
    where
        C: CutByDeadline<E>,
    {
        self.setup.rules.cuts.by_deadline();
        self.setup.as_mut().deadline(time.into());
        self
    }

    /// Steps out of an inherited deadline, for work that is to be done in any case.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .no_deadline();
    /// # drop(layer);
    /// ```
    pub fn no_deadline(mut self) -> Self {
        self.setup.as_mut().no_deadline();
        self
    }

    /// For how long one attempt may run. From the second attempt on, that includes the wait until the service
    /// is ready.
    ///
    /// Zero is a fault of the policy: calls then run once, and the fault is a warning of the site.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .attempt_timeout(Duration::from_millis(500));
    /// # drop(layer);
    /// ```
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self
    where
        C: CutByTimeout<E>,
    {
        self.setup.rules.cuts.by_timeout();
        self.setup.as_mut().attempt_timeout(timeout);
        self
    }

    /// Lets the last attempt use all that is left of the deadline.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .attempt_timeout(Duration::from_millis(500))
    ///     .last_attempt_untimed()
    ///     .deadline(Duration::from_secs(2));
    /// # drop(layer);
    /// ```
    pub fn last_attempt_untimed(mut self) -> Self {
        self.setup.as_mut().last_attempt_untimed();
        self
    }
}

impl<T, E, C, J, K, A, Q> RetryLayer<T, E, Awaited, C, J, K, A, Q> {
    /// Where no attempt has answered after this long, another one starts beside it, and the first answer
    /// wins: after a `Duration`, or after as long as that part of this site's attempts took lately, such as
    /// [`Quantile::P95`].
    ///
    /// It happens only where the policy is [`idempotent`](crate::Policy::idempotent), since two attempts run
    /// side by side, and where the request can be cloned. Each one is paid for like a retry. Zero is a fault of
    /// the policy.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new().idempotent())
    ///     .hedge(Duration::from_millis(100));
    /// # drop(layer);
    /// ```
    pub fn hedge(mut self, after: impl IntoHedge) -> RetryLayer<T, E, Hedging, C, J, K, A, Q> {
        self.setup.as_mut().hedge(after);
        self.form()
    }
}

impl<T, E, C, J, K, A, Q> RetryLayer<T, E, Hedging, C, J, K, A, Q> {
    /// How many attempts may start beside the first of a round. 1 where nothing is said; with 0 none does.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new().idempotent())
    ///     .hedge(Duration::from_millis(100))
    ///     .hedge_max(2);
    /// # drop(layer);
    /// ```
    pub fn hedge_max(mut self, max: u32) -> Self {
        self.setup.as_mut().hedge_max(max);
        self
    }
}

impl<T, E, M, J, K, A, Q> RetryLayer<T, E, M, ByError<E>, J, K, A, Q> {
    /// A [`deadline`](Self::deadline) that stops retries and sleeps, but cannot stop a running attempt: for
    /// errors that cannot express that.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .uncut_deadline(Duration::from_secs(2));
    /// # drop(layer);
    /// ```
    pub fn uncut_deadline(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.setup.rules.cuts.uncut();
        self.setup.as_mut().deadline(time.into());
        self
    }
}
