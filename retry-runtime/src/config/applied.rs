//! What came of a document.

use std::{fmt, sync::Arc};

use crate::control::Target;

/// What has been put into force.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config::{self, Applied};
///
/// let applied: Applied = config::environment_from([("STORMLESS_RETRIES", "off")])?;
/// assert_eq!((applied.overrides, applied.remarks.len()), (1, 0));
/// # Ok::<(), config::Faults>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// How many overrides were put into force: all that the layer holds now, or those that were set in it.
    pub overrides: usize,
    /// What is worth knowing, though nothing is wrong with it.
    pub remarks: Vec<Remark>,
}

/// Something that changes nothing, and that somebody may have meant otherwise.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config::{self, Remark};
///
/// let applied = config::environment_from([("STORMLESS_RETRY", "off")])?;
/// assert!(matches!(applied.remarks[0], Remark::UnknownVariable { .. }));
/// println!("{}", applied.remarks[0]);
/// # Ok::<(), config::Faults>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// A table whose `expires` has passed was left out.
    Expired {
        /// The file, the variable, or whatever else it stands in.
        origin: Arc<str>,
        /// The line of the table, from 1.
        line: usize,
        /// Whom it was about.
        target: Target,
    },
    /// A variable that begins like ours and is none.
    UnknownVariable {
        /// The variable.
        name: String,
        /// The most similar one there is.
        nearest: Option<&'static str>,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired { origin, line, target } => {
                write!(f, "{origin}:{line}: {target}: this has expired, and is left out")
            }
            Self::UnknownVariable { name, nearest } => {
                write!(f, "{name}: there is no such variable")?;
                nearest.map_or(Ok(()), |near| write!(f, ": did you mean `{near}`?"))
            }
        }
    }
}
