//! What all layers come to: of the process, or of an isolated test.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use super::{
    Fault, Layer, Override, OverrideError, OverrideErrors, Overrides, Target, UnknownName,
    change::{self, Change},
    check::{self, Proposal, Strangers},
    in_force::{Entry, InForce},
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

/// Whether so many are taken at once.
fn fits(count: usize) -> Result<(), OverrideErrors> {
    if count <= Overrides::MOST {
        return Ok(());
    }
    Err(OverrideError::about(Target::All, Fault::TooMany(count)).into())
}

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
    fn write<T>(&self, change: impl FnOnce(&mut Written) -> T) -> T {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        Self::write_in(written, change)
    }

    fn write_in<T>(
        mut written: MutexGuard<'_, Written>,
        change: impl FnOnce(&mut Written) -> T,
    ) -> T {
        let result = change(&mut written);
        let changes = std::mem::take(&mut written.changes);
        let untold = std::mem::take(&mut written.untold);
        drop(written);
        change::tell(changes);
        untold.into_iter().for_each(Untold::tell);
        result
    }

    /// Replaces what a layer says. Whether it is `told` when that is refused.
    pub(super) fn apply(
        &self,
        layer: Layer,
        overrides: Overrides,
        told: bool,
    ) -> Result<(), OverrideErrors> {
        let now = clock::now();
        let (strangers, fits) = (check::strangers(&overrides), fits(overrides.len()));
        self.write(|written| {
            let applied = fits.and_then(|()| {
                let said = written.layers[layer as usize].iter().filter(|known| !known.switch);
                let said: HashMap<&Target, &Entry> =
                    said.map(|known| (known.target(), known)).collect();
                let entries = overrides.into_iter().map(|item| {
                    // What the same document said before goes on as it was.
                    let known = said.get(item.target()).filter(|known| *known.item == item);
                    known.map_or_else(|| Entry::new(layer, item, now), |known| (*known).clone())
                });
                let entries: Vec<Entry> = entries.collect();
                let change = Change::Applied { layer, overrides: entries.len() };
                self.replace(written, layer, (entries, &strangers), vec![change], now)
            });
            if applied.is_ok() {
                self.refuse(layer, None);
            }
            written.tell_refused(layer, &applied, told);
            applied
        })
    }

    /// Sets overrides of the layer `code`: all of them, or none. Whether it is `told` when they are refused.
    pub(super) fn set(
        &self,
        items: impl IntoIterator<Item = Override>,
        told: bool,
    ) -> Result<(), OverrideErrors> {
        let now = clock::now();
        let items: Vec<Override> = items.into_iter().collect();
        let (strangers, fits) = (check::strangers(&items), fits(items.len()));
        self.write(|written| {
            let mut entries = written.layers[Layer::Code as usize].clone();
            let mut changes = Vec::new();
            let enters = |item: &&Override| item.values().any(|(key, _)| key == "state");
            let anew = items.iter().filter(enters).map(|item| item.target().clone()).collect();
            for item in items {
                let switches = item.settings().retries.is_some();
                entries
                    .retain(|known| known.target() != item.target() || (known.switch && !switches));
                let entry = Entry::new(Layer::Code, item, now);
                changes.push(Change::Set(entry.item.clone()));
                entries.push(entry);
            }
            written.anew = anew;
            let set = fits.and_then(|()| {
                self.replace(written, Layer::Code, (entries, &strangers), changes, now)
            });
            written.anew.clear();
            written.tell_refused(Layer::Code, &set, told);
            set
        })
    }

    /// Throws a switch; with that nothing can be wrong. One that was thrown for longer stays: it may be
    /// another's.
    pub(super) fn switch_off(&self, item: Override) {
        let now = clock::now();
        self.write(|written| {
            let entries = &mut written.layers[Layer::Code as usize];
            let entry = Entry { switch: true, ..Entry::new(Layer::Code, item, now) };
            let same = |known: &Entry| known.switch && known.target() == entry.target();
            if entries.iter().any(|known| same(known) && known.expires > entry.expires) {
                return;
            }
            entries.retain(|known| !same(known));
            written.changes.push(Change::Set(entry.item.clone()));
            entries.push(entry);
            self.settle(written, now);
        });
    }

    /// Takes away what the layer `code` says about a target's `retries`, or all that it says about it.
    pub(super) fn clear(&self, target: &Target, only_retries: bool) -> bool {
        self.write(|written| {
            let entries = &mut written.layers[Layer::Code as usize];
            let about = |entry: &Entry| {
                entry.target() == target
                    && (!only_retries || entry.item.settings().retries.is_some())
            };
            if !entries.iter().any(about) {
                return false;
            }
            *entries = std::mem::take(entries)
                .into_iter()
                .filter_map(|mut entry| {
                    if about(&entry) {
                        let rest = Override::clone(&entry.item).without("retries");
                        entry.item = Arc::new(rest.filter(|_| only_retries)?);
                    }
                    Some(entry)
                })
                .collect();
            written.changes.push(Change::Cleared(target.clone()));
            self.settle(written, clock::now());
            true
        })
    }

    /// Takes away all that a layer says, its switches included; with that nothing can be wrong.
    #[cfg(feature = "toml-1")]
    pub(super) fn clear_layer(&self, layer: Layer) {
        self.write(|written| {
            self.refuse(layer, None);
            written.layers[layer as usize].clear();
            written.changes.push(Change::Applied { layer, overrides: 0 });
            self.settle(written, clock::now());
        });
    }

    /// Puts these in the place of what the layer says, unless something is wrong with them.
    fn replace(
        &self,
        written: &mut Written,
        layer: Layer,
        (entries, strangers): (Vec<Entry>, &Strangers),
        changes: Vec<Change>,
        now: Moment,
    ) -> Result<(), OverrideErrors> {
        let others = Layer::ALL.iter().filter(|other| **other != layer);
        let others = others.flat_map(|other| &written.layers[*other as usize]);
        let after = InForce::of(others.chain(&entries).cloned(), now);
        let before = InForce::of(written.layers.iter().flatten().cloned(), now);
        Proposal::new(layer, (&entries, strangers), (&before, &after), now).check()?;
        written.changes.extend(changes);
        for entry in &entries {
            if let Some(UnknownName::Unknown { nearest, .. }) = strangers.get(entry.target()) {
                let (target, nearest) = (entry.target().clone(), nearest.clone());
                written.changes.push(Change::Pending { layer, target, nearest });
            }
        }
        written.layers[layer as usize] = entries;
        self.settle(written, now);
        Ok(())
    }

    /// Brings all that follows from what was said up to date.
    fn settle(&self, written: &mut Written, now: Moment) {
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
