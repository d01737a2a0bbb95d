//! Calls of closures: what holds for annotated functions holds for them.

#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/bomb.rs"]
mod bomb;
#[path = "../support/plan.rs"]
mod plan;
#[path = "../support/script.rs"]
mod script;

mod ends;
mod hedging;
mod hooks;
mod nesting;
mod plain;
mod send;
