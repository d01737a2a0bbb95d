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

    /// What is wrong with the budgets above this one.
    fn fault_above(&self) -> Option<ConfigError> {
        let mut level = self;
        for _ in 0..LEVELS {
            level = level.above()?;
        }
        Some(if level.comes_round() {
            ConfigError::CircleOfParents
        } else {
            ConfigError::TooManyParents(LEVELS)
        })
    }

    /// Whether the way up from here has no end: the one who takes two steps at a time then meets the
    /// other.
    fn comes_round(&self) -> bool {
        let (mut slow, mut fast) = (self, self);
        loop {
            let Some(two) = fast.above().and_then(Self::above) else { return false };
            let Some(one) = slow.above() else { return false };
            if std::ptr::eq(one, two) {
                return true;
            }
            (slow, fast) = (one, two);
        }
    }

    /// [`check`](Self::check), and what only the whole process can tell: that there are too many budgets
    /// above this one, or that they come round in a circle.
    pub(crate) fn fault(&self) -> Option<ConfigError> {
        self.fault.or_else(|| self.fault_above())
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

#[cfg(test)]
mod tests {
    use crate::{Budget, ConfigError, leaked::leak};

    #[test]
    fn a_circle_of_parents_is_told_from_a_tower_of_them() {
        static ONE: Budget = Budget::new("levels-one").parent(&TWO);
        static TWO: Budget = Budget::new("levels-two").parent(&ONE);
        static OWN: Budget = Budget::new("levels-own").parent(&OWN);
        let below = Budget::new("levels-below").parent(&TWO);
        for budget in [&ONE, &TWO, &OWN, &below] {
            assert_eq!(budget.fault(), Some(ConfigError::CircleOfParents));
        }
        let mut top = leak(Box::new(Budget::new("levels-top")));
        for levels in 2..8 {
            top = leak(Box::new(Budget::new("levels-next").parent(top)));
            let too_many = (levels > 4).then_some(ConfigError::TooManyParents(4));
            assert_eq!(top.fault(), too_many, "{levels} levels");
        }
    }
}
