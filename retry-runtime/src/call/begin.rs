//! What a call finds out about its surroundings, at the first poll of the annotated function.

use crate::{
    Budget, KeyedBudget, Moment, Policy, StopReason, clock,
    context::{
        self, Ambient, CARRIED, CallNumber, IDEMPOTENT, INDEPENDENT, POLLED, REPEATING, SUPPRESS,
    },
    event, isolation, side,
    site::{BudgetRef, DeadlineRule, Site},
};

use super::{Call, EARNS, FREE, Given, MANY, Phase, cold::Cold};

/// What pays for a call's retries, as it is known when the call begins.
#[derive(Clone, Copy)]
pub(super) struct Payer {
    pub(super) budget: &'static Budget,
    /// The budget's number; 0 if nothing pays.
    pub(super) id: u32,
}

impl Payer {
    /// Not an option of a budget, where every later step would ask again.
    pub(super) const NOBODY: Self = Self { budget: &FREE, id: 0 };

    /// The budget that the site or the call names, if one does.
    #[expect(clippy::inline_always, reason = "as `begin`")]
    #[inline(always)]
    pub(super) fn named(
        site: &'static Site,
        given: Option<&'static Budget>,
    ) -> Option<&'static Budget> {
        match site.budget_ref() {
            // What the call brings along is never anything but what the site asked for.
            _ if given.is_some() => given,
            BudgetRef::Own => Some(site.own_budget()),
            BudgetRef::Static(budget) => Some(budget),
            BudgetRef::Named(name) => Some(name.found()),
            BudgetRef::None | BudgetRef::Given => None,
        }
    }
}

/// What suppression adds to a context.
pub(super) const NESTING: u32 = SUPPRESS | IDEMPOTENT | REPEATING;

