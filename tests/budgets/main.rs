//! What budgets hold, earn and refuse, and what they bound.

#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/plan.rs"]
mod plan;
#[path = "../support/script.rs"]
mod script;

mod bound;
mod buckets;
mod earning;
mod keys;
mod presets;
mod shedding;
mod windows;
