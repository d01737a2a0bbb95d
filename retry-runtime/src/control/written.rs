//! What each layer says, kept by those who take turns to change it.

use std::sync::Arc;

use super::{
    Layer, OverrideErrors, Target,
    change::Change,
    in_force::{Entry, InForce},
    names,
    numbers::Numbers,
};
use crate::{
    Budget, Moment,
    breaker::Untold,
    site::{self, SiteState},
};

/// What was said, and what it has led to.
#[derive(Debug)]
pub(super) struct Written {
    /// In the order of [`Layer::ALL`]. What has expired stays in its layer, so that the same document, read
    /// again, does not bring it back.
    pub(super) layers: [Vec<Entry>; Layer::ALL.len()],
    pub(super) off_sites: Vec<&'static SiteState>,
    pub(super) off_budgets: Vec<&'static Budget>,
    pub(super) numbers: Numbers,
    /// Breakers whose state is to be entered though it was said before.
    pub(super) anew: Vec<Target>,
    /// What is to be told when the lock is released.
    pub(super) changes: Vec<Change>,
    /// What breakers have to tell then.
    pub(super) untold: Vec<Untold>,
    /// The isolated test is over.
    pub(super) closed: bool,
}

impl Written {
    /// Whether a layer says this and nothing else.
    #[cfg(feature = "toml-1")]
    pub(super) fn says(&self, layer: Layer, overrides: &super::Overrides) -> bool {
        let entries = &self.layers[layer as usize];
        entries.len() == overrides.len()
            && entries.iter().zip(overrides).all(|(entry, one)| *entry.item == *one)
    }

    pub(super) const NONE: Self = Self {
        layers: [const { Vec::new() }; Layer::ALL.len()],
        off_sites: Vec::new(),
        off_budgets: Vec::new(),
        numbers: Numbers::NONE,
        anew: Vec::new(),
        changes: Vec::new(),
        untold: Vec::new(),
        closed: false,
    };

    pub(super) fn tell_refused(
        &mut self,
        layer: Layer,
        outcome: &Result<(), OverrideErrors>,
        told: bool,
    ) {
        if let (Err(errors), true) = (outcome, told) {
            self.changes.push(Change::Refused { layer, errors: Arc::new(errors.clone()) });
        }
    }

    pub(super) fn throw_sites(&mut self, in_force: &InForce, now: Moment) {
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

    pub(super) fn throw_budgets(&mut self, in_force: &InForce) {
        let names = in_force.entries().iter().filter_map(|entry| match entry.target() {
            Target::Budget(name) if entry.item.settings().retries.is_some() => Some(name.as_str()),
            _ => None,
        });
        let off = names.filter(|name| in_force.is_budget_off(name));
        let off: Vec<&'static Budget> = off
            .filter_map(|name| names::budget(name).ok())
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
