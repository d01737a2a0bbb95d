//! A client whose own retries know more than a caller can.

use std::io;

use ::mongodb::Collection;
use ::mongodb::bson::Document;
use ::mongodb::error::{Error, Result};
use stormless::{Cut, retry};

use crate::mongodb::classify;

/// Records a payment. The driver repeats a lost insert under the same transaction number, and the server
/// carries it out once.
///
/// # Errors
///
/// What the driver says in the end, or a cut at the deadline.
#[retry(attempts = 1, classify = classify, cut_error = cut, deadline = "5s", budget = "payments-db")]
pub async fn record(payments: &Collection<Document>, payment: &Document) -> Result<()> {
    payments.insert_one(payment).await?;
    Ok(())
}

fn cut(cut: Cut) -> Error {
    io::Error::other(cut).into()
}
