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

/// As many links in a row as systems follow.
const LINKS: usize = 40;

/// Where the file really is, and what is there now.
pub(super) fn resolve(path: &Path) -> Result<(PathBuf, Kind), WholeError> {
    if path.as_os_str().is_empty() {
        return Err(failed(path)(io::Error::new(io::ErrorKind::InvalidInput, "it has no name")));
    }
    // What a link leads to may still have to be made.
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Some(next) = dangling(&path) else { return at(&path) };
        path = next;
    }
    let why = "too many links lead from one to the next";
    Err(failed(&path)(io::Error::other(why)))
}

/// Where a link leads to that leads nowhere yet.
fn dangling(path: &Path) -> Option<PathBuf> {
    let missing =
        matches!(fs::metadata(path), Err(error) if error.kind() == io::ErrorKind::NotFound);
    let link = missing && fs::symlink_metadata(path).is_ok_and(|known| known.is_symlink());
    link.then(|| fs::read_link(path).ok())?.map(|to| parent(path).join(to))
}

fn at(path: &Path) -> Result<(PathBuf, Kind), WholeError> {
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
    if !metadata.is_file() || stream(&metadata).is_some() {
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

/// Whether it is written to rather than replaced: what is no file, and what standard output or error goes to.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() || stream(&metadata).is_some())
}

/// What cannot be replaced, to be written to.
pub(super) fn device(path: &Path) -> io::Result<File> {
    // A file that is opened again begins at its start, over what is in it already.
    match stream(&fs::metadata(path)?) {
        Some(stream) => Ok(stream),
        None => OpenOptions::new().write(true).open(path),
    }
}

/// Standard output or error, if that is what this is of.
#[cfg(unix)]
fn stream(known: &fs::Metadata) -> Option<File> {
    use std::os::{fd::AsFd, unix::fs::MetadataExt};

    let (out, err) = (io::stdout(), io::stderr());
    [out.as_fd(), err.as_fd()].into_iter().find_map(|stream| {
        let file = File::from(stream.try_clone_to_owned().ok()?);
        let own = file.metadata().ok()?;
        ((own.dev(), own.ino()) == (known.dev(), known.ino())).then_some(file)
    })
}

/// Standard output has no name here.
#[cfg(not(unix))]
fn stream(_known: &fs::Metadata) -> Option<File> {
    None
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
