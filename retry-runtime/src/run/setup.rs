//! Everything that is said about a call besides what it runs. What a closure's call and a decorated client
//! set is set here.

use std::{fmt::Display, hash::Hash, time::Duration};

use crate::{
    Budget, ConfigError, IdempotencyKey, Policy, Quantile,
    deadline::IntoDeadline,
    site::{Asked, Hedged, PaidBy, TimingOut},
};

use super::{
    asked::{Gatekeeper, HedgeAfter, IntoBreaker, IntoBudget, IntoHedge, Payer},
    cutting::{ByError, ByFunction, Explained},
    hooks::{Hook, Nobody},
    judging::{ByResult, ByTrait, WithClass},
    rules::Rules,
    settings::Settings,
};

/// A policy, the settings of a call and its rules.
#[derive(Clone, Debug)]
pub(crate) struct Setup<R> {
    pub(crate) policy: Policy,
    pub(crate) settings: Settings,
    pub(crate) rules: R,
}

/// The same, where it lies.
pub(crate) struct SetupMut<'a, R> {
    pub(crate) policy: &'a mut Policy,
    pub(crate) settings: &'a mut Settings,
    pub(crate) rules: &'a mut R,
}

impl<R> Setup<R> {
    #[inline]
    pub(crate) const fn as_mut(&mut self) -> SetupMut<'_, R> {
        let Self { policy, settings, rules } = self;
        SetupMut { policy, settings, rules }
    }
}

/// The rules of a call that was given none.
type NoRules<E> = Rules<ByError<E>, ByTrait, Nobody, Nobody>;

impl<E> Setup<NoRules<E>> {
    #[inline]
    #[track_caller]
    pub(crate) fn new(policy: Policy) -> Self {
        let rules = Rules { cuts: ByError::NEW, judge: ByTrait, hook: Nobody, adjust: Nobody };
        Self { policy, settings: Settings::new(), rules }
    }
}

impl<R> SetupMut<'_, R> {
    #[inline]
    pub(crate) fn hedge(self, after: impl IntoHedge) {
        let settings = self.settings;
        settings.hedge.max = 1;
        match after.into_hedge() {
            HedgeAfter::Time(Duration::ZERO) => {
                settings.hedge.max = 0;
                *self.policy = self.policy.with_fault(ConfigError::ZeroDuration("hedge"));
            }
            HedgeAfter::Time(after) => {
                settings.hedge.after = Some(after);
                settings.shape.hedge = Hedged::After;
            }
            HedgeAfter::Quantile(quantile) => {
                settings.hedge.after = None;
                settings.shape.hedge = Hedged::Quantile(quantile);
            }
        }
    }

    #[inline]
    pub(crate) fn hedge_max(self, max: u32) {
        self.settings.hedge.max = max;
    }

    #[inline]
    pub(crate) fn named(self, name: &'static str) {
        self.settings.whence = self.settings.whence.named(name);
    }

    #[inline]
    pub(crate) fn budget(self, budget: impl IntoBudget) {
        self.settings.keyed = None;
        self.settings.shape.budget = match budget.into_budget() {
            Payer::Static(budget) => PaidBy::Static(budget),
            Payer::Named(name) => PaidBy::Named(name),
            Payer::Keyed(keyed) => {
                self.settings.keyed = Some(keyed);
                PaidBy::Given
            }
        };
    }

    #[inline]
    pub(crate) fn budget_key(self, budget: &'static Budget, key: &(impl Hash + ?Sized)) {
        self.settings.keyed = Some(budget.keyed(key));
        self.settings.shape.budget = PaidBy::Static(budget);
    }

    #[inline]
    pub(crate) fn no_budget(self) {
        self.settings.keyed = None;
        self.settings.shape.budget = PaidBy::Nobody;
    }

    #[inline]
    pub(crate) fn breaker(self, breaker: impl IntoBreaker) {
        self.settings.shape.breaker = match breaker.into_breaker() {
            Gatekeeper::Static(breaker) => Asked::Static(breaker),
            Gatekeeper::Named(name) => Asked::Named(name),
        };
    }

    #[inline]
    pub(crate) fn shed(self) {
        self.settings.shape.sheds = true;
    }

    #[inline]
    pub(crate) fn expect(self, quantile: Quantile) {
        self.settings.shape.expect = Some(quantile);
    }

    #[inline]
    pub(crate) fn last_attempt_untimed(self) {
        self.settings.shape.last_untimed = true;
    }

    #[inline]
    pub(crate) fn deadline(self, deadline: impl IntoDeadline) {
        self.settings.shape.steps_out = false;
        self.settings.deadline = Some(deadline.into_later());
    }

    #[inline]
    pub(crate) fn no_deadline(self) {
        self.settings.shape.steps_out = true;
        self.settings.deadline = None;
    }

    #[inline]
    pub(crate) fn attempt_timeout(self, timeout: Duration) {
        if timeout.is_zero() {
            let fault = ConfigError::ZeroDuration("attempt_timeout");
            *self.policy = self.policy.with_fault(fault);
            return;
        }
        self.settings.shape.timing = TimingOut::Does;
        self.settings.timeout = Some(timeout);
    }

    #[inline]
    pub(crate) fn idempotency_key(self, key: impl Display) {
        self.settings.key = Some(IdempotencyKey::new(key));
    }
}

