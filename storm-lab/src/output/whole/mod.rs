//! Files that appear all together or not at all.

mod leftovers;
mod place;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use thiserror::Error;

pub use self::leftovers::leave;
pub use self::place::is_device;
use self::place::{Kind, device, parent, resolve, temporary};

/// A set of files. Each is written under a temporary name beside its own; [`commit`](Self::commit) then gives them
/// their names. Dropped without that, it leaves nothing behind.
///
/// Existing files are replaced, with their permissions kept, and only when everything was written. A link is
/// followed, also to what is not there yet. What is no file, such as `/dev/null` or a pipe, and the file that standard
/// output goes to, is written to at the end.
#[derive(Debug, Default)]
pub struct Whole {
    pending: Vec<Pending>,
    /// Directories that were made for it.
    made: Vec<PathBuf>,
    /// Files that it is meant to have.
    expected: BTreeSet<PathBuf>,
}

/// A file could not be written.
#[derive(Debug, Error)]
pub enum WholeError {
    /// The file system refused.
    #[error("`{}` cannot be written: {cause}; choose another place", path.display())]
    Io {
        /// Which file or directory.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Two outputs have one name.
    #[error("`{}` is to be written twice; give each output a name of its own", path.display())]
    Twice {
        /// Which.
        path: PathBuf,
    },
    /// A directory is where the file should be.
    #[error("`{}` is a directory; name a file in it", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
    },
}

#[derive(Debug)]
struct Pending {
    temporary: PathBuf,
    target: PathBuf,
    kind: Kind,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> WholeError + '_ {
    move |cause| WholeError::Io { path: path.to_owned(), cause }
}

impl Whole {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes sure that files can be written into this directory, and makes it where it is missing: to be asked
    /// before the work whose results it is for.
    ///
    /// # Errors
    /// It cannot be made, or not be written to.
    pub fn directory(&mut self, directory: &Path) -> Result<(), WholeError> {
        let missing: Vec<PathBuf> = directory
            .ancestors()
            .take_while(|path| !path.as_os_str().is_empty() && !path.exists())
            .map(Path::to_owned)
            .collect();
        for path in missing.iter().rev() {
            fs::create_dir(path).map_err(failed(path))?;
            leftovers::add(path);
            self.made.push(path.clone());
        }
        let (probe, _) = temporary(directory, "probe").map_err(failed(directory))?;
        fs::remove_file(&probe).map_err(failed(&probe))
    }

    /// Makes sure that this file can be written, as far as that can be known before.
    ///
    /// # Errors
    /// It is a directory, is protected, lies in a directory that cannot be written to, or was asked for before.
    pub fn file(&mut self, path: &Path) -> Result<(), WholeError> {
        let (target, kind) = resolve(path)?;
        if kind != Kind::Device {
            self.directory(parent(&target))?;
        }
        // Once its directory is there, all spellings are one.
        self.expect(path)
    }

    /// Makes sure that this file can have its place, in a directory that can be written to.
    ///
    /// # Errors
    /// It is a directory, is protected, or was asked for before.
    pub fn expect(&mut self, path: &Path) -> Result<(), WholeError> {
        let (target, _) = resolve(path)?;
        if self.expected.insert(target) {
            Ok(())
        } else {
            Err(WholeError::Twice { path: path.to_owned() })
        }
    }

