//! The second request beside a slow one.

#[path = "../support/plan.rs"]
mod plan;
#[path = "../support/script.rs"]
mod script;

mod guarded;
mod hedging;
mod in_flight;
mod refused;
