//! Deadlines, time limits and what becomes of a call that runs into one.

#[path = "../support/script.rs"]
mod script;

mod attempt_timeout_last;
mod clocks;
mod cuts;
mod deadline_values;
mod expect;
mod inherited_deadline;
mod limits;
mod time_left;
