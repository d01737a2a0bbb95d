//! One look, and what it leaves behind.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    super::{ConfigFileError, Document, Remark, document, file, tell},
    Look,
};
use crate::{
    Context,
    control::{
        self, Later, Layer, Overrides,
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
    /// Held for a whole look, so that no look overtakes another one. Not held while somebody is told of what came
    /// of it: a listener may look too.
    looking: Mutex<()>,
    /// Held only as long as overrides are changed: what ends does not wait for a disk.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    ended: bool,
    good: Option<Good>,
    fault: Option<ConfigFileError>,
}

/// What was put into force last.
struct Good {
    text: String,
    overrides: Overrides,
    remarks: Vec<Remark>,
}

/// What is to be told when no lock is held any longer.
#[derive(Default)]
struct Untold {
    later: Option<Later>,
    changes: Vec<Change>,
}

impl Untold {
    fn tell(self) {
        self.later.into_iter().for_each(Later::tell);
        change::tell(self.changes);
    }
}

type Looked = (Result<Look, ConfigFileError>, Untold);

impl Shared {
    pub(super) fn of(path: PathBuf, optional: bool) -> Self {
        Self {
            origin: path.display().to_string().into(),
            path,
            optional,
            context: Context::root(),
            looking: Mutex::new(()),
            state: Mutex::default(),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn fault(&self) -> Option<ConfigFileError> {
        lock(&self.state).fault.clone()
    }

    pub(super) fn remarks(&self) -> Vec<Remark> {
        lock(&self.state).good.as_ref().map(|good| good.remarks.clone()).unwrap_or_default()
    }

    pub(super) fn look(&self) -> Result<Look, ConfigFileError> {
        self.context.clone().run(|| {
            let (look, untold) = self.decide();
            untold.tell();
            look
        })
    }

    fn decide(&self) -> Looked {
        let _looking = lock(&self.looking);
        let text = match file::read(&self.path) {
            Ok(text) => text,
            Err(error) if self.optional && error.is_missing() && !self.has_said() => {
                return (Ok(Look::Unchanged), self.mended());
            }
            Err(error) => return self.refused(error),
        };
        if self.is_in_force(&text) {
            return (Ok(Look::Unchanged), self.mended());
        }
        match document::read(&self.origin, &text, None) {
            Ok(document) => self.apply(text, &document),
            Err(faults) => self.refused(faults.into()),
        }
    }

    fn has_said(&self) -> bool {
        lock(&self.state).good.is_some()
    }

    /// Whether the text was applied, and nobody has put anything else in its place since.
    fn is_in_force(&self, text: &str) -> bool {
        let state = lock(&self.state);
        let good = state.good.as_ref().filter(|good| good.text == text);
        good.is_some_and(|good| control::says(Layer::File, &good.overrides))
    }

    fn apply(&self, text: String, document: &Document) -> Looked {
        let mut state = lock(&self.state);
        if state.ended {
            return (Ok(Look::Unchanged), Untold::default());
        }
        let (outcome, later) = document.apply_and_tell_later(Layer::File);
        match outcome {
            Ok(applied) => {
                let remarks = applied.remarks.clone();
                let changes = tell::remarked(&remarks).collect();
                state.good = Some(Good { text, overrides: document.overrides(), remarks });
                state.fault = None;
                (Ok(Look::Applied(applied)), Untold { later: Some(later), changes })
            }
            Err(faults) => {
                drop(state);
                let (look, untold) = self.refused(faults.into());
                (look, Untold { later: Some(later), ..untold })
            }
        }
    }

    /// Keeps a fault, which is to be told unless it has been.
    fn refused(&self, error: ConfigFileError) -> Looked {
        let mut state = lock(&self.state);
        let mut untold = Untold::default();
        if !state.ended {
            let change = tell::kept(Layer::File, &error);
            let known = state.fault.replace(error.clone()).map(|known| known.to_string());
            if known != Some(error.to_string()) {
                untold.changes.push(change);
            }
        }
        (Err(error), untold)
    }

    fn mended(&self) -> Untold {
        let mut untold = Untold::default();
        if lock(&self.state).fault.take().is_some() {
            control::keep_refused(Layer::File, None);
            let origin = Arc::clone(&self.origin);
            untold.changes.push(Change::DocumentMended { layer: Layer::File, origin });
        }
        untold
    }

    /// Takes away what the file said, unless somebody else has put something in its place.
    pub(super) fn end(&self) {
        self.context.clone().run(|| {
            let mut state = lock(&self.state);
            state.ended = true;
            if state.fault.take().is_some() {
                control::keep_refused(Layer::File, None);
            }
            let good = state.good.take();
            let later = good.map(|good| control::clear_layer_of(Layer::File, &good.overrides));
            drop(state);
            later.into_iter().for_each(Later::tell);
        });
    }
}

/// A panic of an observer leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
