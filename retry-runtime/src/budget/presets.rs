//! Published algorithms, each as its source has it.

use std::borrow::Cow;
use std::time::Duration;

use super::build::no_bucket;
use super::flight::Flight;
use super::options::{BEGINS, ENDS, Earning, FAILURES, SAMPLES, TIMES};
use super::sync::{AtomicU32, AtomicU64};
use super::window::{WHOLE, Window};
use super::{Budget, Refund, UNITS_OF_FAILURE};
use crate::{ConfigError, Kind};

impl Budget {
    /// The AWS SDKs' standard mode of 2026: 500 tokens; a retry costs 14, after a throttled failure 5. A
    /// retry that succeeds gives back what it cost, a call that succeeds at once earns 1. Nothing else
    /// earns. [`Policy::aws_standard`](crate::Policy::aws_standard) has the delays that belong to it.
    ///
    /// Source: AWS SDKs and Tools Reference Guide, "Retry behavior",
    /// <https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html>.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, Classification, engine::Moment};
    ///
    /// let budget = Budget::aws_standard("s3");
    /// let failure = Classification::transient();
    /// let now = Moment::from_nanos(0);
    /// let granted = (0..100).filter(|_| budget.withdraw_for(&failure, 1, now).is_some()).count();
    /// assert_eq!(granted, 500 / 14);
    /// ```
    #[must_use]
    pub const fn aws_standard(name: &'static str) -> Self {
        Self::tokens(name, 500, 14, 1)
            .cost_of(Kind::Throttled, 5)
            .earning(Earning::Successes)
            .refund(Refund::LastCost)
    }

    /// The AWS SDKs' standard mode before 2026: 500 tokens; a retry costs 5, after a timeout 10. A retry
    /// that succeeds gives back what it cost, a call that succeeds at once earns 1.
    ///
    /// Source: the constants of the SDK for JavaScript,
    /// <https://github.com/aws/aws-sdk-js-v3/pull/1258>.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, Classification, engine::Moment};
    ///
    /// let budget = Budget::aws_legacy("s3");
    /// let failure = Classification::timeout();
    /// let now = Moment::from_nanos(0);
    /// let granted = (0..200).filter(|_| budget.withdraw_for(&failure, 1, now).is_some()).count();
    /// assert_eq!(granted, 500 / 10);
    /// ```
    #[must_use]
    pub const fn aws_legacy(name: &'static str) -> Self {
        Self::tokens(name, 500, 5, 1)
            .cost_of(Kind::Timeout, 10)
            .earning(Earning::Successes)
            .refund(Refund::LastCost)
    }

