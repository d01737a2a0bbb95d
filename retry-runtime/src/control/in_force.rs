//! All overrides that hold, from the weakest to the strongest.

use std::{sync::Arc, time::Duration};

use super::{
    Layer, Override, Target, contradiction::Contradiction, patch::Patch, settings::Settings,
};
use crate::{Budget, Moment, site::Site};

/// An override and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) layer: Layer,
    pub(super) item: Arc<Override>,
    pub(super) expires: Moment,
    /// Thrown by a [`Switch`](super::Switch), and taken away by one.
    pub(super) switch: bool,
    /// It was told that it has expired.
    pub(super) over: bool,
}

impl Entry {
    pub(super) fn new(layer: Layer, item: Override, now: Moment) -> Self {
        let expires = item.lifetime().map_or(Moment::NEVER, |time| now.after(time));
        Self { layer, item: Arc::new(item), expires, switch: false, over: false }
    }

    pub(super) fn target(&self) -> &Target {
        self.item.target()
    }

    /// How long it lasts from now on; `None` for ever.
    pub(super) fn expires_in(&self, now: Moment) -> Option<Duration> {
        (self.expires != Moment::NEVER).then(|| now.until(self.expires))
    }

    /// Whether it is about a site whose retries `budget` pays for.
    pub(super) fn meets(&self, site: &Site, budget: Option<&str>) -> bool {
        match self.target() {
            Target::All => true,
            Target::Site(name) => site.answers_to(name),
            Target::SitesOf(name) => budget == Some(name),
            Target::Budget(_) | Target::Breaker(_) => false,
        }
    }
}

/// What replaces what, as one value that never changes.
#[derive(Debug)]
pub(super) struct InForce(Vec<Entry>);

/// What one override comes to for one site.
#[derive(Debug)]
pub(super) struct Share<'a> {
    pub(super) entry: &'a Entry,
    /// The keys that the site goes by.
    pub(super) keys: Vec<&'static str>,
    /// Those that the site does without, because they contradict something, and why.
    pub(super) contradictory: Vec<(&'static str, &'static str)>,
}

impl InForce {
    /// Those of `entries` that have not expired. Of two that are equally strong the later one wins.
    pub(super) fn of(entries: impl Iterator<Item = Entry>, now: Moment) -> Self {
        let mut entries: Vec<Entry> = entries.filter(|entry| now < entry.expires).collect();
        entries.sort_by_key(|entry| (entry.layer, entry.target().width()));
        Self(entries)
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// Those about sites.
    pub(super) fn of_sites(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter().filter(|entry| entry.target().is_of_sites())
    }

    /// How many have not expired, in the order of [`Layer::ALL`].
    #[cfg(feature = "metrics-0-24")]
    pub(super) fn by_layer(&self, now: Moment) -> [u32; Layer::ALL.len()] {
        let mut counts = [0; Layer::ALL.len()];
        for entry in self.0.iter().filter(|entry| now < entry.expires) {
            counts[entry.layer as usize] += 1;
        }
        counts
    }

    /// When the next one expires.
    pub(super) fn next_expiry(&self) -> Moment {
        self.0.iter().map(|entry| entry.expires).min().unwrap_or(Moment::NEVER)
    }

    /// Those about a site whose retries `budget` pays for, from the weakest to the strongest.
    fn met(
        &self,
        site: &Site,
        budget: Option<&str>,
        now: Moment,
    ) -> impl DoubleEndedIterator<Item = &Entry> {
        self.0.iter().filter(move |entry| now < entry.expires && entry.meets(site, budget))
    }

    /// What they say about a site; `None` if none is about it.
    pub(super) fn said(&self, site: &Site, budget: Option<&str>, now: Moment) -> Option<Settings> {
        let mut met = self.met(site, budget, now).peekable();
        met.peek()?;
        let mut settings = Settings::NONE;
        for entry in met {
            settings.overlay(entry.item.settings());
        }
        Some(settings)
    }

    /// The same without what it cannot honour, and what contradicts itself.
    pub(super) fn settings(
        &self,
        site: &Site,
        budget: Option<&str>,
        now: Moment,
    ) -> Option<Settings> {
        let mut settings = self.said(site, budget, now)?;
        settings.limit_to(site);
        settings.reconcile(site);
        Some(settings)
    }

    /// What they say about a site, without what it cannot honour, makes no sense.
    pub(super) fn contradiction(&self, site: &Site, now: Moment) -> Option<Contradiction> {
        let mut settings = self.said(site, site.budget_name(), now)?;
        settings.limit_to(site);
        settings.contradiction(site)
    }

    /// Which override each key of a site goes by, from the strongest to the weakest.
    pub(super) fn shares(&self, site: &Site, now: Moment) -> Vec<Share<'_>> {
        let budget = site.budget_name();
        let Some(mut settings) = self.said(site, budget, now) else { return Vec::new() };
        let mut without: Vec<_> = settings.limit_to(site).into_iter().map(|(key, _)| key).collect();
        let contradictory = settings.reconcile(site);
        without.extend(contradictory.iter().map(|(key, _)| *key));
        let mut taken: Vec<&str> = Vec::new();
        let met = self.met(site, budget, now).rev().map(|entry| {
            let keys = entry.item.values().map(|(key, _)| key);
            let mut keys: Vec<_> = keys.filter(|key| !taken.contains(key)).collect();
            taken.extend(&keys);
            let ours = |(key, _): &(&str, &str)| keys.contains(key);
            let contradictory = contradictory.iter().copied().filter(ours).collect();
            keys.retain(|key| !without.contains(key));
            Share { entry, keys, contradictory }
        });
        met.collect()
    }

    pub(super) fn patch(
        &self,
        site: &'static Site,
        budget: Option<&'static Budget>,
        now: Moment,
    ) -> Option<Patch> {
        let paid_by = budget.map(Budget::name).or_else(|| site.budget_name());
        self.settings(site, paid_by, now).map(|settings| Patch { settings })
    }

    /// Whether a budget is switched off.
    pub(super) fn is_budget_off(&self, name: &str) -> bool {
        let about = |entry: &&Entry| matches!(entry.target(), Target::Budget(own) if own == name);
        let mut said =
            self.0.iter().rev().filter(about).filter_map(|entry| entry.item.settings().retries);
        said.next() == Some(false)
    }

    /// Whether retries are off wherever nothing is said about a site by itself, and no site is excepted.
    pub(super) fn is_all_off(&self) -> bool {
        let said = |entry: &Entry| entry.item.settings().retries;
        let all = |entry: &&Entry| *entry.target() == Target::All && said(entry).is_some();
        let off = self.0.iter().rfind(all).and_then(said) == Some(false);
        let narrower = |entry: &&Entry| *entry.target() != Target::All;
        let excepted = self
            .of_sites()
            .filter(narrower)
            .any(|entry| entry.item.settings().retries == Some(true));
        off && !excepted
    }

    /// Whether a site is switched off by what stands here. Where all are, only what is said about it in
    /// particular counts.
    pub(super) fn is_site_off(&self, site: &Site, now: Moment) -> bool {
        let all_off = self.is_all_off();
        let said = self
            .of_sites()
            .filter(|entry| !(all_off && *entry.target() == Target::All))
            .filter(|entry| now < entry.expires && entry.meets(site, site.budget_name()))
            .filter_map(|entry| entry.item.settings().retries);
        said.last() == Some(false)
    }
}

#[cfg(test)]
mod tests;
