//! Error types.

use std::time::Duration;

use stormless::Retryable;

#[derive(Retryable)]
enum Unused {
    //~^ dead_code
    #[retryable(transient)]
    Down,
}

#[derive(Retryable)]
enum Half {
    #[retryable(transient)]
    Made,
    #[retryable(throttled, retry_after = wait)]
    Never { wait: Duration }, //~ dead_code
    #[retryable(permanent)]
    nobody_reads(u32), //~ non_camel_case_types dead_code
}

#[derive(Retryable)]
#[retryable(status = status)]
pub struct Undocumented {
    //~^ missing_docs
    status: u16,
    text: String, //~ dead_code
}

impl Undocumented {
    /// A refusal.
    #[must_use]
    pub const fn new(status: u16, text: String) -> Self {
        Self { status, text }
    }
}

/// Whoever makes one.
#[must_use]
pub fn made() -> bool {
    Half::Made.classify().is_answer()
}
