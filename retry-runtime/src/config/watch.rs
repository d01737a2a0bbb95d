//! A file that is looked at again and again.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use super::{
    Applied, ConfigFileError,
    claim::Claim,
    document, environment, file,
    tell::{self, News, tell},
};
use crate::{
    Context,
    control::{self, Layer},
};

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

/// Puts into force what the [environment](super::environment) says, and watches the file that
/// `STORMLESS_CONFIG` names in it, if it names one: the one line for a program's start.
///
/// ```
/// # use retry_runtime as stormless;
/// let _watch = stormless::config::start()?;
/// # Ok::<(), stormless::config::ConfigFileError>(())
/// ```
///
/// # Errors
///
/// As for [`environment`](super::environment) and [`watch`]. What the environment says is in force even
/// where the file is at fault.
pub fn start() -> Result<Option<Watch>, ConfigFileError> {
    environment::environment()?;
    environment::config().map(watch).transpose()
}

/// How a file is watched.
#[derive(Clone, Debug)]
#[must_use = "nothing is watched until `start`"]
pub struct Watcher {
    path: PathBuf,
    every: Duration,
    optional: bool,
}

impl Watcher {
    /// Watches the file at this path, every 5 seconds.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), every: EVERY, optional: false }
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

    /// Reads the file and puts it into force, as the layer `file`, and starts the thread that looks at it from
    /// then on. Each look reads the file whole, through whatever links lead to it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not there and not [`optional`](Self::optional), or says something that makes
    /// no sense; if a file is watched already; if no thread can be started.
    pub fn start(self) -> Result<Watch, ConfigFileError> {
        let claim = Claim::of(&self.path)?;
        let shared = Arc::new(Shared {
            origin: self.path.display().to_string().into(),
            path: self.path,
            optional: self.optional,
            context: Context::root(),
            good: Mutex::new(None),
            state: Mutex::new(State { ended: false, applied: false, fault: None }),
        });
        let (stop, stopped) = mpsc::channel();
        // Dropped by an error below, it takes away what was put into force.
        let watch = Watch { shared: Arc::clone(&shared), stop: Some(stop), claim: Some(claim) };
        watch.look()?;
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
                path: watch.shared.path.clone(),
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
/// Dropped, it takes the layer `file` away: nobody would notice any longer what the file says.
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
        &self.shared.path
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
        lock(&self.shared.state).fault.clone()
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
        f.debug_struct("Watch").field("path", &self.shared.path).finish_non_exhaustive()
    }
}

struct Shared {
    origin: Arc<str>,
    path: PathBuf,
    optional: bool,
    /// Whose overrides these are: an isolated test has its own.
    context: Context,
    /// The text in force. Held for a whole look, so that no look overtakes another one.
    good: Mutex<Option<String>>,
    /// Held only as long as overrides are changed: what ends does not wait for a disk.
    state: Mutex<State>,
}

struct State {
    ended: bool,
    /// Whether the layer is the file's.
    applied: bool,
    fault: Option<ConfigFileError>,
}

impl Shared {
    fn look(&self) -> Result<Look, ConfigFileError> {
        let mut good = lock(&self.good);
        let read = file::read(&self.path);
        self.context.run(|| match read {
            Ok(text) if good.as_ref() == Some(&text) => {
                self.mended();
                Ok(Look::Unchanged)
            }
            Ok(text) => {
                let applied = self.apply(&text)?;
                *good = Some(text);
                Ok(applied)
            }
            Err(error) if self.optional && good.is_none() && error.is_missing() => {
                Ok(Look::Unchanged)
            }
            Err(error) => {
                Self::refused(&mut lock(&self.state), &error);
                Err(error)
            }
        })
    }

    fn apply(&self, text: &str) -> Result<Look, ConfigFileError> {
        let document = document::read(&self.origin, text, None);
        let mut state = lock(&self.state);
        if state.ended {
            return Ok(Look::Unchanged);
        }
        match document.and_then(|document| document.apply_quietly(Layer::File)) {
            Ok(applied) => {
                state.applied = true;
                state.fault = None;
                tell::remarks(&applied);
                Ok(Look::Applied(applied))
            }
            Err(faults) => {
                let error = ConfigFileError::from(faults);
                Self::refused(&mut state, &error);
                Err(error)
            }
        }
    }

    /// Keeps a fault, and tells of it unless it has been told.
    fn refused(state: &mut State, error: &ConfigFileError) {
        let known = state.fault.as_ref().map(ToString::to_string);
        if known.as_ref() != Some(&error.to_string()) {
            tell(News::Refused { layer: Layer::File, why: error });
        }
        state.fault = Some(error.clone());
    }

    fn mended(&self) {
        if lock(&self.state).fault.take().is_some() {
            tell(News::Mended { layer: Layer::File, origin: &self.origin });
        }
    }

    fn end(&self) {
        let mut state = lock(&self.state);
        state.ended = true;
        if !state.applied {
            return;
        }
        self.context.run(|| {
            control::clear_layer(Layer::File);
            tell(News::Ended { layer: Layer::File, origin: &self.origin });
        });
    }
}

/// A panic of an observer leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
