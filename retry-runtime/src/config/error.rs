//! Why a file is not in force.

use std::{io, path::PathBuf, sync::Arc};

use super::Faults;

/// Why a file was not applied. What was in force before still is.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config::{self, ConfigFileError};
///
/// let error = config::watch("no/such/file.toml").unwrap_err();
/// assert!(matches!(error, ConfigFileError::Unreadable { .. }));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigFileError {
    /// It is not there, or may not be read.
    #[error("the file `{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: Arc<io::Error>,
    },
    /// It is a directory, a pipe or a device.
    #[error("`{}` is not a regular file: name a file, or a link to one", path.display())]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// It is longer than a document may be.
    #[error("the file `{}` has more than {limit} bytes: leave out what is no override", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most that it may have, in bytes.
        limit: usize,
    },
    /// It is not UTF-8.
    #[error("{}:{line}:{column}: this is not UTF-8: save the file in that encoding", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The line of the first byte that is not, from 1.
        line: usize,
        /// Its column, in characters from 1.
        column: usize,
    },
    /// What it says, or what the environment says, makes no sense.
    #[error(transparent)]
    Faulty(#[from] Faults),
    /// There can be one file.
    #[error("the file `{}` is watched already, and there can be one: drop its `Watch` first", path.display())]
    Watched {
        /// The file that is watched.
        path: PathBuf,
    },
    /// The thread that would look after it does not start.
    #[error("the thread that would watch `{}` does not start: {error}", path.display())]
    NoThread {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: Arc<io::Error>,
    },
}

impl ConfigFileError {
    /// Whether there is no such file.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Unreadable { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}
