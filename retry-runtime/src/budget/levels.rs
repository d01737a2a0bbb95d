//! A budget and those above it.

use super::Budget;
use super::withdrawal::LEVELS;
use crate::names::registry;
use crate::{ConfigError, Moment, Uniform, isolation};

/// The budget itself, then its parent, and so on, each as it is in effect now.
pub(super) struct Levels<'a> {
    next: Option<&'a Budget>,
    left: usize,
}

impl<'a> Iterator for Levels<'a> {
    type Item = &'a Budget;

    fn next(&mut self) -> Option<&'a Budget> {
        let level = self.next.take()?;
        self.left = self.left.checked_sub(1)?;
        self.next = level.above();
        Some(level)
    }
}

impl Budget {
    pub(super) const fn levels(&self) -> Levels<'_> {
        Levels { next: Some(self), left: LEVELS }
    }

    /// Whether this budget or one above it is that one.
    pub(crate) fn pays_with(&self, budget: &Self) -> bool {
        self.levels().any(|level| level.id() == budget.id())
    }

    /// The budget above this one, as it was declared there.
    pub(crate) const fn declared_above(&self) -> Option<&'static Self> {
        self.options.parent
    }

    /// The name of the budget above this one.
    pub(crate) fn name_above(&self) -> Option<&'static str> {
        self.options.parent.map(Self::name)
    }

    /// The budget above this one, as it is in effect now.
    fn above(&self) -> Option<&'static Self> {
        self.options.parent.map(|parent| isolation::own(parent.in_effect()))
    }

    /// Whether there are more budgets above this one than pay together.
    fn is_too_deep(&self) -> bool {
        let mut level = self;
        for _ in 0..LEVELS {
            let Some(above) = level.above() else { return false };
            level = above;
        }
        true
    }

    /// [`check`](Self::check), and what only the whole process can tell: that there are too many budgets
    /// above this one.
    pub(crate) fn fault(&self) -> Option<ConfigError> {
        let deep = self.options.parent.is_some() && self.is_too_deep();
        self.fault.or_else(|| deep.then_some(ConfigError::TooManyParents(LEVELS)))
    }

    /// Whether retries are switched off here or in a budget above.
    pub(crate) fn is_off_upwards(&self) -> bool {
        self.levels().any(Self::is_off_here)
    }

    /// Whether a call that begins now is shed, here or by a budget above.
    pub(crate) fn sheds_upwards(&self, now: Moment, random: &mut dyn Uniform) -> bool {
        self.levels().any(|level| level.sheds(now, random))
    }

    /// Whether this budget or one above it may shed.
    pub(crate) fn may_shed_upwards(&self) -> bool {
        self.levels().any(Self::may_shed)
    }

    /// The budget that answers to this one's name by now, for who begins no call.
    pub(super) fn current(&'static self) -> &'static Self {
        match self.succession.lead() {
            Some(_) => self,
            None => registry::find_lead(self),
        }
    }
}
