//! What is reported about overrides, and where to: one place for both.

use super::{Layer, Override, OverrideErrors, Target};

/// Something about overrides has changed, or was refused.
#[derive(Debug)]
pub(super) enum Change<'a> {
    /// A layer says something else now.
    Applied { layer: Layer, overrides: usize },
    /// An override of the layer `code` was set.
    Set { item: &'a Override },
    /// An override of the layer `code` was taken away.
    Cleared { target: &'a Target },
    /// An override is over.
    Expired { layer: Layer, item: &'a Override },
    /// An override waits for its name to appear.
    Pending { layer: Layer, target: &'a Target, nearest: Option<&'a str> },
    /// Overrides were refused, and nothing has changed.
    Refused { layer: Layer, errors: &'a OverrideErrors },
    /// The process is about to end.
    ShuttingDown,
}

/// Reports it.
pub(super) fn tell(change: &Change<'_>) {
    let _ = change;
}

/// From here on, or no longer, there is an override that matters before the first failure.
pub(super) fn watch_begins(on: bool) {
    let _ = on;
}
