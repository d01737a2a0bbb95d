//! What one call brings along that its site cannot know.

use std::hash::Hash;

use crate::{Budget, IdempotencyKey, KeyedBudget, Moment, deadline::IntoDeadline, site::Site};

/// The values of an attribute's expressions, each evaluated once, at the first poll.
#[derive(Debug)]
pub struct Given {
    pub(super) budget: Option<&'static Budget>,
    /// The bucket of a key under the budget; held, so that nobody else gets it before the call begins.
    pub(super) keyed: Option<KeyedBudget>,
    pub(super) deadline: Option<Moment>,
    pub(super) key: Option<IdempotencyKey>,
}

impl Given {
    /// No expressions.
    pub const NONE: Self = Self { budget: None, keyed: None, deadline: None, key: None };

    /// The budget that pays.
    #[inline]
    #[must_use]
    pub fn budget(mut self, budget: &'static Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// The key of the bucket that pays, under the budget that the site names or that was given before.
    #[inline]
    #[must_use]
    pub fn budget_key(mut self, site: &'static Site, key: &(impl Hash + ?Sized)) -> Self {
        self.keyed = site.named_budget().or(self.budget).map(|budget| budget.keyed(key));
        self
    }

    /// The bucket of a key that pays.
    pub(crate) fn keyed(mut self, keyed: KeyedBudget) -> Self {
        self.keyed = Some(keyed);
        self
    }

    /// The moment of the deadline.
    pub(crate) const fn deadline_at(mut self, deadline: Moment) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The idempotency key.
    pub(crate) fn known_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Whether there is nothing.
    pub(crate) const fn is_none(&self) -> bool {
        self.budget.is_none()
            && self.keyed.is_none()
            && self.deadline.is_none()
            && self.key.is_none()
    }

    /// The deadline.
    #[inline]
    #[must_use]
    pub fn deadline(mut self, deadline: impl IntoDeadline) -> Self {
        self.deadline = Some(deadline.into_moment());
        self
    }

    /// The idempotency key.
    #[inline]
    #[must_use]
    pub fn key(mut self, key: &(impl std::fmt::Display + ?Sized)) -> Self {
        self.key = Some(IdempotencyKey::new(key));
        self
    }
}
