//! What a call finds out about its surroundings, at the first poll of the annotated function.

use crate::{
    Budget, Moment, Policy, StopReason, clock,
    context::{self, Ambient, CARRIED, IDEMPOTENT, OFF, REPEATING, SUPPRESS},
    isolation, side,
    site::{BudgetRef, DeadlineRule, Site},
};

use super::{Call, EARNS, Given, OUTER_CARRIED, OUTER_IDEMPOTENT, Phase, SUPPRESSED};

impl Call {
    /// Begins a call, at the first poll of the annotated function.
    #[expect(
        clippy::inline_always,
        reason = "the site's constants fold, a third of a success's cost"
    )]
    #[inline(always)]
    pub fn begin(site: &'static Site, policy: &Policy, given: Given) -> Self {
        let (outer, number) = context::ambient_and_call();
        let independent = policy.is_independent();
        let suppressed = outer.has(SUPPRESS) && !independent;
        let budget = match site.budget_ref() {
            BudgetRef::Own => Some(site.own_budget()),
            BudgetRef::Static(budget) => Some(budget.in_effect()),
            BudgetRef::Named(name) => Some(name.resolve()),
            BudgetRef::None => None,
            BudgetRef::Given => given.budget.map(Budget::in_effect),
        }
        .map(isolation::budget);
        let budget_id = budget.map_or(0, Budget::id);

        // An independent call steps out of what suppresses around it; one that suppresses by itself
        // adds its own.
        let mut flags =
            outer.flags() & if independent { OFF } else { OFF | SUPPRESS | IDEMPOTENT | REPEATING };
        if policy.suppresses_inner() {
            flags |= SUPPRESS;
            if policy.is_idempotent() {
                flags |= IDEMPOTENT;
            }
        }
        let deadline = match (site.deadline_rule(), given.deadline) {
            (_, Some(deadline)) => deadline.min(outer.deadline),
            (DeadlineRule::Inherit, None) => outer.deadline,
            (DeadlineRule::None, None) => Moment::NEVER,
            (DeadlineRule::After(time), None) => clock::now().after(time).min(outer.deadline),
        };
        let earns =
            budget_id != 0 && budget_id != outer.budget && !(suppressed && outer.has(REPEATING));
        let mut call = Self {
            ambient: Ambient {
                deadline,
                call: number,
                attempt: 1,
                site: site.key(),
                budget: if budget_id == 0 { outer.budget } else { budget_id },
                ..outer.with_flags(flags)
            },
            site,
            budget,
            cold: None,
            outer: outer.call,
            around: flag(OUTER_CARRIED, outer.has(CARRIED))
                | flag(SUPPRESSED, suppressed)
                | flag(OUTER_IDEMPOTENT, outer.has(IDEMPOTENT))
                | flag(EARNS, earns),
            phase: Phase::Fresh,
            precluded: None,
        };
        if deadline != Moment::NEVER {
            call.look_at_deadline(policy);
        }
        if let Some(key) = given.key {
            side::set_key(number, key);
        }
        call
    }

    /// How many attempts there is time for, and whether for any.
    #[cold]
    fn look_at_deadline(&mut self, policy: &Policy) {
        let now = clock::now();
        let left = now.until(self.ambient.deadline);
        let allowed = policy.attempts_within(left);
        if allowed != u32::MAX {
            self.heat().set_allowed(allowed);
        }
        self.precluded = if now >= self.ambient.deadline {
            Some(StopReason::DeadlineExceeded)
        } else if left <= policy.least_remaining() || allowed == 0 {
            Some(StopReason::DeadlineTooClose)
        } else {
            None
        };
    }
}

const fn flag(flag: u8, on: bool) -> u8 {
    if on { flag } else { 0 }
}
