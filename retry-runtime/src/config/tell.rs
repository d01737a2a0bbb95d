//! What observers hear of documents. Of what changes by them they hear from `control`.

use std::sync::Arc;

use super::{Applied, Faults, Remark};
use crate::control::{
    self, Layer,
    change::{Change, tell},
};

/// Tells of what came of a document, and hands it on.
pub(super) fn told(layer: Layer, outcome: Result<Applied, Faults>) -> Result<Applied, Faults> {
    match &outcome {
        Ok(applied) => remarks(applied),
        Err(faults) => refused(layer, faults),
    }
    outcome
}

pub(super) fn remarks(applied: &Applied) {
    tell(remarked(&applied.remarks));
}

pub(super) fn remarked(remarks: &[Remark]) -> impl Iterator<Item = Change> {
    remarks.iter().cloned().map(Change::Remarked)
}

pub(super) fn refused(layer: Layer, why: &impl ToString) {
    tell([kept(layer, why)]);
}

/// Keeps for the tables that a document was refused, and leaves it to the caller to tell of it.
pub(super) fn kept(layer: Layer, why: &impl ToString) -> Change {
    let reason: Arc<str> = why.to_string().into();
    control::keep_refused(layer, Some(&reason));
    Change::DocumentRefused { layer, reason }
}
