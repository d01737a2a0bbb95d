//! What is reported about overrides.

use std::{fmt, sync::Arc};

use super::{Layer, Override, OverrideErrors, Target};
use crate::{
    config::Remark,
    event::{self, What},
    watch,
};

/// Something about overrides has changed, or was refused.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{What, control::Change};
///
/// let observing = stormless::observe(|event| {
///     if let What::Overrides(change) = event.what() {
///         println!("{change}");
///         assert!(matches!(**change, Change::Set(_) | Change::Cleared(_)));
///     }
/// });
/// stormless::control::all().because("INC-4711").off();
/// stormless::control::all().on();
/// observing.flush();
/// assert_eq!(observing.panics(), 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A layer says something else now.
    Applied {
        /// The layer.
        layer: Layer,
        /// How many overrides it has.
        overrides: usize,
    },
    /// An override of the layer `code` was set, or a switch was thrown.
    Set(Arc<Override>),
    /// What the layer `code` said about a target was taken away.
    Cleared(Target),
    /// An override is over.
    Expired {
        /// Where it came from.
        layer: Layer,
        /// What it said.
        item: Arc<Override>,
    },
    /// An override waits for its name to appear.
    Pending {
        /// Where it comes from.
        layer: Layer,
        /// Whom it is about.
        target: Target,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// Overrides were refused, and nothing has changed.
    Refused {
        /// Where they came from.
        layer: Layer,
        /// Why.
        errors: Arc<OverrideErrors>,
    },
    /// A document, or the environment, was refused, or a file cannot be read. What was in force still is.
    DocumentRefused {
        /// The layer that it would have been.
        layer: Layer,
        /// All that is wrong, each with the place where it stands, one a line.
        reason: Arc<str>,
    },
    /// A file that was refused is what is in force again.
    DocumentMended {
        /// Its layer.
        layer: Layer,
        /// The file.
        origin: Arc<str>,
    },
    /// Something about a document, or the environment, is probably not meant.
    Remarked(Remark),
    /// [`shutdown`](super::shutdown) was called.
    ShuttingDown,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Applied { layer, overrides } => {
                write!(f, "the layer `{layer}` says something else: {overrides} overrides")
            }
            Self::Set(item) => write!(f, "the layer `code` overrides {item}"),
            Self::Cleared(target) => {
                write!(f, "the layer `code` says nothing about {target} any more")
            }
            Self::Expired { layer, item } => {
                write!(f, "an override of the layer `{layer}` is over: {item}")
            }
            Self::Pending { layer, target, nearest } => {
                write!(f, "an override of the layer `{layer}` waits for {target}")?;
                nearest.iter().try_for_each(|near| write!(f, ": did you mean `{near}`?"))
            }
            Self::Refused { layer, errors } => {
                write!(f, "overrides of the layer `{layer}` were refused: {errors}")
            }
            Self::DocumentRefused { layer, reason } => {
                write!(f, "the layer `{layer}` stays as it is: {reason}")
            }
            Self::DocumentMended { layer, origin } => {
                write!(f, "{origin}: this is what the layer `{layer}` says again")
            }
            Self::Remarked(remark) => remark.fmt(f),
            Self::ShuttingDown => {
                f.write_str("nothing is retried any more: the process shuts down")
            }
        }
    }
}

/// Tells whoever listens. Without any lock: a listener may look at what has changed.
pub(crate) fn tell(changes: impl IntoIterator<Item = Change>) {
    for change in changes {
        event::tell(|| What::Overrides(Arc::new(change)));
    }
}

/// From here on, or no longer, there is an override that matters before the first failure.
pub(super) fn watch_begins(on: bool) {
    if on {
        watch::want();
    } else {
        watch::unwant();
    }
}
