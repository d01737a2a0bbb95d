//! Classifiers for clients that stormless has no feature for: one module for each, to be copied.
//!
//! `docs/adapters/others.md` explains them, and shows this code; a test keeps page and code the same.

#![forbid(unsafe_code)]

pub mod kube;
pub mod lapin;
pub mod left_on;
pub mod mongodb;
pub mod nats;
pub mod object_store;
pub mod tungstenite;

#[cfg(test)]
mod loopback;
#[cfg(test)]
mod pages;

/// The blocks of the page, each by itself: what a reader copies has to stand alone.
#[cfg(doctest)]
#[doc = include_str!("../../adapters/others.md")]
struct Others;

#[cfg(doctest)]
#[doc = include_str!("../../hidden-retries.md")]
struct HiddenRetries;
