//! Retries that cannot become the outage: one attribute on an async function gives it jittered backoff, a named
//! budget that the whole process shares, and a deadline that it never sleeps past. A derive on its error enum
//! says which failures a retry can help, and functions that call each other do not multiply their retries.
//!
//! ```standalone_crate
//! use std::time::Duration;
//! use stormless::{Budget, Retryable, budget, retry};
//!
//! budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }
//!
//! #[derive(Debug, Retryable)]
//! enum OrderError {
//!     #[retryable(transient)]                     Unavailable,
//!     #[retryable(throttled, retry_after = wait)] Busy { wait: Option<Duration> },
//!     #[retryable(permanent, executed)]           NotFound,
//!     #[retryable(deadline_exceeded)]             OutOfTime,
//! }
//!
//! #[retry(attempts = 3, base = "50ms", max = "1s", budget = "orders", deadline = "2s")]
//! async fn fetch_order(id: u64) -> Result<String, OrderError> {
//!     Err(OrderError::Unavailable) // in place of the call that can fail
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
//! let (result, calls) = stormless::report(fetch_order(7)).await;
//! assert!(result.is_err());
//! assert_eq!((calls[0].attempts(), ORDERS.balance()), (3, 8.0)); // two retries, paid for
//! # assert!(stormless::verify().is_ok());
//! # }
//! ```
//!
//! # What happens
//!
//! The body runs. If it fails, these are asked in this order; the first that objects ends the call with the body's
//! own error, unchanged. Else the wait is slept and the body runs again.
//!
//! 1. its class: no retry of what is permanent, nor, without `idempotent`, of what may have been carried out;
//! 2. the attempts: is one left, and does nobody outside do the retrying?
//! 3. the wait: drawn by the backoff, and never shorter than what the server asked for;
//! 4. the deadline: a wait that would not fit is not begun;
//! 5. the breaker, if one is named: while it is open nothing more is tried;
//! 6. the budget: the retry is paid for, or does not happen.
//!
//! # Where to read on
//!
//! | | |
//! |---|---|
//! | [the guide](guide) | one page for each topic, from [an empty crate](guide::getting_started) to [an incident](guide::incidents) |
//! | [`#[retry]`](macro@retry) | an example for each setting, what is easy to get wrong, and the tables |
//! | [`#[derive(Retryable)]`](derive@Retryable) | an example for each key, and the tables |
//! | [`Policy::run`], [`RetryExt`] | the same for [closures](guide::closures) |
//! | [`Budget`], [`budget!`] | kinds of budgets, and what each promises at worst |
//! | [`Breaker`], [`breaker!`] | when calls to a dependency are not worth making |
//! | [`Classification`] | the facts about a failure, for hand-written classifiers |
//! | [`verify()`] | what to call as the process starts: it fails if a budget is named and nowhere declared |
//! | [`deadline`], [`Context`] | time limits around other code, and across `spawn` |
//! | [`wire`], `tower` | services that call each other: deadlines cross, three of three attempts make 3 calls |
//! | [`sql`], `http`, `reqwest`, `hyper`, `tonic`, `aws`, `sqlx`, `tokio_postgres`, `redis` | what the errors of these crates mean, and their clients without retries of their own |
//! | [`report()`], [`RetryError`], [`observe()`] | what failed, how long it waited and what stopped it: of the calls in a future, of one call, of all |
//! | [`sites()`], [`budgets()`], [`breakers()`], [`report_page()`] | live tables of the process ([`tables`]), and the same for a browser; `metrics` and `guide::traces` with their features |
//! | [`control`], [`config`] | retries off in an incident, and overrides of what the code says |
//! | [`engine`] | the decision alone, for simulators and hand-written loops |
//! | `adaptive`, `testing` | delays that go by the load; scripted failures, printed schedules and isolation for test suites |
//!
//! # When not to
//!
//! - Somebody above retries already, at another process's edge too: one layer is enough.
//! - A repeat is not harmless, and the server knows no idempotency key.
//! - The failure is this process's own mistake: a retry repeats it.
//! - The work must not get lost: retries end, a queue does not.
//!
//! # What it costs
//!
//! A call that succeeds at once allocates nothing, takes no lock and reads no clock. What needs more pays for it: a
//! deadline and a sliding window read the clock, a limit on an attempt that has to wait makes its timer, and
//! idempotency keys are kept in a table, which other calls glance at as they end while there is something in it.
//! [Performance](guide::performance) has the figures, each with its command.
//!
//! Waits and timeouts are tokio's by default, whose runtime must have its timer enabled; [the guide](guide::runtimes)
//! says what to type for smol, any other executor, wasm and a timer of your own.
//!
//! # Settings
//!
//! | | |
//! |---|---|
//! | how often and how fast | `attempts` `backoff` `adaptive` `base` `max` `factor` `max_retry_after` `policy` |
//! | who pays | `budget` `budget_key` `shed` |
//! | who may be asked | `breaker` |
//! | time limits | `deadline` `attempt_timeout` `last_attempt_untimed` `min_remaining` `time_per_attempt` `expect` `cut_error` `uncut` |
//! | what may be repeated | `classify` `classify_result` `idempotent` `idempotency_key` `clone` |
//! | slow answers | `hedge` `hedge_max` |
//! | calls within calls | `nested` `inner` |
//! | looking on | `on_retry` `name` `crate` |
//!
//! # Features
//!
//! `tokio-1` is on by default. Off are:
//!
//! - timers of other runtimes: `futures-timer-3`, `async-io-2`, `gloo-timers-0-4`
//! - HTTP: `http-1` (responses: status, `Retry-After`, `RateLimit`; `http::StatusCode`), `reqwest-0-13`, `hyper-1`
//!   (with hyper-util's client), `h2-0-4`, `tower-0-5` (layers), `reqwest-middleware-0-5`
//! - services: `tonic-0-14`, `aws-smithy-1`
//! - databases: `sqlx-0-9`, `sqlx-0-9-mysql`, `tokio-postgres-0-7`, `redis-1`, `redis-1-cluster`,
//!   `redis-1-connection-manager`
//! - looking on: `metrics-0-24`, `tracing-0-1`, `serde-1` (tables as JSON)
//! - steering: `toml-1` (overrides from a file and from variables), `http-body-1` (by HTTP)
//! - `tokio-rt` (tokio's `JoinError`), `adaptive` (`backoff = "adaptive"`), `recoverable-0-3` (conversions),
//!   `testing` (for dev-dependencies)

