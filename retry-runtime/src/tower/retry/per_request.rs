//! What one request changes about the call that sends it.

use std::{fmt::Display, hash::Hash};

use crate::{
    Budget, Policy,
    run::{IntoBudget, Settings, Setup},
};

/// The call that will send a request, before it begins; for [`RetryLayer::per_request`](super::RetryLayer::per_request).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, tower::{PerRequest, RetryLayer}};
///
/// #[derive(Clone)]
/// struct Order {
///     id: String,
///     is_read: bool,
/// }
///
/// const POLICY: Policy = Policy::new();
///
/// let layer = RetryLayer::<u32, std::io::Error>::new(POLICY).per_request(
///     |order: &Order, call: &mut PerRequest| {
///         call.set_policy(call.policy().idempotent_if(order.is_read)).idempotency_key(&order.id);
///     },
/// );
/// # drop(layer);
/// ```
#[derive(Debug)]
pub struct PerRequest {
    setup: Setup<()>,
}

impl PerRequest {
    pub(super) const fn new(policy: Policy, settings: Settings) -> Self {
        Self { setup: Setup { policy, settings, rules: () } }
    }

    /// The call with these rules.
    pub(super) fn with<R>(self, rules: R) -> Setup<R> {
        let Setup { policy, settings, rules: () } = self.setup;
        Setup { policy, settings, rules }
    }

    /// The policy of the call.
    pub const fn policy(&self) -> Policy {
        self.setup.policy
    }

    /// Another policy: usually the [present one](Self::policy), changed.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::{PerRequest, RetryLayer}};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .per_request(|request: &String, call: &mut PerRequest| {
    ///         call.set_policy(call.policy().idempotent_if(request.starts_with("GET")));
    ///     });
    /// # drop(layer);
    /// ```
    pub const fn set_policy(&mut self, policy: Policy) -> &mut Self {
        self.setup.policy = policy;
        self
    }

    /// The name of the call's site, such as that of the operation. See [`RetryLayer::named`](super::RetryLayer::named).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::{PerRequest, RetryLayer}};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .per_request(|request: &String, call: &mut PerRequest| {
    ///         call.named(if request.starts_with("GET") { "orders.read" } else { "orders.write" });
    ///     });
    /// # drop(layer);
    /// ```
    pub fn named(&mut self, name: &'static str) -> &mut Self {
        self.setup.as_mut().named(name);
        self
    }

    /// What retries are paid from.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget};
    /// use stormless::{Policy, tower::{PerRequest, RetryLayer}};
    ///
    /// budget! { static WRITES: Budget = Budget::new("writes").burst(5); }
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .per_request(|request: &String, call: &mut PerRequest| {
    ///         if request.starts_with("POST") {
    ///             call.budget(&WRITES);
    ///         }
    ///     });
    /// # drop(layer);
    /// ```
    pub fn budget(&mut self, budget: impl IntoBudget) -> &mut Self {
        self.setup.as_mut().budget(budget);
        self
    }

    /// Retries are paid from the bucket of this key, such as the host, under the budget, and from the budget
    /// itself. See [`Budget::keyed`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget};
    /// use stormless::{Policy, tower::{PerRequest, RetryLayer}};
    ///
    /// budget! { static TENANTS: Budget = Budget::new("tenants"); }
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .per_request(|request: &String, call: &mut PerRequest| {
    ///         call.budget_key(&TENANTS, request.as_str());
    ///     });
    /// # drop(layer);
    /// ```
    pub fn budget_key(&mut self, budget: &'static Budget, key: &(impl Hash + ?Sized)) -> &mut Self {
        self.setup.as_mut().budget_key(budget, key);
        self
    }

    /// Nothing pays.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::{PerRequest, RetryLayer}};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .per_request(|request: &String, call: &mut PerRequest| {
    ///         if request == "health" {
    ///             call.no_budget();
    ///         }
    ///     });
    /// # drop(layer);
    /// ```
    pub fn no_budget(&mut self) -> &mut Self {
        self.setup.as_mut().no_budget();
        self
    }

    /// The key that all attempts share, from the request. Without it one is derived, or made at random.
    /// Attempts read it with [`current()`](crate::current), and
    /// [`Inject::idempotency_key`](crate::wire::Inject::idempotency_key) sends it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::{PerRequest, RetryLayer}};
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new())
    ///     .per_request(|request: &String, call: &mut PerRequest| {
    ///         call.idempotency_key(request);
    ///     });
    /// # drop(layer);
    /// ```
    pub fn idempotency_key(&mut self, key: impl Display) -> &mut Self {
        self.setup.as_mut().idempotency_key(key);
        self
    }
}
