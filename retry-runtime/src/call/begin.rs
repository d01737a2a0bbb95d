//! What a call finds out about its surroundings, at the first poll of the annotated function.

use crate::{
    Budget, Moment, Policy, StopReason, clock,
    context::{self, Ambient, CARRIED, IDEMPOTENT, POLLED, REPEATING, SUPPRESS},
    isolation, side,
    site::{BudgetRef, DeadlineRule, Site},
};

use super::{Call, EARNS, Given, MANY, Phase};

/// What suppression adds to a context.
const NESTING: u32 = SUPPRESS | IDEMPOTENT | REPEATING;

impl Call {
    /// Begins a call, at the first poll of the annotated function.
    #[expect(
        clippy::inline_always,
        reason = "the site's constants fold, a third of a success's cost"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "flags take eight bits")]
    #[inline(always)]
    pub fn begin(site: &'static Site, policy: &Policy, given: Given) -> Self {
        let (outer, number) = context::ambient_and_call();
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
        let around = outer.flags() & if policy.is_independent() { !NESTING } else { !0 };
        let polled = if site.is_blocking() { 0 } else { POLLED };
        let flags = around & !CARRIED | policy.context_flags() | polled;
        let deadline = match (site.deadline_rule(), given.deadline) {
            (_, Some(deadline)) => deadline.min(outer.deadline),
            (DeadlineRule::Inherit, None) => outer.deadline,
            (DeadlineRule::None, None) => Moment::NEVER,
            (DeadlineRule::After(time), None) => clock::now().after(time).min(outer.deadline),
        };
        let nearest = if budget_id == 0 { outer.budget } else { budget_id };
        let repetition = around & (SUPPRESS | REPEATING) == SUPPRESS | REPEATING;
        // A window counts attempts and not answers, so it wants those of repetitions too.
        let counts = !repetition || budget.is_some_and(Budget::wants_samples);
        let earns = budget_id != 0 && budget_id != outer.budget && counts;
        if let Some(key) = given.key {
            side::set_key(number, key);
        } else if outer.call() != 0 && side::is_keyed(site.key()) {
            side::begin_keyed(number, site.key(), &outer);
        }
        // Nothing looks at it before it is returned, so that it is made in its place in the future.
        Self {
            ambient: Ambient::new(deadline, number, 1, site.key(), nearest)
                .with_flags(flags)
                .within(outer),
            site,
            budget,
            cold: None,
            outer: outer.call_half(),
            allowed: MANY,
            around: (around | if earns { EARNS } else { 0 }) as u8,
            phase: Phase::Fresh,
            precluded: None,
        }
    }

    /// How many attempts there is time for, and whether for any.
    #[cold]
    pub(super) fn look_at_deadline(&mut self, policy: &Policy) {
        let now = clock::now();
        let left = now.until(self.ambient.deadline);
        let allowed = policy.attempts_within(left);
        self.allowed = u8::try_from(allowed).unwrap_or(MANY);
        if self.allowed == MANY && allowed != u32::MAX {
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
