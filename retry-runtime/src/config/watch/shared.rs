//! One look, and what it leaves behind.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    super::{ConfigFileError, document, file, tell},
    Look,
};
use crate::{
    Context,
    control::{
        self, Layer,
        change::{self, Change},
    },
};

/// A file that is watched, for the thread that does it and for whoever asked for it.
pub(super) struct Shared {
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
    pub(super) fn of(path: PathBuf, optional: bool) -> Self {
        Self {
            origin: path.display().to_string().into(),
            path,
            optional,
            context: Context::root(),
            good: Mutex::new(None),
            state: Mutex::new(State { ended: false, applied: false, fault: None }),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn fault(&self) -> Option<ConfigFileError> {
        lock(&self.state).fault.clone()
    }

    pub(super) fn look(&self) -> Result<Look, ConfigFileError> {
        let mut good = lock(&self.good);
        let read = file::read(&self.path);
        self.context.clone().run(|| match read {
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
            tell::refused(Layer::File, error);
        }
        state.fault = Some(error.clone());
    }

    fn mended(&self) {
        if lock(&self.state).fault.take().is_some() {
            control::keep_refused(Layer::File, None);
            let origin = Arc::clone(&self.origin);
            change::tell([Change::DocumentMended { layer: Layer::File, origin }]);
        }
    }

    pub(super) fn end(&self) {
        let mut state = lock(&self.state);
        state.ended = true;
        if !state.applied {
            return;
        }
        self.context.clone().run(|| control::clear_layer(Layer::File));
    }
}

/// A panic of an observer leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
