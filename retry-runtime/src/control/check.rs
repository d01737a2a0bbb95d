//! What can be wrong with overrides, seen beside those whom they are about.

use std::collections::{HashMap, HashSet};

use super::{
    Fault, Layer, OverrideError, OverrideErrors, Target,
    contradiction::Contradiction,
    in_force::{Entry, InForce},
    names::UnknownName,
    numbers,
    reach::{Strangers, labels, met},
};
use crate::{
    Moment,
    site::{self, Site},
};

/// What a layer is to say.
pub(super) struct Proposal<'a> {
    layer: Layer,
    /// All of it.
    entries: &'a [Entry],
    strangers: &'a Strangers,
    /// All that was in force, of all layers.
    before: &'a InForce,
    /// All that would be.
    after: &'a InForce,
    now: Moment,
    /// What the layer said before.
    known: HashMap<&'a Target, Vec<&'a Entry>>,
}

/// A key that makes no sense for some sites.
struct Nonsense<'a> {
    entry: &'a Entry,
    key: &'static str,
    contradiction: Contradiction,
    sites: Vec<&'static Site>,
}

impl<'a> Proposal<'a> {
    pub(super) fn new(
        layer: Layer,
        (entries, strangers): (&'a [Entry], &'a Strangers),
        (before, after): (&'a InForce, &'a InForce),
        now: Moment,
    ) -> Self {
        let mut known: HashMap<&Target, Vec<&Entry>> = HashMap::new();
        for entry in before.entries().iter().filter(|entry| entry.layer == layer) {
            known.entry(entry.target()).or_default().push(entry);
        }
        Self { layer, entries, strangers, before, after, now, known }
    }

    fn said_before(&self, entry: &Entry) -> &[&'a Entry] {
        self.known.get(entry.target()).map_or(&[], Vec::as_slice)
    }

    /// Whether an override was in force before in the same words. What is wrong with one of those came about
    /// later, because a name appeared or another override went away, and stands in nobody's way.
    fn is_known(&self, entry: &Entry) -> bool {
        entry.switch || self.said_before(entry).iter().any(|known| known.item == entry.item)
    }

