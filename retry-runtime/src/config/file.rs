//! A file, read whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::{
    ConfigFileError,
    fault::{Place, Places},
};

/// The most that a file may have, in bytes: what fits a `ConfigMap` of Kubernetes.
const LIMIT: usize = 1024 * 1024;

/// The text of a regular file. Links are followed anew each time, so that it is always the file that the path
/// names now.
pub(super) fn read(path: &Path) -> Result<String, ConfigFileError> {
    let unreadable = |error: io::Error| ConfigFileError::Unreadable {
        path: path.to_owned(),
        error: Arc::new(error),
    };
    // Asked before it is opened: to open a pipe waits for whoever writes into it.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(ConfigFileError::NotAFile { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    // Read to one byte beyond the limit, whatever length the file says it has: it may be growing.
    let most = u64::try_from(LIMIT).map_or(u64::MAX, |limit| limit.saturating_add(1));
    File::open(path)
        .and_then(|file| file.take(most).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() > LIMIT {
        return Err(ConfigFileError::TooLarge { path: path.to_owned(), limit: LIMIT });
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..good]);
        let Place { line, column } = Places::of(&text).next(good);
        ConfigFileError::NotText { path: path.to_owned(), line, column }
    })
}