    /// gRPC's retry throttling: `max_tokens` tokens, from 1 to 1,000; each failed attempt that is
    /// retryable, or that asked for no retry, takes one, each success adds `token_ratio`, of which three
    /// decimals count. Retries are granted while there is more than half of `max_tokens`, and take
    /// nothing themselves. Failures of this process's own do not count.
    ///
    /// Source: gRPC proposal A6, "Throttling Retry Attempts and Hedged RPCs",
    /// <https://github.com/grpc/proposal/blob/master/A6-client-retries.md>.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, Classification, engine::Moment};
    ///
    /// let budget = Budget::grpc_throttling("orders", 10, 0.1);
    /// let now = Moment::from_nanos(0);
    /// (0..4).for_each(|_| budget.failed(&Classification::transient(), None, now));
    /// assert!(budget.withdraw(1, now).is_some(), "six of ten are left");
    /// budget.failed(&Classification::transient(), None, now);
    /// assert!(budget.withdraw(1, now).is_none(), "five are no more than half");
    /// ```
    #[must_use]
    pub const fn grpc_throttling(name: &'static str, max_tokens: u32, token_ratio: f64) -> Self {
        if max_tokens == 0 || max_tokens > 1_000 {
            let fault = ConfigError::OutOfRange {
                setting: "max_tokens",
                given: max_tokens as f64,
                least: 1.0,
                most: 1_000.0,
            };
            return Self::new(name).with_fault(fault);
        }
        if !token_ratio.is_finite() || token_ratio < 0.001 {
            return Self::new(name).with_fault(ConfigError::Ratio(token_ratio));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive, and what is too large saturates, above every capacity"
        )]
        // What floats lack to the decimal that was written is far less than the millionth.
        let earned = (token_ratio * 1_000.0 + 1e-6) as u64;
        let capacity = max_tokens as u64 * UNITS_OF_FAILURE;
        let mut budget = Self::bucket(Cow::Borrowed(name), capacity, UNITS_OF_FAILURE, earned);
        budget.options.half_full = true;
        budget.options.hooks = SAMPLES | FAILURES;
        budget.earning(Earning::Successes).with_name_checked(name)
    }

    /// Finagle's `RetryBudget` as its `RetryFilter` uses it: each request, once its first attempt has
    /// ended, deposits a fifth of a retry, which expires after 10 s; beside that there are 10 retries a
    /// second, which may come as 100 at once. Change the three numbers with [`ratio`](Self::ratio),
    /// [`window`](Self::window) and [`reserve`](Self::reserve).
    ///
    /// Deposits by request keep a collapsed dependency collapsed: in a collapse there are as many
    /// requests as ever, so retries go on at a fifth of the load, and the reserve besides. Of a server
    /// for 300 requests a second under 280, an outage of 10 s is enough that it never recovers, already
    /// with a tenth. Prefer [`finagle_per_success`](Self::finagle_per_success), or better a bucket of
    /// [`Budget::new`], whose reserve does not come back by time.
    ///
    /// Source: `RetryBudget.scala` and `RetryFilter.scala`,
    /// <https://github.com/twitter/finagle/tree/develop/finagle-core/src/main/scala/com/twitter/finagle/service>.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::finagle_per_request("orders");
    /// let now = Moment::from_nanos(0);
    /// let granted = (0..200).filter(|_| budget.withdraw(1, now).is_some()).count();
    /// assert_eq!(granted, 100, "the reserve of ten seconds");
    /// ```
    #[must_use]
    pub const fn finagle_per_request(name: &'static str) -> Self {
        Self::expiring(name).earning(Earning::Requests)
    }

    /// Finagle's `RetryBudget` as its `RequeueFilter` uses it: as
    /// [`finagle_per_request`](Self::finagle_per_request), but a deposit is made by each call that
    /// succeeds, and one call takes at most a fifth of the balance, rounded up.
    ///
    /// Source: `RetryBudget.scala` and `RequeueFilter.scala`,
    /// <https://github.com/twitter/finagle/tree/develop/finagle-core/src/main/scala/com/twitter/finagle/service>.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Earning};
    ///
    /// let options = Budget::finagle_per_success("orders").settings().options();
    /// assert_eq!((options.earning, options.per_call), (Earning::Successes, Some(0.2)));
    /// ```
    #[must_use]
    pub const fn finagle_per_success(name: &'static str) -> Self {
        Self::expiring(name).earning(Earning::Successes).per_call(0.2)
    }

    /// Envoy's retry budget: at any time at most 20 % of the calls under way may be retrying, but always
    /// 3. Change the two with [`ratio`](Self::ratio) and [`min_concurrency`](Self::min_concurrency).
    ///
    /// A call is under way from its beginning to its end, the waits before its retries included; a retry
    /// from its decision to its end. What an enclosing call repeats is checked and not counted. Nothing
    /// is ever used up: retries of a dependency that fails at once follow one another without end, so
    /// `attempts` alone bounds what one call adds.
    ///
    /// Source: `RetryBudget` in Envoy's circuit breakers,
    /// <https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/cluster/v3/circuit_breaker.proto>.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::envoy("orders");
    /// let now = Moment::from_nanos(0);
    /// let at_once = (0..10).filter(|_| budget.withdraw(1, now).is_some()).count();
    /// assert_eq!(at_once, 3);
    /// ```
    #[must_use]
    pub const fn envoy(name: &'static str) -> Self {
        let mut budget = Self::assemble(Cow::Borrowed(name), no_bucket(), None);
        let (share, least) = (AtomicU64::new(WHOLE / 5), AtomicU32::new(3));
        let flight = Flight::new(share, least, AtomicU64::new(0), AtomicU64::new(0));
        budget.options.flight = Some(flight);
        budget.attentive(FAILURES | ENDS | BEGINS).with_name_checked(name)
    }

    /// The client-side throttling of Google's SRE book, beside the default bucket for retries:
    /// [`shed`](Self::shed) with the usual multiplier of 2. Functions that say `shed` ask it before their
    /// first attempt.
    ///
    /// Source: Site Reliability Engineering, chapter 21, "Client-Side Throttling", equation 21-1,
    /// <https://sre.google/sre-book/handling-overload/>.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::sre_throttling("search").settings().options().shed, Some(2.0));
    /// ```
    #[must_use]
    pub const fn sre_throttling(name: &'static str) -> Self {
        Self::new(name).shed(2.0)
    }

    /// Sheds first attempts too, once the dependency accepts too few: with `multiplier` K, at least 1, and
    /// the requests and accepted requests of the last two minutes, a call is refused before its
    /// first attempt with the chance max(0, (requests − K · accepts) / (requests + 1)). Each attempt is a
    /// request, and so is each call that was shed. A success is accepted, and so are answers and
    /// conflicts; failures of this process's own count neither way.
    ///
    /// Only calls of functions that say `shed` are refused. They end as calls that a breaker refused, with
    /// a [`BreakerOpen`](crate::BreakerOpen) that knows no time to come back.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// let eager = Budget::new("search").shed(1.1);
    /// assert_eq!(eager.settings().options().shed, Some(1.1));
    /// assert!(Budget::new("search").shed(0.5).check().is_err());
    /// ```
    pub const fn shed(mut self, multiplier: f64) -> Self {
        if !(multiplier >= 1.0 && multiplier <= 1_000.0) {
            let fault = ConfigError::OutOfRange {
                setting: "shed",
                given: multiplier,
                least: 1.0,
                most: 1_000.0,
            };
            return self.with_fault(fault);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 1,000 to 1,000,000"
        )]
        let thousandths = (multiplier * 1e3 + 0.5) as u32;
        self.options.shedding.set_multiplier(thousandths);
        self.attentive(FAILURES | TIMES)
    }

    /// Retries a second beside those that are deposited, which may come at once for the whole length of
    /// the window; for Finagle's budgets only.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::finagle_per_success("orders").reserve(1);
    /// assert_eq!(budget.balance_at(Moment::from_nanos(0)), 10.0);
    /// assert!(Budget::new("orders").reserve(1).check().is_err());
    /// ```
    pub const fn reserve(mut self, per_second: u32) -> Self {
        match &mut self.window {
            Some(window) if window.is_of_deposits() => {
                window.set_reserve(per_second);
                self
            }
            _ => self.with_fault(ConfigError::NotThisBudget("reserve")),
        }
    }

    /// Retries that may be under way at once however few calls are; for Envoy's budget only.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::envoy("orders").min_concurrency(10);
    /// assert_eq!(budget.balance_at(Moment::from_nanos(0)), 10.0);
    /// ```
    pub const fn min_concurrency(mut self, retries: u32) -> Self {
        match &mut self.options.flight {
            Some(flight) => {
                flight.set_least(AtomicU32::new(retries));
                self
            }
            None => self.with_fault(ConfigError::NotThisBudget("min_concurrency")),
        }
    }

    const fn expiring(name: &'static str) -> Self {
        let window = Window::of_deposits(WHOLE / 5, Duration::from_secs(10), 10);
        Self::assemble(Cow::Borrowed(name), no_bucket(), Some(window))
            .attentive(FAILURES | TIMES)
            .with_name_checked(name)
    }

    const fn earning(mut self, by: Earning) -> Self {
        self.options.earning = by;
        self
    }
}
