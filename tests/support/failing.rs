//! Assertions that are to fail, and what they say.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of the panic in which this ends.
pub(crate) fn message(assertion: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(assertion)).expect_err("the assertion holds");
    match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => (*panic.downcast::<&str>().expect("a message")).to_owned(),
    }
}
