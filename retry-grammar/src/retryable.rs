//! The keys that `#[derive(Retryable)]` knows.

/// Every key of a variant or a struct, in the order in which messages list them.
pub const VARIANT_KEYS: [&str; 20] = [
    "transient",
    "throttled",
    "timeout",
    "conflict",
    "permanent",
    "cancelled",
    "forward",
    "with",
    "status",
    "attempt_timeout",
    "deadline_exceeded",
    "breaker_open",
    "retry_after",
    "not_executed",
    "maybe_executed",
    "executed",
    "local",
    "base",
    "attempts",
    "cost",
];

/// Every key of an enum itself; a struct has `crate` as well.
pub const ENUM_KEYS: [&str; 2] = ["default", "crate"];