#![forbid(unsafe_code)]
// Shows on each item which feature it needs; for nightly, which the documentation is published with.
#![cfg_attr(docsrs, feature(doc_cfg))]
// The lints of this crate stand in Cargo.toml. Whoever depends on it by path lints it along with the own
// crate, and has other lints in mind.
#![allow(clippy::nursery, clippy::must_use_candidate, clippy::return_self_not_must_use)]

pub mod guide;

#[cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
#[doc = include_str!("../docs/retryable.md")]
pub use retry_macros::Retryable;
#[cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
#[doc = include_str!("../docs/retry.md")]
pub use retry_macros::retry;
#[cfg(feature = "adaptive")]
pub use retry_runtime::adaptive;
// Its examples are compiled where the SDK is, in `tests/adapters/aws`.
#[cfg(feature = "aws-smithy-1")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/adapters/aws.md"))]
pub use retry_runtime::aws;
#[cfg(feature = "h2-0-4")]
pub use retry_runtime::h2;
// Its examples are compiled where a recorder is, in `tests/metrics`.
#[cfg(feature = "metrics-0-24")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
#[cfg_attr(not(doctest), doc = include_str!("../docs/metrics.md"))]
pub use retry_runtime::metrics;
#[cfg(feature = "recoverable-0-3")]
pub use retry_runtime::recoverable;
#[cfg(feature = "reqwest-0-13")]
pub use retry_runtime::reqwest;
#[cfg(feature = "reqwest-middleware-0-5")]
pub use retry_runtime::reqwest_middleware;
#[cfg(feature = "sqlx-0-9")]
pub use retry_runtime::sqlx;
#[cfg(feature = "testing")]
pub use retry_runtime::testing;
#[cfg(feature = "tokio-postgres-0-7")]
pub use retry_runtime::tokio_postgres;
// Its examples are compiled where tonic is, in `tests/adapters/grpc`.
#[cfg(feature = "tonic-0-14")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/adapters/grpc.md"))]
pub use retry_runtime::tonic;
// Its examples are compiled where tower is with all that they use, in `tests/adapters/tower`.
#[cfg(feature = "tower-0-5")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
#[cfg_attr(not(doctest), doc = include_str!("../docs/tower.md"))]
pub use retry_runtime::tower;
pub use retry_runtime::{
    Attempt, AttemptTimeout, Backoff, BackoffContext, Bound, Breaker, BreakerOpen, BreakerRecent,
    BreakerRow, BreakerSettings, BreakerState, BreakerStats, Breakers, Budget, BudgetOptions,
    BudgetRow, BudgetSettings, BudgetStats, Budgets, CallReport, Classification, ConfigError,
    Context, Cut, DeadlineExceeded, DeclareError, Delays, Earning, ErrorRow, Event, Execution,
    FailedAttempt, Hint, IdempotencyKey, Inner, KeyedBudget, Kind, LongestCall, Nested, NextRetry,
    Note, Observing, Outcome, Outcomes, Policy, Problem, Quantile, Refund, RetryError, RetryEvent,
    RetryExt, RetryId, Retryable, Scoped, SiteRow, Sites, StopReason, Verify, VerifyError, Warning,
    What, breaker, breakers, budget, budgets, current, deadline, observe, report, report_page, run,
    sites, timer, verify, warnings,
};
#[cfg(feature = "hyper-1")]
pub use retry_runtime::{hyper, hyper_util};