impl<C, J, K, A> Setup<Rules<C, J, K, A>> {
    #[inline]
    pub(crate) fn cut_error<F>(mut self, cut_error: F) -> Setup<Rules<ByFunction<F>, J, K, A>> {
        self.settings.shape.can_time_out();
        self.map(|rules| {
            let Rules { cuts: _, judge, hook, adjust } = rules;
            Rules { cuts: ByFunction(cut_error), judge, hook, adjust }
        })
    }

    #[inline]
    pub(crate) fn explain(mut self) -> Setup<Rules<Explained, J, K, A>> {
        self.settings.shape.can_time_out();
        self.map(|rules| {
            let Rules { cuts: _, judge, hook, adjust } = rules;
            Rules { cuts: Explained, judge, hook, adjust }
        })
    }

    #[inline]
    pub(crate) fn classify<F>(self, classify: F) -> Setup<Rules<C, J::Judge, K, A>>
    where
        J: WithClass<F>,
    {
        self.map(|rules| {
            let Rules { cuts, judge, hook, adjust } = rules;
            Rules { cuts, judge: judge.with_class(classify), hook, adjust }
        })
    }

    #[inline]
    pub(crate) fn classify_result<F>(self, classify: F) -> Setup<Rules<C, ByResult<F, J>, K, A>> {
        self.map(|rules| {
            let Rules { cuts, judge, hook, adjust } = rules;
            Rules { cuts, judge: ByResult(classify, judge), hook, adjust }
        })
    }

    #[inline]
    pub(crate) fn on_retry<F>(self, told: F) -> Setup<Rules<C, J, Hook<F>, A>> {
        self.map(|rules| {
            let Rules { cuts, judge, hook: _, adjust } = rules;
            Rules { cuts, judge, hook: Hook(told), adjust }
        })
    }

    #[inline]
    pub(crate) fn adjust<F>(self, asked: F) -> Setup<Rules<C, J, K, Hook<F>>> {
        self.map(|rules| {
            let Rules { cuts, judge, hook, adjust: _ } = rules;
            Rules { cuts, judge, hook, adjust: Hook(asked) }
        })
    }

    #[inline]
    fn map<C2, J2, K2, A2>(
        self,
        map: impl FnOnce(Rules<C, J, K, A>) -> Rules<C2, J2, K2, A2>,
    ) -> Setup<Rules<C2, J2, K2, A2>> {
        let Self { policy, settings, rules } = self;
        Setup { policy, settings, rules: map(rules) }
    }
}
