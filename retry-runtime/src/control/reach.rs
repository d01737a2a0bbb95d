//! Whom overrides are about, and whom they reach.

use std::collections::HashMap;

use super::{
    Override, Target,
    in_force::Entry,
    names::{self, UnknownName},
};
use crate::{
    breaker,
    site::{self, Site},
};

/// What tables call these.
pub(super) fn labels(sites: &[&'static Site]) -> Vec<String> {
    let labels = names::Labels::new();
    let mut named: Vec<String> = Vec::new();
    for label in sites.iter().map(|site| labels.of(site)) {
        if !named.contains(&label) {
            named.push(label);
        }
    }
    named.sort();
    named
}

/// Targets of whom it cannot be told who is meant, and why.
pub(super) type Strangers = HashMap<Target, UnknownName>;

/// Those among the targets of some overrides. To be looked for before any lock is taken.
pub(super) fn strangers<'a>(items: impl IntoIterator<Item = &'a Override>) -> Strangers {
    let unknown = |item: &Override| Some((item.target().clone(), look_up(item.target()).err()?));
    items.into_iter().filter_map(unknown).collect()
}

/// Who is meant; `Err` if nobody, or if that cannot be told.
fn look_up(target: &Target) -> Result<(), UnknownName> {
    match target {
        Target::All => Ok(()),
        Target::Site(name) => {
            // Most names are those of one, for which nobody has to be sorted.
            let mut bearers = site::every().filter(|site| site.answers_to(name));
            match (bearers.next(), bearers.next()) {
                (Some(_), None) => Ok(()),
                _ => names::sites(name).map(drop),
            }
        }
        Target::Budget(name) | Target::SitesOf(name) => names::budget(name).map(drop),
        Target::Breaker(name) => names::breaker(name).map(drop),
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

/// The sites that an override reaches: also those that use the budget or the breaker which it is about.
pub(super) fn reached(entry: &Entry) -> Vec<&'static Site> {
    let uses = |site: &&'static Site| match entry.target() {
        Target::Budget(name) => site.budget_name() == Some(name),
        Target::Breaker(name) => breaker::used_by(site) == Some(name.as_str()),
        Target::All | Target::Site(_) | Target::SitesOf(_) => entry.meets(site, site.budget_name()),
    };
    site::every().filter(uses).collect()
}

/// All sites that an override is about.
pub(super) fn met(entry: &Entry) -> impl Iterator<Item = &'static Site> {
    site::every().filter(|site| entry.meets(site, site.budget_name()))
}
