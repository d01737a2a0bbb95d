//! One logical call: what a generated loop drives.
//!
//! The state machine of a call, with the clock, the timer and the generator that its decisions need.
//! Until the first failure none of the three is touched, unless the call has a deadline.

mod attempt;
mod cold;
mod cuts;
mod given;
mod judge;
mod pause;
mod purse;

use std::pin::Pin;

use crate::{
    Budget, Moment, Policy, RetryError, RetryEvent, StopReason, clock,
    context::{self, Ambient, CARRIED, IDEMPOTENT, OFF, REPEATING, SUPPRESS},
    isolation,
    machine::{Facts, Nesting},
    side,
    site::{BudgetRef, DeadlineRule, Site},
};

pub use cuts::{
    CutWith, Cuts, Plain, Wrap, Wrapped, deadline_by_trait, deadline_from, deadline_never,
    timeout_from, timeout_never,
};
pub use given::Given;
pub use judge::{Attempted, by_classifier, by_result, by_trait};

use cold::Cold;

/// Where a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The first attempt has not started.
    Fresh,
    /// An attempt is running, or its result is being looked at.
    Running,
    /// A retry is paid for and has not started.
    Sleeping,
    /// No attempt follows.
    Done,
}

/// The outer context was carried here, and its call may have ended.
const OUTER_CARRIED: u8 = 1;
/// An enclosing call does the retrying.
const SUPPRESSED: u8 = 1 << 1;
/// An enclosing call that suppresses is `idempotent`.
const OUTER_IDEMPOTENT: u8 = 1 << 2;
/// An answer earns: neither does the nearest enclosing call use the same budget, nor is this a
/// suppressed call in a repetition.
const EARNS: u8 = 1 << 3;

/// A logical call in progress.
///
/// It lies in the future of every annotated function, so each word counts.
#[derive(Debug)]
#[must_use = "a call does nothing until its attempts are polled"]
pub struct Call {
    /// What the attempts see.
    ambient: Ambient,
    site: &'static Site,
    budget: Option<&'static Budget>,
    /// Made at the first failure, or at the first `Pending` of a call that may be cut.
    cold: Option<Pin<Box<Cold>>>,
    /// The call around this one, or 0.
    outer: u32,
    around: u8,
    phase: Phase,
    /// Why not even the first attempt should start.
    precluded: Option<StopReason>,
}

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

    /// Decides what follows an attempt: `true` if its result is the call's.
    #[expect(
        clippy::inline_always,
        reason = "the site's constants fold, a third of a success's cost"
    )]
    #[inline(always)]
    pub fn decide<A: Attempted>(
        &mut self,
        _site: &'static Site,
        policy: &Policy,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
    ) -> bool {
        match self.facts(attempted, judge) {
            None => {
                self.succeed();
                true
            }
            Some(facts) => self.fail(policy, facts).is_none(),
        }
    }

    /// [`decide`](Self::decide) for a site with `on_retry`.
    #[inline]
    pub fn decide_and_tell<A: Attempted>(
        &mut self,
        site: &'static Site,
        policy: &Policy,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
        hook: impl FnOnce(&RetryEvent<'_, A::Error>),
    ) -> bool {
        let Some(facts) = self.facts(attempted, judge) else {
            self.succeed();
            return true;
        };
        let Some(delay) = self.fail(policy, facts) else { return true };
        let event = RetryEvent {
            site: site.name(),
            error: attempted.result().and_then(|result| result.as_ref().err()),
            attempt: self.ambient.attempt,
            delay,
            classification: facts.classification,
            label: facts.label,
        };
        // A hook looks on; it never changes what happens to the call.
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hook(&event))).is_err() {
            self.hook_panicked("on_retry");
        }
        false
    }

    /// What the attempt told; `None` if the dependency answered with a success.
    #[inline]
    fn facts<A: Attempted>(
        &self,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
    ) -> Option<Facts> {
        match self.cold.as_ref().and_then(|cold| cold.cut()) {
            Some(cut) => Some(cold::facts_of(cut)),
            None => attempted.result().and_then(judge),
        }
    }

    #[inline]
    fn succeed(&mut self) {
        self.phase = Phase::Done;
        self.earn();
        if self.cold.is_some() || self.ambient.scope() != 0 || side::attention() {
            self.succeed_cold();
        }
    }

    /// The dependency has answered.
    #[inline]
    fn earn(&self) {
        if !self.is(EARNS) {
            return;
        }
        if let Some(budget) = self.budget {
            if budget.wants_samples() {
                budget.record_attempt(clock::now());
            } else {
                budget.deposit();
            }
        }
    }

    #[inline]
    const fn is(&self, around: u8) -> bool {
        self.around & around != 0
    }

    /// Who else may repeat a failure of this call.
    const fn nesting(&self) -> Nesting {
        if self.is(SUPPRESSED) {
            Nesting::Suppressed { outer_idempotent: self.is(OUTER_IDEMPOTENT) }
        } else {
            Nesting::Free
        }
    }

    /// The call's result as a `RetryError`, with its record.
    ///
    /// # Errors
    ///
    /// Where the last attempt failed or was cut.
    #[inline]
    pub fn finish<T, E>(
        &mut self,
        _site: &'static Site,
        attempted: Wrapped<T, E>,
    ) -> Result<T, RetryError<E>> {
        match attempted {
            Wrapped::Ran(Ok(value)) => Ok(value),
            Wrapped::Ran(Err(error)) => Err(self.retry_error(Some(error), None)),
            Wrapped::Cut(cut) => Err(self.retry_error(None, Some(cut))),
        }
    }
}

const fn flag(flag: u8, on: bool) -> u8 {
    if on { flag } else { 0 }
}

impl Drop for Call {
    #[inline]
    fn drop(&mut self) {
        if self.phase != Phase::Done {
            self.abandon();
        }
    }
}
