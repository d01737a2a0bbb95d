//! What overrides say about names, whoever answers to them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Settings, Shared, registry};
use crate::control::Value;
use crate::{Moment, isolation};

/// Keys and what they are set to.
pub(crate) type Told = Vec<(&'static str, Value)>;

/// Those of the process, or of an isolated test.
///
/// It is about names, so that one that answers to its name only later goes by it too.
#[derive(Debug)]
pub(crate) struct Book {
    /// Held by whoever changes what is said, until all have heard of it.
    turn: Mutex<()>,
    /// By kind and name.
    told: Mutex<BTreeMap<(&'static str, String), Told>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Book {
    pub(crate) const fn new() -> Self {
        Self { turn: Mutex::new(()), told: Mutex::new(BTreeMap::new()) }
    }

    /// Has one that is new under its name go by what is said about it. It takes no lock that is held while
    /// the registry's is asked for, so the registry may call it.
    pub(crate) fn welcome<T: Shared>(&self, newcomer: &'static T) {
        let told = {
            let told = lock(&self.told);
            if told.is_empty() {
                return;
            }
            told.get(&(T::Settings::KIND, newcomer.name().to_owned())).cloned()
        };
        if let Some(told) = told {
            let _nothing_new_under_the_name = newcomer.heed(&told, None, Moment::from_nanos(0));
        }
    }

    /// What was said before.
    fn write<T: Shared>(&self, name: &str, told: &Told) -> Told {
        let (mut all, key) = (lock(&self.told), (T::Settings::KIND, name.to_owned()));
        let before = if told.is_empty() { all.remove(&key) } else { all.insert(key, told.clone()) };
        before.unwrap_or_default()
    }
}

/// Has all that answer or answered to a name, and those that will, go by this in place of what was said
/// before; by what was declared, if there is nothing. Where it is said `anew`, it counts as not said before.
#[must_use = "what follows is to be told"]
pub(crate) fn tell<T: Shared>(
    name: &str,
    told: &Told,
    anew: bool,
    now: Moment,
) -> Vec<T::Aftermath> {
    isolation::book(|book| {
        let _turn = lock(&book.turn);
        // A test's copy that is made for this is made as it was before.
        for bearer in registry::bearers::<T>(name) {
            bearer.own();
        }
        let mut before = book.write::<T>(name, told);
        before.retain(|said| !(anew && told.contains(said)));
        // From here on newcomers have heard of it.
        let bearers = registry::bearers::<T>(name).into_iter();
        bearers.flat_map(|bearer| bearer.own().heed(told, Some(&before), now)).collect()
    })
}
