//! Those who call annotated functions.

use stormless::retry;

use crate::failure::{Failure, work};

/// Whose answer matters.
///
/// # Errors
///
/// Always.
#[must_use = "it costs"]
#[retry]
pub async fn costly() -> Result<u32, Failure> {
    work().await
}

/// Out of use.
///
/// # Errors
///
/// Always.
#[deprecated(note = "out of use")]
#[retry]
pub async fn old() -> Result<u32, Failure> {
    work().await
}

/// Forgets to wait, and forgets to look.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn forgetful() -> Result<u32, Failure> {
    // For the attribute, and for the future.
    costly(); //~ unused_must_use unused_must_use
    costly().await; //~ unused_must_use
    let _ = costly(); //~ clippy::let_underscore_future
    old().await //~ deprecated
}