    /// Adds a file with this content.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn add(&mut self, path: &Path, content: &[u8]) -> Result<(), WholeError> {
        self.write(path, |file| file.write_all(content))
    }

    /// Adds a file with whatever `fill` writes. Until [`commit`](Self::commit) it has a temporary name.
    ///
    /// # Errors
    /// It is in the set already, is a directory or protected, or writing failed.
    pub fn write(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), WholeError> {
        let (target, kind) = resolve(path)?;
        if self.pending.iter().any(|pending| pending.target == target) {
            return Err(WholeError::Twice { path: path.to_owned() });
        }
        let directory =
            if kind == Kind::Device { std::env::temp_dir() } else { parent(&target).to_owned() };
        let name = target
            .file_name()
            .map_or_else(Default::default, |name| name.to_string_lossy().into_owned());
        let (temporary, opened) = temporary(&directory, &name).map_err(failed(path))?;
        // From here on the temporary file is the set's, which removes it whatever happens.
        leftovers::add(&temporary);
        self.pending.push(Pending { temporary: temporary.clone(), target: target.clone(), kind });
        let mut writer = BufWriter::new(opened);
        fill(&mut writer).and_then(|()| writer.flush()).map_err(failed(path))?;
        let written = writer.into_inner().map_err(|error| failed(path)(error.into_error()))?;
        if kind == Kind::Replaces {
            let permissions = fs::metadata(&target).map_err(failed(path))?.permissions();
            written.set_permissions(permissions).map_err(failed(path))?;
        }
        // What the system has only promised to write may still fail.
        written.sync_data().map_err(failed(path))
    }

    /// Gives all files their names, and returns those. If one cannot have it, the ones before get back what was
    /// there.
    ///
    /// # Errors
    /// A file could not be renamed, or a device not be written to. Then nothing has changed, except that a device
    /// may have got a part.
    pub fn commit(mut self) -> Result<Vec<PathBuf>, WholeError> {
        let mut done: Vec<(PathBuf, Option<PathBuf>)> = Vec::new();
        // Devices last: what they were given cannot be taken back.
        self.pending.sort_by_key(|pending| pending.kind == Kind::Device);
        // All files or none, even if the program is told to end; who reads a device may take for ever.
        let mut held = Some(leftovers::hold());
        for pending in &self.pending {
            if let Some(mut left) = held.take_if(|_| pending.kind == Kind::Device) {
                left.extend(done.iter().filter_map(|(_, old)| old.clone()));
            }
            match put(pending) {
                Ok(old) => done.push((pending.target.clone(), old)),
                Err(error) => {
                    for (target, old) in done.into_iter().rev() {
                        // Nothing more can be done about a file that cannot be put back.
                        let _ = match old {
                            Some(old) => fs::rename(old, target),
                            None => fs::remove_file(target),
                        };
                    }
                    return Err(error);
                }
            }
        }
        for old in done.iter().filter_map(|(_, old)| old.as_ref()) {
            let _ = fs::remove_file(old);
        }
        drop(held);
        for old in done.iter().filter_map(|(_, old)| old.as_ref()) {
            leftovers::forget(old);
        }
        for directory in self.made.drain(..) {
            leftovers::forget(&directory);
        }
        Ok(done.into_iter().map(|(target, _)| target).collect())
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        for pending in &self.pending {
            let _ = fs::remove_file(&pending.temporary);
            leftovers::forget(&pending.temporary);
        }
        // Those that are not empty stay.
        for directory in self.made.iter().rev() {
            let _ = fs::remove_dir(directory);
            leftovers::forget(directory);
        }
    }
}

/// Renames one file; what was there before is kept under the name that is returned.
fn put(pending: &Pending) -> Result<Option<PathBuf>, WholeError> {
    let Pending { temporary: new, target, kind } = pending;
    if *kind == Kind::Device {
        let copy = || io::copy(&mut File::open(new)?, &mut device(target)?);
        copy().map_err(failed(target))?;
        return Ok(None);
    }
    if !target.exists() {
        fs::rename(new, target).map_err(failed(target))?;
        return Ok(None);
    }
    // Beside it, so that the name is never without a file.
    let old = new.with_extension("old");
    fs::hard_link(target, &old)
        .or_else(|_| fs::copy(target, &old).map(|_| ()))
        .map_err(failed(target))?;
    if let Err(cause) = fs::rename(new, target) {
        let _ = fs::remove_file(&old);
        return Err(failed(target)(cause));
    }
    Ok(Some(old))
}
