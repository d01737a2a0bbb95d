//! What each layer says, and what all of them come to: of the process, or of an isolated test.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{
    Layer, Override, OverrideErrors, Overrides, Target,
    change::{self, Change},
    check,
    check::{Proposal, Waiting},
    in_force::{Entry, InForce},
    numbers::Numbers,
};
use crate::{
    Budget, Moment,
    breaker::Untold,
    clock,
    site::{self, SiteState},
};

/// Those who decide read a flag or a value that never changes; those who change something take turns.
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

/// What was said, and what it has led to.
#[derive(Debug)]
struct Written {
    /// In the order of [`Layer::ALL`]. What has expired stays in its layer, so that the same document, read
    /// again, does not bring it back.
    layers: [Vec<Entry>; Layer::ALL.len()],
    off_sites: Vec<&'static SiteState>,
    off_budgets: Vec<&'static Budget>,
    numbers: Numbers,
    /// What is to be told when the lock is released.
    changes: Vec<Change>,
    /// What breakers have to tell then.
    untold: Vec<Untold>,
    /// The isolated test is over.
    closed: bool,
}

const NEVER: u64 = Moment::NEVER.as_nanos();

impl Store {
    pub(crate) const fn new() -> Self {
        Self {
            written: Mutex::new(Written {
                layers: [const { Vec::new() }; Layer::ALL.len()],
                off_sites: Vec::new(),
                off_budgets: Vec::new(),
                numbers: Numbers::NONE,
                changes: Vec::new(),
                untold: Vec::new(),
                closed: false,
            }),
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

    fn write_in<T>(written: MutexGuard<'_, Written>, change: impl FnOnce(&mut Written) -> T) -> T {
        let (result, later) = Self::write_and_tell_later(written, change);
        later.tell();
        result
    }

    fn write_and_tell_later<T>(
        mut written: MutexGuard<'_, Written>,
        change: impl FnOnce(&mut Written) -> T,
    ) -> (T, Later) {
        let result = change(&mut written);
        let changes = std::mem::take(&mut written.changes);
        let untold = std::mem::take(&mut written.untold);
        (result, Later { changes, untold })
    }

    /// Replaces what a layer says. Whether it is `told` when that is refused.
    pub(super) fn apply(
        &self,
        layer: Layer,
        overrides: Overrides,
        told: bool,
    ) -> Result<(), OverrideErrors> {
        let (applied, told_later) = self.apply_and_tell_later(layer, overrides, told);
        told_later.tell();
        applied
    }

    /// The same for those who have a lock that whoever is told may want.
    pub(super) fn apply_and_tell_later(
        &self,
        layer: Layer,
        overrides: Overrides,
        told: bool,
    ) -> (Result<(), OverrideErrors>, Later) {
        let now = clock::now();
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        Self::write_and_tell_later(written, |written| {
            let before = &written.layers[layer as usize];
            let entries: Vec<Entry> = overrides
                .into_iter()
                .map(|item| {
                    // What the same document said before goes on as it was.
                    let known = before.iter().find(|known| *known.item == item && !known.switch);
                    known.cloned().unwrap_or_else(|| Entry::new(layer, item, now))
                })
                .collect();
            let change = Change::Applied { layer, overrides: entries.len() };
            let applied = self.replace(written, layer, entries, vec![change], now);
            if applied.is_ok() {
                self.refuse(layer, None);
            }
            written.tell_refused(layer, &applied, told);
            applied
        })
    }

    /// Whether a layer says this and nothing else, what of it has expired included.
    #[cfg(feature = "toml-1")]
    pub(super) fn says(&self, layer: Layer, overrides: &Overrides) -> bool {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).says(layer, overrides)
    }

    /// Takes away what a layer says if that is this, and tells of it later.
    #[cfg(feature = "toml-1")]
    pub(super) fn clear_layer_of(&self, layer: Layer, overrides: &Overrides) -> Later {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let ((), told_later) = Self::write_and_tell_later(written, |written| {
            if written.says(layer, overrides) {
                self.clear_layer_in(written, layer);
            }
        });
        told_later
    }

    /// Sets overrides of the layer `code`: all of them, or none. Whether it is `told` when they are refused.
    pub(super) fn set(
        &self,
        items: impl IntoIterator<Item = Override>,
        told: bool,
    ) -> Result<(), OverrideErrors> {
        let now = clock::now();
        self.write(|written| {
            let mut entries = written.layers[Layer::Code as usize].clone();
            let mut changes = Vec::new();
            for item in items {
                let switches = item.settings().retries.is_some();
                entries
                    .retain(|known| known.target() != item.target() || (known.switch && !switches));
                let entry = Entry::new(Layer::Code, item, now);
                changes.push(Change::Set(entry.item.clone()));
                entries.push(entry);
            }
            let set = self.replace(written, Layer::Code, entries, changes, now);
            written.tell_refused(Layer::Code, &set, told);
            set
        })
    }

    /// Throws a switch; with that nothing can be wrong.
    pub(super) fn switch_off(&self, item: Override) {
        let now = clock::now();
        self.write(|written| {
            let entries = &mut written.layers[Layer::Code as usize];
            entries.retain(|known| !(known.switch && known.target() == item.target()));
            let entry = Entry { switch: true, ..Entry::new(Layer::Code, item, now) };
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
    #[cfg(feature = "http-body-1")]
    pub(super) fn clear_layer(&self, layer: Layer) {
        self.write(|written| self.clear_layer_in(written, layer));
    }

    #[cfg(feature = "toml-1")]
    fn clear_layer_in(&self, written: &mut Written, layer: Layer) {
        self.refuse(layer, None);
        written.layers[layer as usize].clear();
        written.changes.push(Change::Applied { layer, overrides: 0 });
        self.settle(written, clock::now());
    }

    /// Puts these in the place of what the layer says, unless something is wrong with them.
    fn replace(
        &self,
        written: &mut Written,
        layer: Layer,
        entries: Vec<Entry>,
        changes: Vec<Change>,
        now: Moment,
    ) -> Result<(), OverrideErrors> {
        let others = Layer::ALL.iter().filter(|other| **other != layer);
        let others = others.flat_map(|other| &written.layers[*other as usize]);
        let after = InForce::of(others.chain(&entries).cloned(), now);
        let before = InForce::of(written.layers.iter().flatten().cloned(), now);
        let proposal = Proposal { layer, entries: &entries, before: &before, after: &after, now };
        proposal.check()?;
        written.changes.extend(changes);
        for entry in &entries {
            if let Some(Waiting { nearest }) = check::pending(entry.target()) {
                let target = entry.target().clone();
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
        self.next.store(in_force.next_expiry().as_nanos(), Ordering::SeqCst);
        let some = (!in_force.entries().is_empty()).then(|| in_force.clone());
        *self.in_force.write().unwrap_or_else(PoisonError::into_inner) = some;
        self.patched.store(in_force.of_sites().next().is_some(), Ordering::SeqCst);
        self.off.store(in_force.is_all_off(), Ordering::Relaxed);
        let begins = in_force.of_sites().any(|entry| entry.item.settings().changes_begins());
        self.set_begins(begins && !written.closed);
        written.throw_sites(&in_force, now);
        written.throw_budgets(&in_force);
        let untold = written.numbers.settle(&in_force, now);
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
            // Whoever has the lock is at it already. That may be the caller: a breaker whose state was
            // overridden tells of that under it.
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
            self.next.store(0, Ordering::SeqCst);
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

impl Written {
    #[cfg(feature = "toml-1")]
    fn says(&self, layer: Layer, overrides: &Overrides) -> bool {
        let entries = &self.layers[layer as usize];
        entries.len() == overrides.len()
            && entries.iter().zip(overrides).all(|(entry, one)| *entry.item == *one)
    }

    fn tell_refused(&mut self, layer: Layer, outcome: &Result<(), OverrideErrors>, told: bool) {
        if let (Err(errors), true) = (outcome, told) {
            self.changes.push(Change::Refused { layer, errors: Arc::new(errors.clone()) });
        }
    }

    fn throw_sites(&mut self, in_force: &InForce, now: Moment) {
        let mut off: Vec<&'static SiteState> = Vec::new();
        if in_force.of_sites().any(|entry| entry.item.settings().retries.is_some()) {
            for site in site::every().filter(|site| in_force.is_site_off(site, now)) {
                off.push(site.state());
            }
        }
        for state in &self.off_sites {
            if !off.iter().any(|still| std::ptr::eq(*still, *state)) {
                state.set_off(false);
            }
        }
        for state in &off {
            state.set_off(true);
        }
        self.off_sites = off;
    }

    fn throw_budgets(&mut self, in_force: &InForce) {
        let names = in_force.entries().iter().filter_map(|entry| match entry.target() {
            Target::Budget(name) if entry.item.settings().retries.is_some() => Some(name.as_str()),
            _ => None,
        });
        let off = names.filter(|name| in_force.is_budget_off(name));
        let off: Vec<&'static Budget> = off
            .filter_map(|name| super::names::budget(name).ok())
            .flat_map(|known| known.others.into_iter().chain([known.holder]))
            .collect();
        for budget in &self.off_budgets {
            if !off.iter().any(|still| std::ptr::eq(*still, *budget)) {
                budget.set_off(false);
            }
        }
        for budget in &off {
            budget.set_off(true);
        }
        self.off_budgets = off;
    }
}
