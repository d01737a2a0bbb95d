//! A reference to a budget by name.

use std::sync::OnceLock;

use super::Budget;
use super::registry;

/// One place that refers to a budget by name. Finds it once; after that it costs two loads, and a
/// later declaration is seen all the same.
#[derive(Debug)]
pub struct NamedBudget {
    name: &'static str,
    found: OnceLock<&'static Budget>,
}

impl NamedBudget {
    /// A reference that looks nothing up yet.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, found: OnceLock::new() }
    }

    /// The name that it refers to.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The budget that answers to the name: the declared one, or else a default bucket that all
    /// references to the undeclared name share. Never none, because a missing budget would be an
    /// unlimited one.
    pub fn resolve(&self) -> &'static Budget {
        self.find().current()
    }

    /// [`resolve`](Self::resolve), and the budget's id, for a call that begins.
    #[inline]
    pub(crate) fn lead(&self) -> (&'static Budget, u32) {
        self.find().lead()
    }

    #[inline]
    fn find(&self) -> &'static Budget {
        self.found.get_or_init(|| registry::resolve(self.name))
    }
}
