//! What all layers come to: of the process, or of an isolated test.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{
    Layer,
    change::{self, Change},
    in_force::InForce,
    written::Written,
};
use crate::{Moment, breaker::Untold, clock};

/// Those who decide read a flag or a value that never changes; those who change something take turns.
///
/// All flags are relaxed: each is right by itself, a little sooner or later. That no name is missed hangs on
/// the lock around `in_force`. Who appears looks there after it has become known, and who changes it looks
/// for names after that: so one of the two finds the other.
#[derive(Debug)]
pub(crate) struct Store {
    written: Mutex<Written>,
    in_force: RwLock<Option<Arc<InForce>>>,
    /// The next moment at which there is anything to do: an override expires, or a name has appeared that
    /// one may have waited for.
    next: AtomicU64,
    /// Whether an override of sites is in force.
    patched: AtomicBool,
    /// Whether one matters before the first failure.
    begins: AtomicBool,
    /// Whether retries are off for all.
    off: AtomicBool,
    shutting_down: AtomicBool,
    /// The documents that were refused last, each until its layer says something else or is what it was.
    refused: Mutex<Vec<(Layer, Arc<str>)>>,
}

const NEVER: u64 = Moment::NEVER.as_nanos();

impl Store {
    pub(crate) const fn new() -> Self {
        Self {
            written: Mutex::new(Written::NONE),
            in_force: RwLock::new(None),
            next: AtomicU64::new(NEVER),
            patched: AtomicBool::new(false),
            begins: AtomicBool::new(false),
            off: AtomicBool::new(false),
            shutting_down: AtomicBool::new(false),
            refused: Mutex::new(Vec::new()),
        }
    }

    /// Whether retries are off for all.
    pub(crate) fn is_off(&self) -> bool {
        self.off.load(Ordering::Relaxed) || self.is_shutting_down()
    }

    pub(super) fn is_shutting_down(&self) -> bool {
        self.shutting_down.load(Ordering::Relaxed)
    }

    pub(super) fn shut_down(&self) {
        if !self.shutting_down.swap(true, Ordering::Relaxed) {
            change::tell(vec![Change::ShuttingDown]);
        }
    }

    /// A document of a layer is refused; or none is any more.
    pub(super) fn refuse(&self, layer: Layer, why: Option<&Arc<str>>) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.retain(|(known, _)| *known != layer);
        refused.extend(why.map(|why| (layer, Arc::clone(why))));
    }

    pub(super) fn refused(&self) -> Vec<(Layer, Arc<str>)> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn is_patched(&self) -> bool {
        self.patched.load(Ordering::Relaxed)
    }

    pub(super) fn changes_begins(&self) -> bool {
        self.begins.load(Ordering::Relaxed)
    }

    /// All that is in force, if anything is.
    pub(super) fn in_force(&self) -> Option<Arc<InForce>> {
        self.in_force.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes what was said, and tells of it when the lock is released.
    pub(super) fn write<T>(&self, change: impl FnOnce(&mut Written) -> T) -> T {
        Self::write_in(self.lock(), change)
    }

    fn write_in<T>(written: MutexGuard<'_, Written>, change: impl FnOnce(&mut Written) -> T) -> T {
        let (result, later) = Self::write_and_tell_later(written, change);
        later.tell();
        result
    }

    pub(super) fn write_and_tell_later<T>(
        mut written: MutexGuard<'_, Written>,
        change: impl FnOnce(&mut Written) -> T,
    ) -> (T, Later) {
        let result = change(&mut written);
        let changes = std::mem::take(&mut written.changes);
        let untold = std::mem::take(&mut written.untold);
        (result, Later { changes, untold })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings all that follows from what was said up to date.
    pub(super) fn settle(&self, written: &mut Written, now: Moment) {
        for entry in written.layers.iter_mut().flatten() {
            if !entry.over && entry.expires <= now {
                entry.over = true;
                let (layer, item) = (entry.layer, entry.item.clone());
                written.changes.push(Change::Expired { layer, item });
            }
        }
        written.layers[Layer::Code as usize].retain(|entry| !entry.over);
        let in_force = Arc::new(InForce::of(written.layers.iter().flatten().cloned(), now));
        // Before anybody is looked for: whoever appears from here on says so.
        self.next.store(in_force.next_expiry().as_nanos(), Ordering::Relaxed);
        let some = (!in_force.entries().is_empty()).then(|| in_force.clone());
        *self.in_force.write().unwrap_or_else(PoisonError::into_inner) = some;
        self.patched.store(in_force.of_sites().next().is_some(), Ordering::Relaxed);
        self.off.store(in_force.is_all_off(), Ordering::Relaxed);
        let begins = in_force.of_sites().any(|entry| entry.item.settings().changes_begins());
        self.set_begins(begins && !written.closed);
        written.throw_sites(&in_force, now);
        written.throw_budgets(&in_force);
        let untold = written.numbers.settle(&in_force, &written.anew, now);
        written.untold.extend(untold);
    }

    fn set_begins(&self, begins: bool) {
        if self.begins.swap(begins, Ordering::Relaxed) != begins {
            change::watch_begins(begins);
        }
    }

    /// The isolated test is over: what is left of it in the process goes away.
    #[cfg(feature = "testing")]
    pub(crate) fn close(&self) {
        self.write(|written| {
            written.closed = true;
            self.set_begins(false);
        });
    }

    /// Takes away what has expired.
    pub(super) fn expire(&self, now: Moment) {
        if now.as_nanos() >= self.next.load(Ordering::Relaxed) {
            // Nobody who decides waits for somebody who is changing overrides; whoever asks next finds it
            // gone.
            let written = match self.written.try_lock() {
                Ok(written) => written,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            Self::write_in(written, |written| self.settle(written, now));
        }
    }

    /// The same for those who have not read the clock.
    pub(super) fn expire_now(&self) {
        if self.next.load(Ordering::Relaxed) != NEVER {
            self.expire(clock::now());
        }
    }

    /// A name has appeared, which an override may have waited for.
    pub(super) fn appeared(&self) {
        if self.in_force().is_some() {
            self.next.store(0, Ordering::Relaxed);
        }
    }
}

/// What is to be told once no lock is held: a listener may look at what has changed.
#[must_use = "somebody may want to know"]
pub(crate) struct Later {
    changes: Vec<Change>,
    untold: Vec<Untold>,
}

impl Later {
    pub(crate) fn tell(self) {
        change::tell(self.changes);
        self.untold.into_iter().for_each(Untold::tell);
    }
}
