//! The engine behind `stormless`. Depend on that crate; this one is an implementation detail and
//! its version is pinned by it.

#![forbid(unsafe_code)]
// Shows on each item which feature it needs; for nightly, which the documentation is published with.
#![cfg_attr(docsrs, feature(doc_cfg))]
// The lints of this crate stand in Cargo.toml. Whoever depends on it by path lints it along with the own
// crate, and has other lints in mind.
#![allow(clippy::nursery, clippy::must_use_candidate, clippy::return_self_not_must_use)]

mod adapters;
#[cfg(feature = "adaptive")]
pub mod adaptive;
mod attempt;
mod backoff;
mod breaker;
mod budget;
mod calendar;
mod call;
mod cap;
mod classification;
mod clock;
pub mod config;
mod config_error;
mod contain;
mod context;
pub mod control;
mod cut;
pub mod deadline;
mod delays;
mod diagnostics;
mod error;
mod event;
mod feature;
mod few;
mod field;
mod hedge;
mod isolation;
mod key;
mod latency;
#[cfg(test)]
mod leaked;
mod machine;
#[cfg(feature = "metrics-0-24")]
pub mod metrics;
mod names;
mod policy;
mod random;
mod report;
#[cfg(feature = "reqwest-0-13")]
pub mod reqwest;
#[cfg(feature = "http-1")]
mod retry_after;
mod retry_id;
mod retryable;
mod ring;
pub mod run;
mod side;
mod site;
mod slots;
mod status;
mod stop_reason;
mod structured;
mod sync;
pub mod tables;
#[cfg(feature = "testing")]
pub mod testing;
mod time;
pub mod timer;
#[cfg(feature = "tonic-0-14")]
pub mod tonic;
#[cfg(feature = "tower-0-5")]
pub mod tower;
mod tracing;
mod verify;
mod warning;
mod watch;
pub mod wire;

#[cfg(feature = "aws-smithy-1")]
pub use adapters::aws;
#[cfg(feature = "h2-0-4")]
pub use adapters::h2;
#[cfg(feature = "http-1")]
pub use adapters::http;
#[cfg(feature = "recoverable-0-3")]
pub use adapters::recoverable;
#[cfg(feature = "redis-1")]
pub use adapters::redis;
#[cfg(feature = "reqwest-middleware-0-5")]
pub use adapters::reqwest_middleware;
pub use adapters::sql;
#[cfg(feature = "sqlx-0-9")]
pub use adapters::sqlx;
#[cfg(feature = "tokio-postgres-0-7")]
pub use adapters::tokio_postgres;
#[cfg(feature = "hyper-1")]
pub use adapters::{hyper, hyper_util};
pub use attempt::{Attempt, current};
pub use backoff::{Backoff, BackoffContext, DelayInput, Steps};
pub use breaker::{Breaker, BreakerRecent, BreakerSettings, BreakerState, BreakerStats};
pub use budget::{
    Bound, Budget, BudgetOptions, BudgetSettings, BudgetStats, Earning, KeyedBudget, NextRetry,
    Refund, Withdrawal,
};
pub use classification::{Classification, Execution, Hint, Kind};
pub use config_error::ConfigError;
pub use context::{Context, Scoped};
pub use cut::{AttemptTimeout, BreakerOpen, Cut, DeadlineExceeded};
pub use delays::Delays;
pub use error::RetryError;
pub use event::{Event, Observing, RetryEvent, What, observe};
pub use key::IdempotencyKey;
pub use latency::{Latency, Quantile};
pub use machine::{Decision, Facts, Machine, Nesting, Purse, Situation};
pub use names::DeclareError;
pub use policy::{Inner, Nested, Policy};
pub use random::{Generator, Uniform};
pub use report::{CallReport, FailedAttempt, Outcome, report};
#[cfg(feature = "http-1")]
pub use retry_after::RetryAfter;
pub use retry_id::RetryId;
pub use retryable::Retryable;
pub use run::RetryExt;
pub use stop_reason::StopReason;
pub use tables::{
    BreakerRow, Breakers, BudgetRow, Budgets, ErrorRow, LongestCall, Outcomes, SiteRow, Sites,
    breakers, budgets, report_page, sites,
};
pub use time::Moment;
pub use verify::{Note, Problem, Verify, VerifyError, verify};
pub use warning::{Warning, warnings};

/// What generated code names. Not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::budget::registry::{self, BudgetEntry};
    #[cfg(feature = "simulation")]
    pub use crate::random::simulated::{now, seed_thread};
    #[cfg(feature = "testing")]
    pub use crate::testing::table::{Decided, NoTable, Probe, Tabled, TabledVariant};
    pub use crate::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable};
    pub use crate::{
        backoff::Backoff,
        breaker::{BreakerEntry, NamedBreaker, Permit, Seen},
        budget::NamedBudget,
        call::{
            Attempted, Call, Cuts, Ended, Fallible, FromAttemptTimeout, FromBreakerOpen,
            FromDeadlineExceeded, Gate, Given, HedgedFuture, Later, NoGate, Plain, Refusing, Wrap,
            Wrapped, attempts, breaker_from, by_classifier, by_cut, by_result, by_trait,
            deadline_by_trait, deadline_from, deadline_never, or_cut, timeout_from, timeout_never,
            untold,
        },
        feature::*,
        field::{CutField, StatusField, WaitField, status, with_retry_after},
        hedge::{Hedge, HedgeDelay},
        latency::{Latency, Quantile},
        policy::{Inner, Nested, Policy, SharedPolicy, shared_policy},
        site::{BreakerRef, BudgetRef, DeadlineRule, Site, SiteEntry, SiteState},
        status::beside_status,
        submit_site, tabled,
    };
    pub use inventory;
}

/// Registers a site at link time.
#[doc(hidden)]
#[macro_export]
macro_rules! submit_site {
    ($site:path) => {
        $crate::__private::inventory::submit! { $crate::__private::SiteEntry(&$site) }
    };
}

/// The implementation of `Tabled` that the derive writes, in builds that can show it.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! tabled {
    ($($implementation:tt)*) => { $($implementation)* };
}

/// Nothing, since nobody can ask.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! tabled {
    ($($implementation:tt)*) => {};
}

#[cfg(not(feature = "testing"))]
tabled! { compile_error! { "builds without `testing` have nothing of the tables in them" } }
