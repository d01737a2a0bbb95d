//! The one place from which it is told what became of a document.

use super::Applied;
use crate::control::Layer;

/// What happened.
#[derive(Clone, Copy)]
pub(crate) enum News<'a> {
    /// A layer holds this now.
    Applied { layer: Layer, origin: &'a str, applied: &'a Applied },
    /// A document was refused, and what was in force before still is.
    Refused { layer: Layer, origin: &'a str, why: &'a dyn std::fmt::Display },
    /// What was refused before is in order again: the document is the one in force.
    Mended { layer: Layer, origin: &'a str },
    /// Nobody watches the file any longer, and its overrides are gone.
    Ended { layer: Layer, origin: &'a str },
}

/// Tells whoever observes.
pub(crate) fn tell(news: News<'_>) {
    let _ = news;
}
