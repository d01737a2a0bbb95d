//! What one call brings along that its site cannot know.

use crate::{Budget, IdempotencyKey, Moment, deadline::IntoDeadline};

/// The values of an attribute's expressions, each evaluated once, at the first poll.
#[derive(Debug)]
pub struct Given {
    pub(super) budget: Option<&'static Budget>,
    pub(super) deadline: Option<Moment>,
    pub(super) key: Option<IdempotencyKey>,
}

impl Given {
    /// No expressions.
    pub const NONE: Self = Self { budget: None, deadline: None, key: None };

    /// The budget that pays.
    #[inline]
    #[must_use]
    pub fn budget(mut self, budget: &'static Budget) -> Self {
        self.budget = Some(budget);
        self
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
