//! Which budget or breaker answers to which name in this process.
//!
//! One lock guards the table of a kind. It is taken when a name is used for the first time by a site,
//! when something is declared, and by tables; never by a call that has found what it looks for. What
//! changes for those calls afterwards is a pointer in what they have found.

use std::collections::BTreeMap;
use std::sync::{
    LazyLock, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use super::entry::Entry;
use super::{DeclareError, Settings, Shared};
use crate::{control, isolation, warning};

/// How a name came to what answers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// By `budget!`, `breaker!`, `declare`, or as a static in an attribute.
    Declared,
    /// Nobody declared the name: a default stands in.
    Implicit,
}

/// A name and what answers to it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Registered<T: 'static> {
    /// What is in effect.
    pub holder: &'static T,
    /// How it got here.
    pub origin: Origin,
    /// Those of this name that are not in effect. Their counts are part of the name's history.
    pub others: Vec<&'static T>,
}

/// A name that is declared with different settings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conflict<S> {
    /// The name.
    pub name: &'static str,
    /// The tightest of its declarations, which is in effect.
    pub in_effect: S,
    /// The others, tightest first.
    pub others: Vec<S>,
}

/// All names of one kind.
#[derive(Debug)]
pub(crate) struct Registry<T: Shared> {
    names: BTreeMap<&'static str, Entry<T>>,
}

/// Declarations that were linked differ, and nobody has been told so far: whoever looks first holds locks.
static LINKED_DIFFER: AtomicBool = AtomicBool::new(false);

/// Filled with what registered itself at link time when somebody first looks.
pub(crate) type Table<T> = LazyLock<Mutex<Registry<T>>>;

/// A registry, locked.
pub(crate) type Locked<T> = MutexGuard<'static, Registry<T>>;

/// Nobody becomes known, is declared or takes over meanwhile.
pub(crate) fn lock<T: Shared>() -> Locked<T> {
    // Nothing panics while it holds the lock; if something did, the table is still whole.
    T::table().lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which of those of its name is in effect in place of `known`. Only for one that does not know itself
/// that it is.
#[cold]
pub(crate) fn find_lead<T: Shared>(known: &'static T) -> &'static T {
    LazyLock::force(T::table());
    if LINKED_DIFFER.load(Ordering::Relaxed) && LINKED_DIFFER.swap(false, Ordering::Relaxed) {
        warning::differing();
    }
    let latest = latest(known);
    if std::ptr::eq(latest, known) && known.is_found_by_lead() {
        let _registry = lock::<T>();
        // Somebody may have begun to watch meanwhile.
        if known.is_found_by_lead() {
            known.succession().publish(known.id());
        }
    }
    latest
}

/// Each is superseded at most once, and only by one that is not, so this ends.
fn latest<T: Shared>(known: &'static T) -> &'static T {
    let mut latest = known;
    while let Some(next) = latest.succession().successor() {
        latest = next;
    }
    latest
}

/// What answers to a name, made up if nobody declared it.
pub(crate) fn resolve<T: Shared>(name: &'static str) -> &'static T {
    let mut registry = lock::<T>();
    if let Some(entry) = registry.names.get(name) {
        return entry.holder;
    }
    let stand_in = leak(T::stand_in(name));
    isolation::process_book().welcome(stand_in);
    registry.names.insert(name, Entry::new(stand_in, Origin::Implicit));
    control::appeared();
    drop(registry);
    warning::about(name);
    stand_in
}

/// This very one, if it answers or once answered to its name.
#[cfg(feature = "testing")]
pub(crate) fn known<T: Shared>(one: &T) -> Option<&'static T> {
    let registry = lock::<T>();
    registry.names.get(one.name())?.bearers().find(|known| std::ptr::eq(*known, one))
}

/// All that answer or answered to a name.
pub(crate) fn bearers<T: Shared>(name: &str) -> Vec<&'static T> {
    lock::<T>().names.get(name).map_or_else(Vec::new, |entry| entry.bearers().collect())
}

/// Every name that was declared or used, in alphabetical order.
pub(crate) fn snapshot<T: Shared>() -> Vec<Registered<T>> {
    lock::<T>().names.values().map(Entry::registered).collect()
}

/// Names that are in use and not declared, in alphabetical order.
pub(crate) fn implicit_names<T: Shared>() -> Vec<&'static str> {
    let names = lock::<T>();
    let implicit = names.names.iter().filter(|(_, entry)| entry.origin == Origin::Implicit);
    implicit.map(|(name, _)| *name).collect()
}

/// Names that are declared with different settings, in alphabetical order.
pub(crate) fn conflicts<T: Shared>() -> Vec<Conflict<T::Settings>> {
    lock::<T>().names.values().filter_map(Entry::conflict).collect()
}

pub(super) fn declare<T: Shared>(given: T) -> Result<&'static T, DeclareError<T::Settings>> {
    let mut registry = lock::<T>();
    let settings = given.declared_settings();
    let Some(entry) = registry.names.get_mut(given.name()) else {
        return Ok(registry.add(leak(given)));
    };
    let (declared, current) = (entry.holder.declared_settings(), entry.holder);
    if entry.origin == Origin::Implicit {
        return Ok(registry.add(leak(given)));
    }
    if declared == settings {
        return Ok(current);
    }
    if settings.by_tightness(&declared).is_lt() {
        registry.add(leak(given));
    } else {
        // Not leaked: a loop that declares it again and again must not fill the memory.
        entry.note_difference(settings);
    }
    drop(registry);
    warning::about(current.name());
    let (declared, given) = (Box::new(declared), Box::new(settings));
    Err(DeclareError::Differs { name: current.name(), declared, given })
}

