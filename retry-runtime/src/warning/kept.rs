//! Which warnings are kept, and who has heard of them.

use std::{
    mem,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use super::Warning;
use crate::{
    Breaker, Budget, Moment, What, clock, event, isolation,
    names::{Shared, registry},
    tracing,
};

/// Those of the process, or of an isolated test.
#[derive(Debug)]
pub(crate) struct Kept(Vec<One>);

#[derive(Debug)]
struct One {
    heard: Heard,
    /// A subscriber has heard of it.
    recorded: bool,
}

/// A warning, and when it was raised.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) at: Moment,
    pub(crate) warning: Arc<Warning>,
}

/// How many wait for a subscriber, in the whole process.
static UNRECORDED: AtomicU32 = AtomicU32::new(0);

impl Kept {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    fn knows(&self, warning: &Warning) -> bool {
        self.0.iter().any(|one| one.heard.warning.repeats(warning))
    }

    fn all(&self) -> impl Iterator<Item = &Heard> {
        self.0.iter().map(|one| &one.heard)
    }
}

/// Keeps a warning, unless it is known, and tells of it.
pub(crate) fn warn(warning: Warning) {
    let heard = isolation::warnings(|kept| {
        if kept.knows(&warning) {
            return None;
        }
        let heard = Heard { at: clock::now(), warning: Arc::new(warning) };
        kept.0.push(One { heard: heard.clone(), recorded: false });
        UNRECORDED.fetch_add(1, Ordering::Relaxed);
        // Who listens by now; whoever comes later is told as it comes.
        Some((heard, isolation::observers()))
    });
    if let Some((Heard { at, warning }, observers)) = heard {
        event::tell_warning(&observers, at, warning);
    }
    record();
}

/// Lets somebody listen from here on: what has been kept until then, and still is so.
pub(crate) fn so_far(listen: impl FnOnce()) -> Vec<Heard> {
    let mut kept: Vec<_> = isolation::warnings(|kept| {
        listen();
        kept.all().cloned().collect()
    });
    forget_past(&mut kept);
    kept
}

/// Writes down what was raised before anybody subscribed, if somebody has by now.
pub(crate) fn record() {
    if UNRECORDED.load(Ordering::Relaxed) != 0 && tracing::hears_warnings() {
        record_kept();
    }
}

#[cold]
fn record_kept() {
    let mut due: Vec<_> = isolation::warnings(|kept| {
        let new =
            |one: &mut One| (!mem::replace(&mut one.recorded, true)).then(|| one.heard.clone());
        kept.0.iter_mut().filter_map(new).collect()
    });
    let count = u32::try_from(due.len()).unwrap_or(u32::MAX);
    UNRECORDED.fetch_sub(count, Ordering::Relaxed);
    forget_past(&mut due);
    for Heard { warning, .. } in due {
        tracing::tell(&What::Warned(warning));
    }
}

/// Takes out names that have been declared meanwhile.
fn forget_past(kept: &mut Vec<Heard>) {
    if kept.iter().any(|heard| heard.warning.registered().is_some()) {
        let registered: Vec<_> = registered().collect();
        kept.retain(|Heard { warning, .. }| {
            warning.registered().is_none() || registered.iter().any(|one| one.repeats(warning))
        });
    }
}

/// Warns of what the registries have to say about a name. Not while one of them is locked.
#[cold]
pub(crate) fn about(name: &str) {
    let of_name = |warning: &Warning| warning.registered().is_some_and(|known| known == name);
    registered().filter(of_name).for_each(warn);
}

/// Warns of all names that are declared differently. Not while a registry is locked.
#[cold]
pub(crate) fn differing() {
    let differs = |warning: &Warning| {
        matches!(warning, Warning::DifferingBudgets { .. } | Warning::DifferingBreakers { .. })
    };
    registered().filter(differs).for_each(warn);
}

/// All warnings so far, each once.
///
/// ```
/// # use retry_runtime as stormless;
/// for warning in stormless::warnings() {
///     eprintln!("{warning}");
/// }
/// ```
#[must_use]
pub fn warnings() -> Vec<Warning> {
    let others = isolation::warnings(|kept| {
        let others = kept.all().filter(|heard| heard.warning.registered().is_none());
        others.map(|heard| Warning::clone(&heard.warning)).collect::<Vec<_>>()
    });
    registered().chain(others).collect()
}

/// What the registries have to say.
fn registered() -> impl Iterator<Item = Warning> {
    let budgets = of_names::<Budget>(
        |name| Warning::ImplicitBudget { name },
        |name, kept, refused| Warning::DifferingBudgets { name, kept, refused },
    );
    let breakers = of_names::<Breaker>(
        |name| Warning::ImplicitBreaker { name },
        |name, kept, refused| Warning::DifferingBreakers { name, kept, refused },
    );
    budgets.chain(breakers)
}

/// What the registry of a kind has to say.
fn of_names<T: Shared>(
    implicit: impl Fn(String) -> Warning,
    differing: impl Fn(String, String, String) -> Warning + Copy,
) -> impl Iterator<Item = Warning> {
    let unknown = registry::implicit_names::<T>();
    let conflicts = registry::conflicts::<T>().into_iter().flat_map(move |conflict| {
        let (name, kept) = (conflict.name, conflict.in_effect.to_string());
        let warn =
            move |other: T::Settings| differing(name.into(), kept.clone(), other.to_string());
        conflict.others.into_iter().map(warn)
    });
    unknown.into_iter().map(move |name| implicit(name.to_owned())).chain(conflicts)
}
