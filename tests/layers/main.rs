//! Calls within calls, and what they know of each other.

#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/script.rs"]
mod script;

mod context;
mod context_tasks;
mod internal_calls;
mod lost_to_nesting;
mod nesting;
mod nesting_budgets;
mod nesting_yield;
mod stragglers;
mod tasks;
