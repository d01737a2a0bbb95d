//! `mongodb` 3.9.

use std::error::Error as StdError;
use std::io;

use ::mongodb::Collection;
use ::mongodb::bson::{Document, doc};
use ::mongodb::error::{
    Error, ErrorKind, NO_WRITES_PERFORMED, RETRYABLE_ERROR, RETRYABLE_WRITE_ERROR, Result,
    SYSTEM_OVERLOADED_ERROR, TRANSIENT_TRANSACTION_ERROR, UNKNOWN_TRANSACTION_COMMIT_RESULT,
    WriteFailure,
};
use ::mongodb::options::ClientOptions;
use stormless::{Budget, Classification, Cut, Retryable, budget, retry};

/// What an error of `mongodb` means for a retry, if its own retries are [off](unretried).
pub fn classify(error: &Error) -> Classification {
    by_label(error).unwrap_or_else(|| by_kind(error))
}

/// The server and the driver say what they know by labels.
fn by_label(error: &Error) -> Option<Classification> {
    let labelled = |label: &str| error.contains_label(label);
    if labelled(TRANSIENT_TRANSACTION_ERROR) {
        // Rolled back. The function that is retried has to be the one that starts the transaction.
        Some(Classification::conflict())
    } else if labelled(UNKNOWN_TRANSACTION_COMMIT_RESULT) {
        // Commits may be repeated, and nothing before them: annotate the function that does nothing but commit.
        Some(Classification::transient().maybe_executed())
    } else if labelled(SYSTEM_OVERLOADED_ERROR) {
        let overloaded = Classification::throttled();
        Some(match error.base_backoff() {
            _ if !labelled(RETRYABLE_ERROR) => overloaded.do_not_retry(),
            Some(base) => overloaded.base(base),
            None => overloaded,
        })
    } else if labelled(RETRYABLE_WRITE_ERROR) {
        let write = Classification::transient();
        // A repeat by anyone but the driver has a transaction number of its own, so the server takes it for a
        // second write.
        Some(if labelled(NO_WRITES_PERFORMED) { write } else { write.maybe_executed() })
    } else {
        None
    }
}

fn by_kind(error: &Error) -> Classification {
    match error.kind.as_ref() {
        // A cut of stormless is one of these, too.
        ErrorKind::Io(error) => error.classify(),
        // No server was found, or no connection lent, so nothing was sent.
        ErrorKind::ServerSelection { .. }
        | ErrorKind::ConnectionPoolCleared { .. }
        | ErrorKind::DnsResolve { .. } => Classification::transient(),
        ErrorKind::Command(error) => by_code(error.code),
        // The write is done on the primary, and not as safely as was asked for.
        ErrorKind::Write(WriteFailure::WriteConcernError(error)) => {
            by_code(error.code).maybe_executed()
        }
        ErrorKind::InsertMany(error) if error.write_errors.is_none() => {
            match &error.write_concern_error {
                Some(error) => by_code(error.code).maybe_executed(),
                None => Classification::permanent(),
            }
        }
        // Part of it may be done. Where it broke off by itself, the reason lies below.
        ErrorKind::BulkWrite(_) => {
            match error.source().and_then(|below| below.downcast_ref::<Error>()) {
                Some(below) => classify(below).maybe_executed(),
                None => Classification::permanent().executed(),
            }
        }
        ErrorKind::Write(_) | ErrorKind::InsertMany(_) | ErrorKind::Authentication { .. } => {
            Classification::permanent().executed()
        }
        // Arguments, BSON, settings, GridFS, what the application itself put in.
        _ => Classification::permanent(),
    }
}

/// The codes on which the driver repeats a read, `WriteConflict`, and those of a time limit. All others are
/// answers.
fn by_code(code: i32) -> Classification {
    match code {
        // Not the primary, still recovering, no majority snapshot yet: refused before anything was done.
        10_107 | 13_435 | 13_436 | 10_058 | 134 => Classification::transient(),
        // Stepped down, shutting down, interrupted for either; or a router lost its shard.
        189 | 91 | 11_600 | 11_602 | 6 | 7 | 9001 => Classification::transient().maybe_executed(),
        // NetworkTimeout, ExceededTimeLimit, MaxTimeMSExpired, WriteConcernTimeout.
        89 | 262 | 50 | 64 => Classification::timeout(),
        // WriteConflict.
        112 => Classification::conflict(),
        _ => Classification::permanent().executed(),
    }
}

/// Without the driver's own retries.
pub fn unretried(mut options: ClientOptions) -> ClientOptions {
    options.retry_reads = Some(false);
    options.retry_writes = Some(false);
    options.max_adaptive_retries = Some(0);
    options
}

budget! { static ORDERS: Budget = Budget::new("mongodb-orders"); }

/// Marks an order as paid. Doing so twice is no different from doing it once.
///
/// # Errors
///
/// What the driver says, or a cut at the deadline.
#[retry(classify = classify, cut_error = cut, deadline = "10s", budget = ORDERS, idempotent)]
pub async fn mark_paid(orders: &Collection<Document>, id: i64) -> Result<bool> {
    let result = orders.update_one(doc! { "_id": id }, doc! { "$set": { "paid": true } }).await?;
    Ok(result.matched_count == 1)
}

fn cut(cut: Cut) -> Error {
    io::Error::other(cut).into()
}

#[cfg(test)]
mod tests;
