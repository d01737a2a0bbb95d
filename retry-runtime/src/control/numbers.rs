//! The numbers of budgets and breakers: which keys there are, and who is told.

use super::{
    OverrideError, Target, Value, check,
    error::Fault,
    in_force::{Entry, InForce},
    names,
};
use crate::{
    Breaker, Budget, Moment,
    breaker::{self, Untold},
    budget,
    names::{Told, tell},
};

/// The keys of a target that is no site, besides `retries` of a budget.
pub(super) fn keys(target: &Target) -> &'static [&'static str] {
    match target {
        Target::Budget(_) => budget::KEYS,
        Target::Breaker(_) => breaker::KEYS,
        Target::All | Target::Site(_) | Target::SitesOf(_) => &[],
    }
}

/// Checks a value that some budget or breaker could have.
pub(super) fn check_value(target: &Target, key: &str, value: &Value) -> Result<(), Fault> {
    match target {
        Target::Budget(_) => budget::check_value(key, value),
        Target::Breaker(_) => breaker::check_value(key, value),
        Target::All | Target::Site(_) | Target::SitesOf(_) => Ok(()),
    }
}

/// What one that has the name already cannot go by.
pub(super) fn fault(entry: &Entry, all: &InForce) -> Option<OverrideError> {
    // What others say may be needed beside it.
    let own = entry.item.values().filter_map(|(key, value)| {
        (key != "retries" && !OPEN_TIMES.contains(&key)).then_some((key, value))
    });
    if let Some((key, fault)) = check_all(entry.target(), own) {
        return Some(check::blame(entry, key, fault));
    }
    let told = told(all, entry.target());
    let (key, fault) = check_all(entry.target(), told.iter().map(|(key, value)| (*key, value)))?;
    // Of two that set it, or the other one of two that have to fit, the other one may be to blame.
    let has = |wanted: &str| entry.item.values().any(|(known, _)| known == wanted);
    let together = if OPEN_TIMES.contains(&key) { OPEN_TIMES } else { &[] };
    let key = [key].into_iter().chain(together.iter().copied()).find(|key| has(key))?;
    Some(check::blame(entry, key, fault))
}

/// The keys of a breaker that have to fit one another.
const OPEN_TIMES: &[&str] = &["open_for", "max_open"];

/// The first of these that who has the target's name cannot go by, and why.
fn check_all<'a>(
    target: &Target,
    told: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Option<(&'a str, Fault)> {
    match target {
        Target::Budget(name) => names::budget(name).ok()?.holder.check_numbers(told).err(),
        Target::Breaker(name) => names::breaker(name).ok()?.holder.check_numbers(told).err(),
        Target::All | Target::Site(_) | Target::SitesOf(_) => None,
    }
}

/// The keys of these that one goes by: `check` says what it cannot. Its switch it always has.
pub(super) fn heeded<'a>(
    told: &[(&'static str, &'a Value)],
    check: impl Fn(&[(&'static str, &'a Value)]) -> Result<(), Fault>,
) -> Vec<&'static str> {
    let fits = |(key, value): &(&'static str, &'a Value)| {
        *key == "retries" || OPEN_TIMES.contains(key) || check(&[(*key, *value)]).is_ok()
    };
    let mut heeded: Vec<_> = told.iter().copied().filter(fits).collect();
    let times = heeded.iter().copied().filter(|(key, _)| OPEN_TIMES.contains(key));
    let times: Vec<_> = times.collect();
    // As it goes by neither of two that do not fit.
    if check(&times).is_err() {
        heeded.retain(|(key, _)| !OPEN_TIMES.contains(key));
    }
    heeded.into_iter().map(|(key, _)| key).collect()
}

/// What is said about a budget or breaker, by precedence.
fn told(all: &InForce, target: &Target) -> Told {
    let mut told = Told::new();
    for entry in all.entries().iter().filter(|entry| entry.target() == target) {
        for (key, value) in entry.item.values().filter(|(key, _)| *key != "retries") {
            told.retain(|(known, _)| *known != key);
            told.push((key, value.clone()));
        }
    }
    told
}

/// Who was told what.
#[derive(Debug)]
pub(super) struct Numbers(Vec<(Target, Told)>);

impl Numbers {
    pub(super) const NONE: Self = Self(Vec::new());

    /// Tells those about whom something else is said now. Whoever gets a name later is told by the book of
    /// names. What breakers have to tell of it, they have to tell when no lock is held any more.
    ///
    /// Those in `anew` enter the state that is said, also one that was said before.
    pub(super) fn settle(&mut self, all: &InForce, anew: &[Target], now: Moment) -> Vec<Untold> {
        let mut untold = Vec::new();
        let mut next: Vec<(Target, Told)> = Vec::new();
        for entry in all.entries() {
            let target = entry.target();
            if !target.is_of_sites() && !next.iter().any(|(known, _)| known == target) {
                next.push((target.clone(), told(all, target)));
            }
        }
        let nothing = Told::new();
        for (target, _) in &self.0 {
            if !next.iter().any(|(still, _)| still == target) {
                untold.extend(tell_target(target, &nothing, false, now));
            }
        }
        for one in &next {
            let enters = anew.contains(&one.0);
            if enters || !self.0.contains(one) {
                untold.extend(tell_target(&one.0, &one.1, enters, now));
            }
        }
        self.0 = next;
        untold
    }
}

fn tell_target(target: &Target, told: &Told, anew: bool, now: Moment) -> Vec<Untold> {
    match target {
        Target::Breaker(name) => return tell::<Breaker>(name, told, anew, now),
        Target::Budget(name) => {
            let _nothing = tell::<Budget>(name, told, anew, now);
        }
        Target::All | Target::Site(_) | Target::SitesOf(_) => {}
    }
    Vec::new()
}
