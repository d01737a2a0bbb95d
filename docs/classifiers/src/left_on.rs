//! A client whose own retries know more than a caller can.

use std::io;

use ::mongodb::Collection;
use ::mongodb::bson::Document;
use ::mongodb::error::{Error, Result};
use stormless::{Budget, Cut, budget, retry};

use crate::mongodb::classify;

budget! { static PAYMENTS: Budget = Budget::new("payments-db"); }

/// Records a payment. The driver repeats a lost insert under the same transaction number, and the server
/// carries it out once.
///
/// # Errors
///
/// What the driver says in the end, or a cut at the deadline.
#[retry(attempts = 1, classify = classify, cut_error = cut, deadline = "5s", budget = PAYMENTS)]
pub async fn record(payments: &Collection<Document>, payment: &Document) -> Result<()> {
    payments.insert_one(payment).await?;
    Ok(())
}

fn cut(cut: Cut) -> Error {
    io::Error::other(cut).into()
}
