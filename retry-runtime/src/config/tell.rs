//! What observers hear of documents. Of what changes by them they hear from `control`.

use std::sync::Arc;

use super::{Applied, Faults};
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
    tell(applied.remarks.iter().cloned().map(Change::Remarked));
}

pub(super) fn refused(layer: Layer, why: &impl ToString) {
    let reason: Arc<str> = why.to_string().into();
    control::keep_refused(layer, Some(&reason));
    tell([Change::DocumentRefused { layer, reason }]);
}