#[cfg(feature = "http-1")]
pub use retry_runtime::RetryAfter;

// Its examples are compiled where the clients are, in `tests/adapters/http`.
#[cfg(feature = "http-1")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/adapters/http.md"))]
pub use retry_runtime::http;

pub mod tables {
    #![cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
    #![doc = include_str!("../docs/tables.md")]

    pub use retry_runtime::tables::*;
}

pub mod control {
    #![cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
    #![doc = include_str!("../docs/control.md")]

    pub use retry_runtime::control::*;
}

pub mod config {
    #![cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
    #![doc = include_str!("../docs/configuration.md")]

    pub use retry_runtime::config::*;
}

pub mod wire {
    #![cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
    #![doc = include_str!("../docs/wire.md")]

    pub use retry_runtime::wire::*;
}

// The examples of this page and the next need the drivers, which are in nobody's dependency tree here:
// `tests/adapters` compiles them.
#[cfg_attr(not(doctest), doc = include_str!("../docs/links.md"))]
#[cfg_attr(not(doctest), doc = include_str!("../docs/adapters/sql.md"))]
pub mod sql {
    pub use retry_runtime::sql::*;
}

#[cfg(feature = "redis-1")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/adapters/redis.md"))]
pub mod redis {
    pub use retry_runtime::redis::*;
}

/// The decision without clock, timer or generator: for simulators and hand-written loops.
///
/// `#[retry]` and [`Policy`] are all that most programs need. What is here is the engine behind them:
/// [`Machine::decide`](engine::Machine::decide) says what follows a failed attempt, and takes the time
/// ([`Moment`](engine::Moment)), the randomness ([`Uniform`](engine::Uniform)) and whoever pays
/// ([`Purse`](engine::Purse)) as arguments. So a simulation of a day takes milliseconds and comes out
/// the same each time, and decides exactly as production does. The loop is yours: it waits, counts the
/// attempts, and tells the budget of answers.
///
/// ```
/// use std::time::Duration;
/// use stormless::{Budget, Classification, Policy, StopReason};
/// use stormless::engine::{
///     Decision, Facts, Generator, Machine, Moment, Nesting, Purse, Situation, Withdrawal,
/// };
///
/// struct Payer<'a>(&'a Budget, Moment, Option<Withdrawal>);
///
/// impl Purse for Payer<'_> {
///     fn withdraw(&mut self, cost: u32) -> bool {
///         self.2 = self.0.withdraw(cost, self.1);
///         self.2.is_some()
///     }
/// }
///
/// let budget = Budget::new("simulated").burst(1);
/// let policy = Policy::new().attempts(5).base(Duration::from_secs(1));
/// let (mut machine, mut random) = (Machine::new(), Generator::seeded(42, 0));
/// let (mut now, mut attempt) = (Moment::from_nanos(0), 1);
///
/// // Every attempt fails at once, and the budget pays for one retry.
/// let reason = loop {
///     let situation = Situation {
///         policy: &policy,
///         attempt,
///         allowed: u32::MAX,
///         now,
///         deadline: Moment::NEVER,
///         off: false,
///         nesting: Nesting::Free,
///         expected: Duration::ZERO,
///         breaker_open: false,
///     };
///     let facts = Facts { classification: Classification::transient(), label: "refused" };
///     let mut payer = Payer(&budget, now, None);
///     match machine.decide(&facts, &situation, &mut random, &mut payer) {
///         Decision::Retry(delay) => now = now.after(delay),
///         Decision::Stop(reason) => break reason,
///     }
///     attempt += 1;
/// };
/// assert_eq!((attempt, reason), (2, StopReason::BudgetExhausted));
/// ```
pub mod engine {
    pub use retry_runtime::{
        Decision, DelayInput, Facts, Generator, Machine, Moment, Nesting, Purse, Situation, Steps,
        Uniform, Withdrawal,
    };
}

/// What generated code names. Not part of the interface, and free to change in any release.
#[doc(hidden)]
pub mod __private {
    pub use retry_runtime::__private::*;
}

/// The README's example is compiled like every other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
