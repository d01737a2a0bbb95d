//! The guide: one page for each topic.
//!
//! Start with [`getting_started`]; each other page stands by itself. The reference of the attribute is
//! [`#[retry]`](macro@crate::retry), that of the derive [`#[derive(Retryable)]`](derive@crate::Retryable).
//!
//! | topic | page | in one line |
//! |---|---|---|
//! | first steps | [`getting_started`] | from an empty crate to a client function that retries safely |
//! | policy | [`choosing`] | how often, how fast, and what the simulations say about it |
//! | budgets | [`budgets`] | what retries are paid from, and how much load they can add at worst |
//! | time | [`deadlines`] | how long a call may take, and what is cut when it is over |
//! | errors | [`classification`] | which failures a retry can help |
//! | repeats | [`idempotency`] | when a repeat is harmless, and the keys that make it so |
//! | calls in calls | [`nesting`] | who retries where functions, or services, call each other |
//! | databases | [`transactions`] | where in a transaction to put the attribute |
//! | streams, bulk, pages | [`streams`] | what is retried of work that comes in parts, and what is not |
//! | loops | [`loops`] | supervisors, start-up, consumers and jobs: which of them end, and when |
//! | the end | [`shutdown`] | stopping to take work, and cleaning up |
//! | several crates | [`crates`] | libraries, and several versions in one process |
//! | overload | [`overload`] | budgets, shedding, breakers, timeouts and hedging side by side |
//! | an incident | [`incidents`] | retries are hurting us: what to do |
//! | looking on | [`observability`] | what whoever is on call asks, and where the answers are |
//! | spans | `traces` | calls and attempts through `tracing` (feature `tracing-0-1`) |
//! | tests | [`testing`] | testing what retries, without waiting for it |
//! | closures | [`closures`] | the same without the attribute, and what a loop by hand lacks |
//! | signatures | [`signatures`] | which functions can be annotated, and what to do about the others |
//! | hidden retries | [`hidden_retries`] | clients and drivers that retry by themselves |
//! | other runtimes | [`runtimes`] | smol, any other executor, wasm, and a timer of your own |
//! | coming from elsewhere | [`migration`] | the same in backon, tokio-retry, tower and others, and [their words in ours](migration::dictionary) |
//! | speed | [`performance`] | what a call costs, with the command behind each number |
//!
//! Pages about a part of the crate stand with that part:
//!
//! | topic | page | in one line |
//! |---|---|---|
//! | the attribute, the derive | [`#[retry]`](macro@crate::retry), [`#[derive(Retryable)]`](derive@crate::Retryable) | an example for each key, and the tables of all |
//! | tables | [`tables`](crate::tables) | what a process retries, as a page, as text, as JSON |
//! | metrics | `metrics` (feature `metrics-0-24`) | each metric, its labels, and what to ask of it |
//! | switches, overrides | [`control`](crate::control) | retries off, and settings changed, from code |
//! | configuration | [`config`](crate::config) | the same from the environment, a file and HTTP |
//! | the wire | [`wire`](crate::wire) | services that call each other |
//! | services, middleware | `tower` (feature `tower-0-5`) | the layers, for servers and clients |
//! | adapters | [`sql`](crate::sql), `http`, `tonic`, `aws`, `redis` with their features | what errors of these clients mean |
//!
//! The storm lab, what a release may change, and classifiers to copy are in the repository alone: `docs/lab.md`, `docs/semver.md`,
//! `docs/adapters/others.md`.

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/getting-started.md")]
pub mod getting_started {}

// Pictures have no address in what rustdoc writes, so these pages bring theirs along.
#[doc = include_str!("../docs/links.md")]
#[cfg_attr(doc, doc = include_str!("../docs/lab/pictures.md"))]
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
#[cfg_attr(doc, doc = include_str!("../docs/lab/pictures.md"))]
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
