//! The numbers of budgets and breakers, and their keys.

use super::{Target, Value, error::Fault, in_force::InForce};

/// Keys of budgets.
pub(super) const BUDGET: &[&str] = &["retries"];
/// Keys of breakers.
pub(super) const BREAKER: &[&str] = &[];

/// Checks the value of a number.
pub(super) fn check(target: &Target, key: &'static str, value: &Value) -> Result<(), Fault> {
    let _ = (target, key, value);
    Ok(())
}

/// Which budgets and breakers have other numbers than those that were declared.
#[derive(Debug)]
pub(super) struct Numbers {}

impl Numbers {
    pub(super) const NONE: Self = Self {};

    pub(super) fn settle(&mut self, in_force: &InForce) {
        let _ = in_force;
    }
}