/// Enters a `static` that a call names, and that nobody declared: that it is named is as good.
pub(crate) fn adopt<T: Shared>(given: &'static T) {
    let mut registry = lock::<T>();
    registry.add(given);
    let differs = registry.names.get(given.name()).and_then(Entry::conflict).is_some();
    drop(registry);
    if differs {
        warning::about(given.name());
    }
}

fn leak<T>(given: T) -> &'static T {
    Box::leak(Box::new(given))
}

impl<T: Shared> Registry<T> {
    /// Everything that bears a name.
    pub(crate) fn bearers(&self) -> impl Iterator<Item = &'static T> {
        self.names.values().flat_map(Entry::bearers)
    }

    /// What registered itself at link time.
    pub(crate) fn linked() -> Mutex<Self> {
        let mut registry = Self { names: BTreeMap::new() };
        for linked in T::linked() {
            registry.add(linked);
        }
        if registry.names.values().any(|entry| entry.conflict().is_some()) {
            LINKED_DIFFER.store(true, Ordering::Relaxed);
        }
        Mutex::new(registry)
    }

    /// Enters what is declared, whatever is there already.
    fn add(&mut self, given: &'static T) -> &'static T {
        let Some(entry) = self.names.get_mut(given.name()) else {
            isolation::process_book().welcome(given);
            self.names.insert(given.name(), Entry::new(given, Origin::Declared));
            control::appeared();
            return given;
        };
        if entry.bearers().any(|known| std::ptr::eq(known, given)) {
            return entry.holder;
        }
        isolation::process_book().welcome(given);
        control::appeared();
        if entry.origin == Origin::Implicit {
            entry.origin = Origin::Declared;
            entry.supersede(given);
            return given;
        }
        let (declared, settings) = (entry.holder.declared_settings(), given.declared_settings());
        let looser = if settings.by_tightness(&declared).is_lt() {
            entry.supersede(given);
            declared
        } else {
            // The same settings twice share one state too, or the bound would be twice as high.
            entry.stand_behind(given);
            settings
        };
        if declared != settings {
            entry.note_difference(looser);
        }
        entry.holder
    }
}
