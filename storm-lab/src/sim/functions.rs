//! The annotated functions of a simulation, and what pays for their retries in each process.

use std::collections::BTreeMap;

use retry_runtime::{
    __private::{BreakerRef, BudgetRef, DeadlineRule, Site, SiteState},
    Breaker, Budget, BudgetStats, Moment, Policy, StopReason,
};

use crate::{
    attribute::{Attribute, Payer},
    budget::BudgetSpec,
    scenario::{PolicySpec, Topology},
};

/// One annotated function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) site: &'static Site,
    pub(super) policy: Policy,
    state: &'static SiteState,
    /// Which of the budgets pays.
    budget: Option<usize>,
    /// Which of the breakers is asked.
    breaker: Option<usize>,
}

impl Function {
    #[inline]
    pub(super) const fn is_gated(&self) -> bool {
        self.breaker.is_some()
    }
}

/// All functions, by tier and then by site, with a copy of each budget and breaker for each process.
///
/// What calls refer to lives for ever in production, and so it does here: some 500 bytes for each budget of each
/// process.
#[derive(Debug)]
pub(super) struct Functions {
    tiers: Vec<Vec<Function>>,
    budgets: Vec<Vec<&'static Budget>>,
    breakers: Vec<Vec<&'static Breaker>>,
}

impl Functions {
    pub(super) fn new(topology: &Topology, spec: &PolicySpec) -> Self {
        let mut names = Names::default();
        let mut tiers = Vec::new();
        for (at, tier) in topology.tiers.iter().enumerate() {
            let own = spec.tiers.iter().find(|(of, _)| *of == at);
            let attribute = own.map_or(&spec.attribute, |(_, attribute)| attribute);
            let functions =
                (0..tier.sites.max(1)).map(|site| function(attribute, (at, site), &mut names));
            tiers.push(functions.collect());
        }
        let processes = topology.clients.processes.max(1);
        let budget = |name: &str, spec: Option<&BudgetSpec>| -> Vec<&'static Budget> {
            let first = match spec {
                Some(spec) => spec.build(name.to_owned()),
                None => Budget::dynamic(name),
            };
            (0..processes).map(|_| leak(first.fresh_copy())).collect()
        };
        let budgets = names.budgets.iter().map(|payer| match payer {
            Pays::Named(name) => {
                let known = spec.budgets.iter().find(|(of, _)| of == name);
                budget(name, known.map(|(_, spec)| spec))
            }
            Pays::Site(..) => budget("(own)", spec.own_budget.as_ref()),
        });
        let breakers = names
            .breakers
            .iter()
            .map(|name| (0..processes).map(|_| leak(Breaker::dynamic(name.as_str()))).collect());
        Self { tiers, budgets: budgets.collect(), breakers: breakers.collect() }
    }

    #[inline]
    pub(super) fn get(&self, tier: usize, site: u32) -> &Function {
        &self.tiers[tier][site as usize]
    }

    #[inline]
    pub(super) fn budget(&self, function: &Function, process: u32) -> Option<&'static Budget> {
        function.budget.map(|budget| self.budgets[budget][process as usize])
    }

    pub(super) fn breaker(&self, function: &Function, process: u32) -> Option<&'static Breaker> {
        function.breaker.map(|breaker| self.breakers[breaker][process as usize])
    }

    /// The mean level of what a tier's functions are paid from, from 0 to 1; `None` if nothing pays. With many
    /// processes the first few stand for all.
    pub(super) fn level(&self, tier: usize, now: Moment) -> Option<f64> {
        const ENOUGH: usize = 200;
        let mut levels = Vec::new();
        for function in &self.tiers[tier] {
            for budget in self.budgets[function.budget?].iter().take(ENOUGH) {
                let most = budget.capacity(now);
                levels.push(if most > 0.0 {
                    (budget.balance_at(now) / most).clamp(0.0, 1.0)
                } else {
                    0.0
                });
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
        let many = levels.len() as f64;
        (many > 0.0).then(|| levels.iter().sum::<f64>() / many)
    }

    /// All copies of each budget.
    pub(super) fn budgets(&self) -> impl Iterator<Item = &[&'static Budget]> {
        self.budgets.iter().map(Vec::as_slice)
    }

    /// What the budgets of a tier have granted and refused so far. What several tiers share is counted at the first of
    /// them alone, so that the sum over all tiers is right.
    pub(super) fn paid(&self, tier: usize) -> (u64, u64) {
        let of = |functions: &Vec<Function>| -> Vec<usize> {
            functions.iter().filter_map(|function| function.budget).collect()
        };
        let earlier: Vec<usize> = self.tiers[..tier].iter().flat_map(of).collect();
        let mut known = of(&self.tiers[tier]);
        known.retain(|budget| !earlier.contains(budget));
        known.sort_unstable();
        known.dedup();
        let all = known.iter().flat_map(|budget| &self.budgets[*budget]);
        let sum =
            |sums: (u64, u64), stats: BudgetStats| (sums.0 + stats.spent(), sums.1 + stats.refused);
        all.map(|budget| budget.stats()).fold((0, 0), sum)
    }

    /// How many calls that this budget pays for stopped for this reason so far.
    pub(super) fn stops_of_payer(&self, budget: usize, reason: StopReason) -> u64 {
        let all = self.tiers.iter().flatten();
        let paid = all.filter(|function| function.budget == Some(budget));
        paid.map(|function| function.state.stops(reason)).sum()
    }

    /// Why calls stopped so far, at all functions.
    pub(super) fn stops(&self) -> BTreeMap<&'static str, u64> {
        let mut sums = BTreeMap::new();
        for function in self.tiers.iter().flatten() {
            for reason in StopReason::ALL {
                let count = function.state.stops(*reason);
                if count > 0 {
                    *sums.entry(reason.label()).or_insert(0) += count;
                }
            }
        }
        sums
    }
}

/// Who pays: the budget of a name, or of one function.
#[derive(Debug, PartialEq, Eq)]
enum Pays {
    Named(String),
    Site(usize, u32),
}

#[derive(Debug, Default)]
struct Names {
    budgets: Vec<Pays>,
    breakers: Vec<String>,
}

/// The place of this one, which is added if it is new.
fn place<T: PartialEq>(known: &mut Vec<T>, one: T) -> usize {
    known.iter().position(|other| *other == one).unwrap_or_else(|| {
        known.push(one);
        known.len() - 1
    })
}

fn function(attribute: &Attribute, at: (usize, u32), names: &mut Names) -> Function {
    let state: &SiteState = leak(SiteState::new());
    let budget = match &attribute.budget {
        Payer::None => None,
        Payer::Own => Some(place(&mut names.budgets, Pays::Site(at.0, at.1))),
        Payer::Named(name) => Some(place(&mut names.budgets, Pays::Named(name.clone()))),
    };
    let paid = if budget.is_some() { BudgetRef::Given } else { BudgetRef::None };
    let mut site =
        Site::new("simulated", file!(), line!(), column!(), attribute.policy, state).budget(paid);
    if let Some(timeout) = attribute.attempt_timeout.filter(|timeout| !timeout.is_zero()) {
        site = site.attempt_timeout(timeout);
    }
    if let Some(deadline) = attribute.deadline.filter(|deadline| !deadline.is_zero()) {
        site = site.deadline(DeadlineRule::After(deadline));
    }
    Function {
        site: leak(site.breaker(BreakerRef::None)),
        policy: attribute.policy,
        state,
        budget,
        breaker: attribute.breaker.as_ref().map(|name| place(&mut names.breakers, name.clone())),
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
