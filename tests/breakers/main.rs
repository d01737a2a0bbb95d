//! What breakers let through and when, with whatever else a call has set.

#[path = "../support/half_open.rs"]
mod half_open;
#[path = "../support/script.rs"]
mod script;

mod calls;
mod cases;
mod probes;
mod sees;
mod waits;