    /// The same of one key, so that something else can be changed about the override.
    fn knows(&self, entry: &Entry, key: &str) -> bool {
        let value = |entry: &'_ Entry| {
            let value = entry.item.values().find(|(known, _)| *known == key);
            value.map(|(_, value)| value.clone())
        };
        entry.switch || self.said_before(entry).iter().any(|known| value(known) == value(entry))
    }

    /// Whether it makes sense: each override that is new by itself, and all together.
    pub(super) fn check(&self) -> Result<(), OverrideErrors> {
        let mut errors: Vec<OverrideError> = Vec::new();
        let mut seen: HashSet<&Target> = HashSet::new();
        for entry in self.entries {
            let target = entry.target();
            if !entry.switch && !seen.insert(target) {
                errors.push(OverrideError::about(target.clone(), Fault::Twice));
            }
            if self.is_known(entry) {
                continue;
            }
            errors.extend(entry.item.check().err());
            errors.extend(self.name_fault(target));
            errors.extend(self.refusal(entry));
            let fault = numbers::fault(entry, self.after);
            errors.extend(
                fault.filter(|error| !error.key().is_some_and(|key| self.knows(entry, key))),
            );
        }
        if errors.is_empty() {
            errors = self.nonsense();
        }
        if errors.is_empty() { Ok(()) } else { Err(OverrideErrors(errors)) }
    }

    fn name_fault(&self, target: &Target) -> Option<OverrideError> {
        match self.strangers.get(target)? {
            // Closures have their sites from their first call on, and names may be declared later.
            UnknownName::Unknown { .. } if self.layer != Layer::Code => None,
            error => Some(OverrideError::about(target.clone(), Fault::Name(error.clone()))),
        }
    }

    /// A key that none of those can honour whom the override is about.
    fn refusal(&self, entry: &Entry) -> Option<OverrideError> {
        let mut sites = Vec::new();
        let mut common: Option<Vec<(&'static str, &'static str)>> = None;
        for site in met(entry) {
            let refused = entry.item.settings().refused_by(site);
            let is_refused =
                |(key, _): &(&str, &str)| refused.iter().any(|(known, _)| known == key);
            match &mut common {
                Some(common) => common.retain(is_refused),
                None => common = Some(refused),
            }
            if common.as_ref().is_some_and(Vec::is_empty) {
                return None;
            }
            sites.push(site);
        }
        let (key, reason) = common?.into_iter().find(|(key, _)| !self.knows(entry, key))?;
        Some(blame(entry, key, Fault::CannotHonour { sites: labels(&sites), reason }))
    }

    /// What would make no sense with all overrides. One of many sites is refused only where it makes sense
    /// for none of them; else the others go without.
    fn nonsense(&self) -> Vec<OverrideError> {
        let mut found: Vec<Nonsense<'_>> = Vec::new();
        // In one order, whatever was linked first.
        for site in site::all() {
            let Some(new) = self.nonsense_of(site) else { continue };
            let same = |known: &&mut Nonsense<'_>| {
                std::ptr::eq(known.entry, new.entry) && known.key == new.key
            };
            match found.iter_mut().find(same) {
                Some(known) => known.sites.push(site),
                None => found.push(new),
            }
        }
        let is_for_all = |one: &Nonsense<'_>| {
            matches!(one.entry.target(), Target::Site(_))
                || met(one.entry).count() == one.sites.len()
        };
        found.into_iter().filter(is_for_all).map(Nonsense::error).collect()
    }

    /// What a site's policy would be like with all overrides, if that makes no sense and is this layer's
    /// doing.
    fn nonsense_of(&self, site: &'static Site) -> Option<Nonsense<'_>> {
        let contradiction = self.after.contradiction(site, self.now)?;
        let keys = contradiction.keys();
        let has_to_do = |key: &str| key != "retries" && keys.contains(&key);
        let guilty = |entry: &&Entry| {
            entry.meets(site, site.budget_name())
                && entry.item.values().any(|(key, _)| has_to_do(key))
        };
        let is_new = |entry: &&Entry| {
            let mut keys = entry.item.values().map(|(key, _)| key).filter(|key| has_to_do(key));
            keys.any(|key| !self.knows(entry, key))
        };
        // The strongest that has to do with it, of those that are new if one of them has. Where none is,
        // something that it depended on is taken away from it: by this layer itself, it cannot be, unless
        // that is how retries are switched.
        let before = || self.before.contradiction(site, self.now);
        let was_there = || before().is_some_and(|before| before.keys() == keys);
        let mut entries: Vec<&Entry> = self.entries.iter().filter(guilty).collect();
        entries.sort_by_key(|entry| entry.target().width());
        let new = entries.iter().copied().rfind(is_new);
        let entry = match new {
            Some(entry) => entry,
            None if was_there() || self.only_switches() => return None,
            None => entries.pop()?,
        };
        let key = entry.item.values().map(|(key, _)| key).find(|key| has_to_do(key))?;
        Some(Nonsense { entry, key, contradiction, sites: vec![site] })
    }

    /// Whether all that is new switches retries, and does nothing else.
    fn only_switches(&self) -> bool {
        let mut new = self.entries.iter().filter(|entry| !self.is_known(entry)).peekable();
        new.peek().is_some() && new.all(|entry| entry.item.settings().only_switches())
    }
}

impl Nonsense<'_> {
    fn error(self) -> OverrideError {
        let sites = labels(&self.sites);
        let fault = match self.contradiction {
            Contradiction::Policy(fault) => Fault::Policy { sites, fault },
            Contradiction::NoTime { key, needed, deadline } => {
                Fault::NoTime { sites, key, needed, deadline }
            }
        };
        blame(self.entry, self.key, fault)
    }
}

pub(super) fn blame(entry: &Entry, key: &str, fault: Fault) -> OverrideError {
    let value = entry.item.values().find(|(known, _)| *known == key);
    let value = value.map(|(_, value)| value.clone());
    OverrideError::about(entry.target().clone(), fault).with(key, value)
}
