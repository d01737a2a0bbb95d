//! The storm lab: what a retry policy does to a system, before it is shipped.
//!
//! A deterministic simulator that drives the production code of stormless itself, an experiment with real sockets,
//! and arithmetic. The program `storm-lab` is made of this; nothing else is meant to depend on it.

#![forbid(unsafe_code)]

pub mod attribute;
pub mod budget;
pub mod check;
pub mod cli;
pub mod load;
pub mod measured;
pub mod outcome;
pub mod output;
pub mod plan;
pub mod plots;
pub mod report;
pub mod runner;
pub mod scenario;
pub mod sim;
pub mod summary;
