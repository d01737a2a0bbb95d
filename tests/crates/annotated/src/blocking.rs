//! Functions that are not async.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use stormless::{RetryError, Retryable, retry};

use crate::errors::OrderError;

/// Without other settings.
///
/// # Errors
///
/// The file system's.
#[retry(blocking)]
pub fn read(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}

/// With most of them, and an argument that is consumed.
///
/// # Errors
///
/// The file system's.
#[retry(
    blocking,
    attempts = 5,
    base = "10ms",
    deadline = "1s",
    idempotent,
    clone(text, path),
    on_retry = |event| eprintln!("again in {:?}", event.delay()),
)]
pub fn write(path: PathBuf, mut text: String) -> io::Result<PathBuf> {
    text.push('\n');
    fs::write(&path, text)?;
    Ok(path)
}

/// What is left comes from the caller, and the borrow goes back to it.
///
/// # Errors
///
/// The file system's, or that it took too long.
#[retry(blocking, deadline = left)]
pub fn longest<'a>(paths: &'a [PathBuf], left: Duration) -> Result<&'a Path, OrderError> {
    let mut longest: (u64, &'a Path) = (0, Path::new(""));
    for path in paths {
        longest = longest.max((fs::metadata(path)?.len(), path));
    }
    Ok(longest.1)
}

/// The error tells how often and why.
///
/// # Errors
///
/// The file system's, with what the call did.
#[retry(blocking, deadline = "1s")]
pub fn length(path: &Path) -> Result<u64, RetryError<OrderError>> {
    Ok(fs::metadata(path)?.len())
}

/// Once, and all is consumed.
///
/// # Errors
///
/// The file system's.
#[retry(blocking, attempts = 1)]
pub fn remove(path: PathBuf) -> io::Result<PathBuf> {
    fs::remove_file(&path)?;
    Ok(path)
}

/// A generic one.
///
/// # Errors
///
/// Those of the given call.
#[retry(blocking, attempts = TRIES)]
pub fn generic<T, E: Retryable, const TRIES: u32>(call: impl Fn() -> Result<T, E>) -> Result<T, E> {
    call()
}

/// A directory.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    seen: usize,
}

impl Directory {
    /// The one at this path.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self { path, seen: 0 }
    }

    /// Counts what is in it.
    ///
    /// # Errors
    ///
    /// The file system's.
    #[retry(blocking)]
    pub fn count(&mut self) -> io::Result<usize> {
        self.seen = fs::read_dir(&self.path)?.count();
        Ok(self.seen)
    }

    /// Where it is.
    ///
    /// # Errors
    ///
    /// The file system's.
    #[retry(blocking)]
    pub fn path(&self) -> io::Result<&Path> {
        for entry in fs::read_dir(&self.path)? {
            if entry?.file_name().is_empty() {
                return Err(io::ErrorKind::NotFound.into());
            }
        }
        Ok(&self.path)
    }
}
