//! What would be left behind if the program ended now.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Files with temporary names, and directories made for files that have none yet; the newest last.
static LEFT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// While it is held, the program does not end in the middle of giving files their names.
pub(super) fn hold() -> MutexGuard<'static, Vec<PathBuf>> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn add(path: &Path) {
    hold().push(path.to_owned());
}

pub(super) fn forget(path: &Path) {
    hold().retain(|left| left != path);
}

/// Removes what sets of files in the making would leave behind, and then does `end`, which is meant to end the
/// program: nothing gets a name from here on.
pub fn leave<T>(end: impl FnOnce() -> T) -> T {
    let mut left = hold();
    for path in left.drain(..).rev() {
        // One of the two fails. A directory that is not empty stays.
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
    }
    end()
}
