//! Where files are, and what is there now.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    process,
};

use super::{WholeError, failed};

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    New,
    /// A file.
    Replaces,
    /// What cannot be replaced, and is written to.
    Device,
}

/// Where the file really is, and what is there now.
pub(super) fn resolve(path: &Path) -> Result<(PathBuf, Kind), WholeError> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if path.file_name().is_none() {
                return Err(WholeError::Directory { path: path.to_owned() });
            }
            // In its directory's own name, so that two spellings of one file are one.
            let directory = parent(path).canonicalize();
            let target = match (directory, path.file_name()) {
                (Ok(directory), Some(name)) => directory.join(name),
                _ => path.to_owned(),
            };
            return Ok((target, Kind::New));
        }
        Err(cause) => return Err(failed(path)(cause)),
    };
    if metadata.is_dir() {
        return Err(WholeError::Directory { path: path.to_owned() });
    }
    if !metadata.is_file() {
        return Ok((path.to_owned(), Kind::Device));
    }
    if metadata.permissions().readonly() {
        return Err(failed(path)(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        )));
    }
    Ok((path.canonicalize().map_err(failed(path))?, Kind::Replaces))
}

pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A new file under a name that nothing has.
pub(super) fn temporary(directory: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    let mut number = 0_u32;
    loop {
        let path = directory.join(format!(".{name}.{}-{number}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {
                number += 1;
            }
            result => return result.map(|file| (path, file)),
        }
    }
}
