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
    let told = told(all, entry.target());
    let values = || told.iter().map(|(key, value)| (*key, value));
    let (key, fault) = match entry.target() {
        Target::Budget(name) => names::budget(name).ok()?.holder.check_numbers(values()).err()?,
        Target::Breaker(name) => names::breaker(name).ok()?.holder.check_numbers(values()).err()?,
        Target::All | Target::Site(_) | Target::SitesOf(_) => return None,
    };
    // Of two that set it the other one may be to blame.
    entry.item.values().any(|(known, _)| known == key).then(|| check::blame(entry, key, fault))
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
    pub(super) fn settle(&mut self, all: &InForce, now: Moment) -> Vec<Untold> {
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
                untold.extend(tell_target(target, &nothing, now));
            }
        }
        for one in &next {
            if !self.0.contains(one) {
                untold.extend(tell_target(&one.0, &one.1, now));
            }
        }
        self.0 = next;
        untold
    }
}

fn tell_target(target: &Target, told: &Told, now: Moment) -> Vec<Untold> {
    match target {
        Target::Breaker(name) => return tell::<Breaker>(name, told, now),
        Target::Budget(name) => {
            let _nothing = tell::<Budget>(name, told, now);
        }
        Target::All | Target::Site(_) | Target::SitesOf(_) => {}
    }
    Vec::new()
}
