//! What a failure of a database means for a retry: each one produced by a real server, and seen through both
//! drivers.

mod codes;
mod connections;
mod cuts;
mod driver;
mod endless;
mod mariadb;
mod pool;
mod proxy;
mod retried;
mod server;
#[path = "../../../../services/tests/support/servers.rs"]
mod servers;
mod sqlite;
mod statements;

use std::{error::Error, fmt::Debug};

use stormless::{
    Execution::{self, Executed, MaybeExecuted, NotExecuted},
    Kind::{self, Conflict, Permanent, Throttled, Timeout, Transient},
    Retryable,
};

type Tested = Result<(), Box<dyn Error>>;

type Verdict = (Kind, Execution, &'static str);

/// What is said of a failure.
fn verdict<T, E: Retryable>(result: Result<T, E>) -> Option<Verdict> {
    result.err().map(|error| {
        let classification = error.classify();
        (classification.kind(), classification.execution(), error.label())
    })
}

/// For errors of drivers, which `?` would have to box one by one.
fn fine<T, E: Debug>(result: Result<T, E>) -> T {
    result.expect("this is not what the test is about")
}
