//! One name, and which of its bearers is in effect.

use super::registry::{Conflict, Origin, Registered};
use super::{Settings, Shared};

/// What the registry knows of one name.
#[derive(Debug)]
pub(super) struct Entry<T: Shared> {
    pub(super) holder: &'static T,
    pub(super) origin: Origin,
    others: Vec<&'static T>,
    /// Settings of declarations that are not in effect, without repetitions, tightest first.
    differing: Vec<T::Settings>,
}

impl<T: Shared> Entry<T> {
    pub(super) const fn new(holder: &'static T, origin: Origin) -> Self {
        Self { holder, origin, others: Vec::new(), differing: Vec::new() }
    }

    /// Puts `next`, which is new here, in effect. Whoever has found the old one follows its
    /// pointer; its switch holds on.
    pub(super) fn supersede(&mut self, next: &'static T) {
        let old = std::mem::replace(&mut self.holder, next);
        self.others.push(old);
        let was_off = old.succession().hand_over(next);
        debug_assert!(was_off.is_some(), "only the one in effect is superseded");
        if was_off == Some(true) {
            next.inherit_switch();
        }
    }

    /// Lets `other`, which is new here, lead to the one in effect. Switched off is switched off
    /// for the name.
    pub(super) fn stand_behind(&mut self, other: &'static T) {
        self.others.push(other);
        let was_off = other.succession().hand_over(self.holder);
        debug_assert!(was_off.is_some(), "each is entered once");
        if was_off == Some(true) {
            self.holder.inherit_switch();
        }
    }

    /// Remembers settings that are not in effect.
    pub(super) fn note_difference(&mut self, settings: T::Settings) {
        if !self.differing.contains(&settings) {
            self.differing.push(settings);
            self.differing.sort_by(Settings::by_tightness);
        }
    }

    /// All that bear the name.
    pub(super) fn bearers(&self) -> impl Iterator<Item = &'static T> {
        std::iter::once(self.holder).chain(self.others.iter().copied())
    }

    pub(super) fn registered(&self) -> Registered<T> {
        Registered { holder: self.holder, origin: self.origin, others: self.others.clone() }
    }

    pub(super) fn conflict(&self) -> Option<Conflict<T::Settings>> {
        (!self.differing.is_empty()).then(|| Conflict {
            name: self.holder.name(),
            in_effect: self.holder.declared_settings(),
            others: self.differing.clone(),
        })
    }
}
