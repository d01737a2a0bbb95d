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
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{config, control};
///
/// # let path = std::env::temp_dir().join(format!("stormless-watch-{}.toml", std::process::id()));
/// # std::fs::write(&path, "[all]\nattempts = 2").unwrap();
/// let watch = config::watch(&path)?;
/// assert_eq!(control::overrides().len(), 1);
/// drop(watch);
/// assert!(control::overrides().is_empty());
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), config::ConfigFileError>(())
/// ```
pub fn watch(path: impl Into<PathBuf>) -> Result<Watch, ConfigFileError> {
    Watcher::new(path).start()
}

/// How a file is watched.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config::Watcher;
/// use std::time::Duration;
///
/// let watcher = Watcher::new("/etc/orders/retries.toml")
///     .every(Duration::from_secs(30))
///     .optional()
///     .lenient();
/// let watch = watcher.start()?;
/// assert!(watch.fault().is_none());
/// # Ok::<(), stormless::config::ConfigFileError>(())
/// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config::Watcher;
    ///
    /// assert!(Watcher::new("no/such/file.toml").start().is_err());
    /// ```
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), every: EVERY, optional: false, lenient: false }
    }

    /// How long it is from one look to the next: 5 s unless it is set, and 10 ms at least; less is taken for that.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config::Watcher;
    /// use std::time::Duration;
    ///
    /// let watcher = Watcher::new("/etc/orders/retries.toml").every(Duration::from_secs(60)).optional();
    /// let watch = watcher.start()?;
    /// # drop(watch);
    /// # Ok::<(), stormless::config::ConfigFileError>(())
    /// ```
    pub const fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// The file need not be there yet.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config::Watcher;
    ///
    /// assert!(Watcher::new("no/such/file.toml").optional().start().is_ok());
    /// ```
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// A file that is at fault is no reason not to watch it: [`Watch::fault`] says what is wrong, and so does the
    /// event.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config::Watcher;
    ///
    /// let watch = Watcher::new("no/such/file.toml").lenient().start()?;
    /// assert!(watch.fault().is_some());
    /// # Ok::<(), stormless::config::ConfigFileError>(())
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config::{ConfigFileError, Watcher};
    ///
    /// let first = Watcher::new("no/such/file.toml").optional().start()?;
    /// let second = Watcher::new("another.toml").optional().start();
    /// assert!(matches!(second, Err(ConfigFileError::Watched { .. })));
    /// # drop(first);
    /// # Ok::<(), ConfigFileError>(())
    /// ```
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
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config::{self, Look};
///
/// # let path = std::env::temp_dir().join(format!("stormless-look-{}.toml", std::process::id()));
/// # std::fs::write(&path, "[all]\nattempts = 2").unwrap();
/// let watch = config::watch(&path)?;
/// assert!(matches!(watch.look()?, Look::Unchanged));
/// std::fs::write(&path, "[all]\nattempts = 1").unwrap();
/// assert!(matches!(watch.look()?, Look::Applied(_)));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), config::ConfigFileError>(())
/// ```
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
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config::{Watch, Watcher};
///
/// let watch: Watch = Watcher::new("no/such/file.toml").optional().start()?;
/// assert_eq!(watch.path(), std::path::Path::new("no/such/file.toml"));
/// assert!(watch.fault().is_none() && watch.remarks().is_empty());
/// # Ok::<(), stormless::config::ConfigFileError>(())
/// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config::{Look, Watcher};
    ///
    /// let watch = Watcher::new("no/such/file.toml").optional().start()?;
    /// assert!(matches!(watch.look()?, Look::Unchanged));
    /// # Ok::<(), stormless::config::ConfigFileError>(())
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config::Watcher;
    ///
    /// Watcher::new("no/such/file.toml").optional().start()?.detach();
    /// # Ok::<(), stormless::config::ConfigFileError>(())
    /// ```
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