impl Call {
    /// Begins a call, at the first poll of the annotated function.
    #[expect(
        clippy::inline_always,
        reason = "the site's constants fold, a third of a success's cost"
    )]
    #[inline(always)]
    pub fn begin(site: &'static Site, policy: &Policy) -> Self {
        match context::next_call() {
            // Most calls have nothing around them, and then nearly all of this is known beforehand.
            (number, true) => Self::within(Ambient::ROOT, number, site, policy, None, None),
            (number, false) => Self::begin_inside(number, site, policy),
        }
    }

    /// [`begin`](Self::begin) with what this call brings along.
    #[inline]
    pub fn begin_with(site: &'static Site, policy: &Policy, given: Given) -> Self {
        let (number, _) = context::next_call();
        let Given { budget, keyed, deadline, key } = given;
        let budget = keyed.map(KeyedBudget::into_call).or(budget);
        let outer = context::ambient();
        match key {
            Some(key) => side::set_key(number.get(), key),
            None => Self::expect_key(number, site, &outer),
        }
        Self::within(outer, number, site, policy, budget, deadline)
    }

    /// The first attempt's arguments are about to be made; until they are, no attempt has started.
    #[inline]
    pub fn with_arguments(mut self) -> Self {
        if self.phase == Phase::Polling {
            self.phase = Phase::Fresh;
        }
        self
    }

    /// [`begin`](Self::begin) with something around the call: an attempt or a scope.
    #[inline(never)]
    fn begin_inside(number: CallNumber, site: &'static Site, policy: &Policy) -> Self {
        let outer = context::ambient();
        Self::expect_key(number, site, &outer);
        Self::within(outer, number, site, policy, None, None)
    }

    /// Calls whose keys derive from the enclosing attempt's are counted as they begin.
    fn expect_key(number: CallNumber, site: &'static Site, outer: &Ambient) {
        if outer.call() != 0 && side::is_keyed(site.key()) {
            side::begin_keyed(number.get(), site.key(), outer);
        }
    }

    #[expect(clippy::inline_always, reason = "as `begin`")]
    #[inline(always)]
    fn within(
        outer: Ambient,
        number: CallNumber,
        site: &'static Site,
        policy: &Policy,
        given_budget: Option<&'static Budget>,
        given_deadline: Option<Moment>,
    ) -> Self {
        let known = |budget: &'static Budget| budget.known_lead().map(|id| Payer { budget, id });
        let payer = match Payer::named(site, given_budget) {
            Some(budget) => known(budget),
            // Even where nobody pays there is a word that says whether anything is to be asked.
            None => known(&FREE).map(|_| Payer::NOBODY),
        };
        match payer {
            Some(payer) if !event::wants_calls() => {
                Self::assemble(outer, number, site, policy, payer, given_deadline)
            }
            _ => Self::begin_slowly(outer, number, site, policy, given_budget, given_deadline),
        }
    }

    /// [`within`](Self::within), once it is known who pays.
    #[expect(clippy::inline_always, reason = "as `begin`")]
    #[expect(clippy::cast_possible_truncation, reason = "flags take eight bits")]
    #[inline(always)]
    pub(super) fn assemble(
        outer: Ambient,
        number: CallNumber,
        site: &'static Site,
        policy: &Policy,
        payer: Payer,
        given_deadline: Option<Moment>,
    ) -> Self {
        let pays = payer.id != 0;
        let (budget, budget_id) = if pays {
            isolation::budget_and_id(payer.budget, payer.id)
        } else {
            (payer.budget, payer.id)
        };

        // An independent call steps out of what suppresses around it; one that suppresses by itself
        // adds its own.
        let around = outer.flags() & if policy.is_independent() { !NESTING } else { !0 };
        let polled = if site.is_blocking() { 0 } else { POLLED };
        let flags = around & !(CARRIED | INDEPENDENT) | policy.context_flags() | polled;
        // The clock is read once, by whoever needs it first.
        let mut now = None;
        let deadline = match (site.deadline_rule(), given_deadline) {
            (_, Some(deadline)) => deadline.min(outer.deadline),
            (DeadlineRule::Inherit, None) => outer.deadline,
            (DeadlineRule::None, None) => Moment::NEVER,
            (DeadlineRule::After(time), None) => {
                now.insert(clock::now()).after(time).min(outer.deadline)
            }
        };
        let nearest = if pays { budget_id } else { outer.budget() };
        let repetition = around & (SUPPRESS | REPEATING) == SUPPRESS | REPEATING;
        // A window counts attempts and not answers, so it wants those of repetitions too.
        let earns = pays
            && (outer.budget() == 0 || nearest != outer.budget())
            && (!repetition || budget.wants_samples());
        let (allowed, most, precluded) = if deadline == Moment::NEVER {
            (u32::MAX, context::told(policy.max_attempts()), None)
        } else {
            time_for(policy, deadline, now)
        };
        // Nothing looks at it before it is returned, so that it is made in its place in the future.
        Self {
            ambient: Ambient::new(deadline, number, most, flags, site.key(), nearest).within(outer),
            site,
            budget,
            cold: if allowed == u32::MAX { None } else { Cold::allowing(allowed) },
            outer: outer.call_half(),
            allowed: u8::try_from(allowed).unwrap_or(MANY),
            around: (around | if earns { EARNS } else { 0 }) as u8,
            phase: if precluded.is_some() { Phase::Precluded } else { Phase::Polling },
            reason: precluded,
        }
    }
}

/// How many attempts there is time for, how many there may be at most, and why there is none.
#[cold]
fn time_for(
    policy: &Policy,
    deadline: Moment,
    now: Option<Moment>,
) -> (u32, u32, Option<StopReason>) {
    let now = now.unwrap_or_else(clock::now);
    let left = now.until(deadline);
    let allowed = policy.attempts_within(left);
    let precluded = if now >= deadline {
        Some(StopReason::DeadlineExceeded)
    } else if left <= policy.least_remaining() || allowed == 0 {
        Some(StopReason::DeadlineTooClose)
    } else {
        None
    };
    let most = policy.max_attempts().unwrap_or(u32::MAX).min(allowed.max(1));
    (allowed, context::told(Some(most)), precluded)
}
