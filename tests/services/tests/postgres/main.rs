//! Every method of the repositories, against a database server of the tests' own.

mod database;
#[path = "../support/servers.rs"]
mod servers;
mod statements;
#[path = "../support/mod.rs"]
mod support;
mod transactions;

use std::error::Error;

use services::postgres::StoreError;
use tokio_postgres::error::SqlState;

type Tested = Result<(), Box<dyn Error>>;

/// The SQLSTATE that a call ended with.
fn state<T>(result: &Result<T, StoreError>) -> Option<&str> {
    result.as_ref().err().and_then(StoreError::state).map(SqlState::code)
}
