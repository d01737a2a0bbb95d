//! The guide: one page for each topic.
//!
//! Start with [`getting_started`]. The reference of the attribute is [`#[retry]`](macro@crate::retry), that of the
//! derive [`#[derive(Retryable)]`](derive@crate::Retryable).

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/getting-started.md")]
pub mod getting_started {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/choosing.md")]
pub mod choosing {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/budgets.md")]
pub mod budgets {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/deadlines.md")]
pub mod deadlines {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/classification.md")]
pub mod classification {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/idempotency.md")]
pub mod idempotency {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/nesting.md")]
pub mod nesting {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/transactions.md")]
pub mod transactions {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/streams.md")]
pub mod streams {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/loops.md")]
pub mod loops {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/shutdown.md")]
pub mod shutdown {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/crates.md")]
pub mod crates {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/incidents.md")]
pub mod incidents {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/closures.md")]
pub mod closures {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/overload.md")]
pub mod overload {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/signatures.md")]
pub mod signatures {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}

// Its examples are compiled where the clients are, in `docs/classifiers`.
#[doc = include_str!("../docs/links.md")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/hidden-retries.md"))]
pub mod hidden_retries {}

// Its examples run where the other runtimes are, in `tests/runtimes`.
#[doc = include_str!("../docs/links.md")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/runtimes.md"))]
pub mod runtimes {}

#[doc = include_str!("../docs/links.md")]
#[cfg_attr(
    all(feature = "metrics-0-24", feature = "toml-1", feature = "tracing-0-1"),
    doc = include_str!("../docs/observability.md")
)]
#[cfg_attr(
    not(all(feature = "metrics-0-24", feature = "toml-1", feature = "tracing-0-1")),
    doc = "What whoever is on call asks, and where the answers are."
)]
pub mod observability {}

// Its examples are compiled where the subscribers are, in `tests/otel`.
#[cfg(feature = "tracing-0-1")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/tracing.md"))]
#[cfg_attr(doctest, doc = "Spans of calls and attempts.")]
pub mod traces {}

/// Coming from another crate, a loop, or another language.
///
/// Each page shows code before and after, a table of their options in ours, and how the behaviour differs.
pub mod migration {
    // Their examples run beside those crates, in `tests/migration`.
    #[doc = include_str!("../docs/links.md")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/migration/hand-written.md"))]
    pub mod hand_written {}

    #[doc = include_str!("../docs/links.md")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/migration/backon.md"))]
    pub mod backon {}

    #[doc = include_str!("../docs/links.md")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/migration/tokio-retry.md"))]
    pub mod tokio_retry {}

    #[doc = include_str!("../docs/links.md")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/migration/tower-retry.md"))]
    pub mod tower_retry {}

    #[doc = include_str!("../docs/links.md")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/migration/tower-resilience.md"))]
    pub mod tower_resilience {}

    #[doc = include_str!("../docs/links.md")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/migration/reqwest-retry.md"))]
    pub mod reqwest_retry {}

    #[doc = include_str!("../docs/links.md")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/migration/dictionary.md"))]
    pub mod dictionary {}
}
