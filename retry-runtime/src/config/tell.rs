//! The one place from which it is told what became of a document.
//!
//! What has changed is told by whoever changes it, in `control`; here is what only those know who read.

use std::fmt::{self, Display};

use super::{Applied, Faults, Remark};
use crate::control::Layer;

/// What happened. Its `Display` is one sentence for a log.
#[derive(Clone, Copy)]
pub(super) enum News<'a> {
    /// Something that may have been meant otherwise.
    Remark(&'a Remark),
    /// A document was refused, or cannot be read, and what was in force before still is.
    Refused { layer: Layer, why: &'a dyn Display },
    /// What was refused before is in order again: the document is the one in force.
    #[cfg(feature = "toml-1")]
    Mended { layer: Layer, origin: &'a str },
    /// Nobody watches the file any longer, and its overrides are gone.
    #[cfg(feature = "toml-1")]
    Ended { layer: Layer, origin: &'a str },
}

impl Display for News<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Remark(remark) => remark.fmt(f),
            Self::Refused { layer, why } => {
                write!(f, "what the layer `{layer}` says stays as it is: {why}")
            }
            #[cfg(feature = "toml-1")]
            Self::Mended { layer, origin } => {
                write!(f, "{origin}: this is again what the layer `{layer}` says")
            }
            #[cfg(feature = "toml-1")]
            Self::Ended { layer, origin } => {
                write!(f, "{origin}: watched no longer; the layer `{layer}` says nothing now")
            }
        }
    }
}

/// Tells whoever observes.
pub(super) fn tell(news: News<'_>) {
    let _ = news;
}

/// Tells of what came of a document, and hands it on.
pub(super) fn told(layer: Layer, outcome: Result<Applied, Faults>) -> Result<Applied, Faults> {
    match &outcome {
        Ok(applied) => remarks(applied),
        Err(why) => tell(News::Refused { layer, why }),
    }
    outcome
}

pub(super) fn remarks(applied: &Applied) {
    applied.remarks.iter().for_each(|remark| tell(News::Remark(remark)));
}
