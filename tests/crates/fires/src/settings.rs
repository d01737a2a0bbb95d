//! What stands in the attribute is the user's as well.

use stormless::{Classification, Policy, retry};

use crate::failure::{Failure, work};

#[deprecated(note = "too patient")]
const PATIENT: Policy = Policy::new().attempts(9);
const UNUSED: Policy = Policy::new(); //~ dead_code

/// Closures and a const.
///
/// # Errors
///
/// Always.
#[retry(
    policy = PATIENT, //~ deprecated
    classify = |error| Classification::transient(), //~ unused_variables
    cut_error = |_| { return Failure }, //~ clippy::needless_return
    on_retry = |event| { event.error(); }, //~ unused_must_use
)]
pub async fn closures() -> Result<u32, Failure> {
    work().await
}

/// Expressions.
///
/// # Errors
///
/// Always.
#[retry(
    idempotent = (number > 1), //~ unused_parens
    idempotency_key = u64::from(number.clone()), //~ clippy::clone_on_copy
)]
pub async fn expressions(number: u32) -> Result<u32, Failure> {
    work().await
}
