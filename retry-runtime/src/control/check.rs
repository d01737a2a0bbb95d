//! What can be wrong with overrides, seen beside those whom they are about.

use super::{
    Fault, Layer, OverrideError, OverrideErrors, Target,
    in_force::{Entry, InForce},
    names::{self, UnknownName},
    numbers,
    settings::Contradiction,
};
use crate::{
    Moment,
    site::{self, Site},
};

/// What a layer is to say.
pub(super) struct Proposal<'a> {
    pub(super) layer: Layer,
    /// All of it.
    pub(super) entries: &'a [Entry],
    /// All that was in force, of all layers.
    pub(super) before: &'a InForce,
    /// All that would be.
    pub(super) after: &'a InForce,
    pub(super) now: Moment,
}

impl Proposal<'_> {
    /// Whether an override was in force before in the same words. What is wrong with one of those came about
    /// later, because a name appeared or another override went away, and stands in nobody's way.
    fn is_known(&self, entry: &Entry) -> bool {
        let same = |known: &Entry| known.layer == self.layer && known.item == entry.item;
        entry.switch || self.before.entries().iter().any(same)
    }

    /// Whether it makes sense: each override that is new by itself, and all together.
    pub(super) fn check(&self) -> Result<(), OverrideErrors> {
        let mut errors: Vec<OverrideError> = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let target = entry.target();
            let same = |known: &Entry| !known.switch && known.target() == target;
            if !entry.switch && self.entries[..at].iter().any(same) {
                errors.push(OverrideError::about(target.clone(), Fault::Twice));
            }
            if self.is_known(entry) {
                continue;
            }
            errors.extend(entry.item.check().err());
            errors.extend(name_fault(self.layer, target));
            errors.extend(refusal(entry));
            errors.extend(numbers::fault(entry, self.after));
        }
        if errors.is_empty() {
            for site in site::every() {
                let Some(error) = self.policy_fault(site) else { continue };
                let same = |known: &OverrideError| {
                    (known.target(), known.key()) == (error.target(), error.key())
                };
                if !errors.iter().any(same) {
                    errors.push(error);
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(OverrideErrors(errors)) }
    }

    /// What a site's policy would be like with all overrides, if that makes no sense and is this layer's
    /// doing.
    fn policy_fault(&self, site: &Site) -> Option<OverrideError> {
        let contradiction = self.after.contradiction(site, self.now)?;
        let keys = contradiction.keys();
        let guilty = |entry: &&Entry| {
            entry.meets(site, site.budget_name())
                && entry.item.values().any(|(key, _)| keys.contains(&key))
        };
        // The strongest that has to do with it, of those that are new if one of them has. Where none is,
        // something that it depended on is taken away from it: by this layer itself, it cannot be.
        let before = || self.before.contradiction(site, self.now);
        let was_there = || before().is_some_and(|before| before.keys() == keys);
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| entry.target().width());
        let new = entries.iter().copied().filter(|entry| !self.is_known(entry)).rfind(guilty);
        let entry = match new {
            Some(entry) => entry,
            None if was_there() => return None,
            None => entries.into_iter().rfind(guilty)?,
        };
        let key = entry.item.values().map(|(key, _)| key).find(|key| keys.contains(key))?;
        let site = names::label(site);
        let fault = match contradiction {
            Contradiction::Policy(fault) => Fault::Policy { site, fault },
            Contradiction::NoTime { key, needed, deadline } => {
                Fault::NoTime { site, key, needed, deadline }
            }
        };
        Some(blame(entry, key, fault))
    }
}

/// Who is meant; `Err` if nobody, or if that cannot be told.
fn look_up(target: &Target) -> Result<(), UnknownName> {
    match target {
        Target::All => Ok(()),
        Target::Site(name) => names::sites(name).map(drop),
        Target::Budget(name) | Target::SitesOf(name) => names::budget(name).map(drop),
        Target::Breaker(name) => names::breaker(name).map(drop),
    }
}

fn name_fault(layer: Layer, target: &Target) -> Option<OverrideError> {
    match look_up(target).err()? {
        // Closures have their sites from their first call on, and names may be declared later.
        UnknownName::Unknown { .. } if layer != Layer::Code => None,
        error => Some(OverrideError::about(target.clone(), Fault::Name(error))),
    }
}

/// An override whose name nobody has.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The most similar name that somebody has.
    pub(super) nearest: Option<String>,
}

/// Whether nobody has the target's name.
pub(super) fn pending(target: &Target) -> Option<Waiting> {
    match look_up(target).err()? {
        UnknownName::Unknown { nearest, .. } => Some(Waiting { nearest }),
        UnknownName::Ambiguous { .. } => None,
    }
}

/// The names with their places, where by now several sites answer to the one that the target gives.
pub(super) fn ambiguous(target: &Target) -> Option<Vec<String>> {
    match look_up(target).err()? {
        UnknownName::Ambiguous { places, .. } => Some(places),
        UnknownName::Unknown { .. } => None,
    }
}

/// All sites that an override is about.
pub(super) fn met(entry: &Entry) -> impl Iterator<Item = &'static Site> {
    site::every().filter(|site| entry.meets(site, site.budget_name()))
}

/// An override that none of those can honour whom it is about.
fn refusal(entry: &Entry) -> Option<OverrideError> {
    let mut first = None;
    for site in met(entry) {
        let (key, reason) = entry.item.settings().refusal(site)?;
        first.get_or_insert((site, key, reason));
    }
    let (site, key, reason) = first?;
    let fault = Fault::CannotHonour { site: names::label(site), reason };
    Some(blame(entry, key, fault))
}

pub(super) fn blame(entry: &Entry, key: &str, fault: Fault) -> OverrideError {
    let value = entry.item.values().find(|(known, _)| *known == key);
    let value = value.map(|(_, value)| value.clone());
    OverrideError::about(entry.target().clone(), fault).with(key, value)
}
