//! `tokio_postgres::Error`.

use std::error::Error as StdError;
use std::fmt::{self, Write};
use std::io;

use ::tokio_postgres::Error;

use super::{Verdict, causes, io::on_a_connection, labelled, sqlstate};
use crate::{Classification, Kind, Retryable};

/// What an error of tokio-postgres means for a retry, for `classify = stormless::tokio_postgres::classify`.
///
/// ```no_run
/// # use retry_runtime as stormless;
/// use stormless::{Classification, tokio_postgres::classify};
///
/// // Where only a connection is asked for, no statement can have been carried out.
/// fn classify_connect(error: &tokio_postgres::Error) -> Classification {
///     classify(error).not_executed()
/// }
/// ```
pub fn classify(error: &Error) -> Classification {
    labelled(verdict(error))
}

/// The SQLSTATE decides where the server gave one, as [`classify_sqlstate`](crate::sql::classify_sqlstate) says; then
/// the `io::Error` below; then whether the connection was found closed. An error that is none of these is the
/// driver's own, such as a row too few or a value of the wrong type: permanent, and it may have been executed, as the
/// server has answered.
///
/// The error cannot report a deadline that passed: a function whose attempts shall be cut needs an error of its own
/// around it.
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
}

fn verdict(error: &Error) -> Verdict {
    if let Some(state) = error.code() {
        return sqlstate::verdict(state.code());
    }
    // Also said of a statement that could not be sent, and nothing tells the two apart.
    if error.is_closed() {
        return (Classification::transient().maybe_executed(), "closed");
    }
    let io = error
        .source()
        .and_then(|below| causes(below).find_map(|cause| cause.downcast_ref::<io::Error>()));
    match io {
        Some(io) if is_connecting(error) => by_connecting(io),
        Some(io) => {
            let (class, label) = on_a_connection((io.classify(), io.label()));
            // Such as an answer that cannot be read.
            let permanent = class.kind() == Kind::Permanent;
            (if permanent { class.maybe_executed() } else { class }, label)
        }
        // A row too few or too many is noticed after the server has answered, or while it does.
        None => (Classification::permanent().maybe_executed(), "_OTHER"),
    }
}

/// No statement had been sent.
fn by_connecting(io: &io::Error) -> Verdict {
    match io.kind() {
        // The file is the server's socket: it is not up.
        io::ErrorKind::NotFound => (Classification::transient(), "not_found"),
        _ => (io.classify().not_executed(), io.label()),
    }
}

/// The kind of the error is private, so its text has to do: it is fixed and says nothing else. Should it change
/// one day, a lost connection is what remains.
fn is_connecting(error: &Error) -> bool {
    let mut rest = Rest("error connecting to server");
    write!(rest, "{error}").is_ok() && rest.0.is_empty()
}

/// What is still expected of a text that is being written.
struct Rest(&'static str);

impl Write for Rest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}
