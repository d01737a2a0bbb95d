//! The examples of the page about tracing, compiled where the crates are that it speaks of.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/tracing.md")]
struct Page;
