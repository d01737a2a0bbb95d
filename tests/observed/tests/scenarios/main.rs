//! Ten scripted scenarios, and all that is told of each.

#![expect(clippy::too_many_lines, reason = "all that is told of a scenario stands beside it")]

mod breaker;
mod budget;
mod calls;
mod deadline;
mod endings;
mod hedge;
mod nested;
#[path = "../../../support/plan.rs"]
mod plan;
#[path = "../../../support/script.rs"]
mod script;
