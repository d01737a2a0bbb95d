//! A file that is looked at again and again.

mod shared;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use shared::Shared;

use super::{Applied, ConfigFileError, Remark, claim::Claim};

const EVERY: Duration = Duration::from_secs(5);
/// More often than this would be a thread that does nothing else.
const MOST_OFTEN: Duration = Duration::from_millis(10);

/// Puts a file into force, and watches it: `Watcher::new(path).start()`.
///
/// # Errors
///
/// As for [`Watcher::start`].
pub fn watch(path: impl Into<PathBuf>) -> Result<Watch, ConfigFileError> {
    Watcher::new(path).start()
}

/// How a file is watched.
#[derive(Clone, Debug)]
#[must_use = "nothing is watched until `start`"]
pub struct Watcher {
    path: PathBuf,
    every: Duration,
    optional: bool,
    lenient: bool,
}

impl Watcher {
    /// Watches the file at this path, every 5 seconds.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), every: EVERY, optional: false, lenient: false }
    }

    /// How long it is from one look to the next: 10 milliseconds at least.
    pub const fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// The file need not be there yet.
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// A file that is at fault is no reason not to watch it: [`Watch::fault`] says what is wrong, and so does the
    /// event.
    pub const fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Reads the file and puts it into force, as the layer `file`, and starts the thread that looks at it from
    /// then on. Each look reads the file whole, through whatever links lead to it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not there and not [`optional`](Self::optional), or says something that makes
    /// no sense, all that unless it is [`lenient`](Self::lenient); if a file is watched already; if no thread can be
    /// started.
    pub fn start(self) -> Result<Watch, ConfigFileError> {
        let claim = Claim::of(&self.path)?;
        let shared = Arc::new(Shared::of(self.path, self.optional));
        let (stop, stopped) = mpsc::channel();
        // Dropped by an error below, it takes away what was put into force.
        let mut watch = Watch { shared: Arc::clone(&shared), stop: Some(stop), claim: Some(claim) };
        if let (Err(error), false) = (watch.look(), self.lenient) {
            // There is nothing to take away, and the refusal is to be seen.
            watch.stop = None;
            return Err(error);
        }
        let every = self.every.max(MOST_OFTEN);
        thread::Builder::new()
            .name("stormless-config".to_owned())
            .spawn(move || {
                while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                    // It has been told of, and is kept.
                    let _ = shared.look();
                }
            })
            .map_err(|error| ConfigFileError::NoThread {
                path: watch.path().to_owned(),
                error: Arc::new(error),
            })?;
        Ok(watch)
    }
}

/// What a look at the file came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Look {
    /// The file says what is in force, or an optional one is not there.
    Unchanged,
    /// The file says something new, which is in force now.
    Applied(Applied),
}

/// A file that is watched.
///
/// Dropped, it takes the layer `file` away: nobody would notice any longer what the file says. If somebody has
/// [applied](crate::config::Document::apply) something else to that layer, the next look applies the file again, and
/// a watch that is dropped before leaves it alone.
#[must_use = "dropped, it takes away what the file says"]
pub struct Watch {
    shared: Arc<Shared>,
    /// Dropped, it ends the thread.
    stop: Option<mpsc::Sender<()>>,
    claim: Option<Claim>,
}

impl Watch {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.shared.path()
    }

    /// Looks at the file now, as the thread does every few seconds.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or says something that makes no sense. What it said last is still in force.
    pub fn look(&self) -> Result<Look, ConfigFileError> {
        self.shared.look()
    }

    /// What was wrong with the file at the last look.
    #[must_use]
    pub fn fault(&self) -> Option<ConfigFileError> {
        self.shared.fault()
    }

    /// What is worth knowing about what the file says: tables that were left out because they had expired.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        self.shared.remarks()
    }

    /// Watches for as long as the process lives.
    pub fn detach(mut self) {
        // The thread waits for what never comes.
        std::mem::forget(self.stop.take());
        std::mem::forget(self.claim.take());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Detached ones have none.
        if self.stop.take().is_some() {
            self.shared.end();
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("path", &self.path()).finish_non_exhaustive()
    }
}
