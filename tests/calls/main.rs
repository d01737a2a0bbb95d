//! One call: its attempts, its delays, its errors and what it says about itself.

#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/script.rs"]
mod script;

mod attempts;
mod attribute_settings;
mod cancellation;
mod class_caps;
mod classification;
mod delays;
mod extremes;
mod hints;
mod idempotency_keys;
mod lent_values;
mod on_retry;
mod panics;
mod reports;
mod resources;
mod retry_error;
mod shared_state;
mod silently_not_applied;
mod status_bases;
mod wire_incoming;
mod wire_outgoing;
