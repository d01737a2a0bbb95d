//! The keys of budgets and breakers.

use super::{Target, Value, error::Fault};

/// Keys of budgets.
pub(super) const BUDGET: &[&str] = &["retries"];
/// Keys of breakers.
pub(super) const BREAKER: &[&str] = &[];

/// Checks the value of a number.
pub(super) fn check(_target: &Target, _key: &'static str, _value: &Value) -> Result<(), Fault> {
    Ok(())
}
