//! What a failure of redis means for a retry: as real servers say it where they can be made to, and else as the
//! driver reads it from a server that fails by script.

mod connections;
mod fake;
mod hidden;
mod real;
mod refusals;
mod retried;
#[path = "../../../../services/tests/support/servers.rs"]
mod servers;
mod words;
mod wrapped;

use std::{error::Error, fmt::Debug};

use redis::RedisError;
use stormless::{
    Execution::{self, Executed, MaybeExecuted, NotExecuted},
    Kind::{self, Permanent, Throttled, Timeout, Transient},
    Retryable,
};

type Tested = Result<(), Box<dyn Error>>;

type Verdict = (Kind, Execution, &'static str);

/// What is said of a failure.
fn verdict<T: Debug>(result: Result<T, RedisError>) -> Verdict {
    let error = result.expect_err("it was to fail");
    let classification = error.classify();
    (classification.kind(), classification.execution(), error.label())
}
