//! What is wrong with a scenario.

use std::{io, path::PathBuf};

use super::mistakes::Mistakes;

/// Why there is no scenario.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("`{}` cannot be read ({error}): write the path of a scenario file, or a name that `storm-lab list` shows", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// It is far longer than any scenario.
    #[error("`{}` is longer than {most} bytes, which no scenario is: write the path of a scenario file", path.display())]
    TooLong {
        /// Which file.
        path: PathBuf,
        /// The most that is read.
        most: u64,
    },
    /// It says what cannot be.
    #[error("{0}")]
    Mistakes(Mistakes),
}
