//! What a simulation takes while it goes on, and what it leaves behind; about, in bytes.

use super::load::{Load, fold, round_trip};
use crate::{attribute::Payer, budget::BudgetSpec, scenario::Server};

/// What a call in progress takes, with its attempts.
pub(super) const CALL: f64 = 500.0;
/// What a request takes that waits.
const REQUEST: f64 = 50.0;
/// What a moment takes that was planned.
const PLANNED: f64 = 40.0;
/// What an endpoint takes.
const ENDPOINT: f64 = 48.0;
/// What a process takes for each function.
const SITE: f64 = 1_000.0;
/// What a function leaves behind.
const FUNCTION: f64 = 1_000.0;
/// What a budget leaves behind.
const BUDGET: f64 = 524.0;
/// What it leaves behind beside that if it counts over a time.
const COUNTS: f64 = 1_024.0;
/// What a breaker leaves behind.
const BREAKER: f64 = 524.0;

/// What clients and servers take, without what piles up.
pub(super) fn clients(load: &Load<'_>) -> f64 {
    let clients = &load.topology.clients;
    let tiers = &load.topology.tiers;
    let processes = f64::from(clients.processes);
    let sites: f64 = tiers.iter().map(|tier| f64::from(tier.sites)).sum();
    let servers = tiers.iter().filter_map(|tier| tier.server.as_ref());
    let endpoints: f64 = servers.map(|server| f64::from(server.endpoints)).sum();
    let waves: f64 = clients.waves.iter().map(|wave| f64::from(wave.calls)).sum();
    let open = load.rate() * fold(tiers, round_trip).min(load.patience(0)).min(load.seconds);
    processes * sites * SITE
        + endpoints * ENDPOINT
        + (waves + processes * f64::from(clients.callers) + open) * width(load) * CALL
}

/// The most calls at once that one call comes to.
fn width(load: &Load<'_>) -> f64 {
    let tiers = &load.topology.tiers;
    let mut widths = vec![1.0; tiers.len()];
    // What a tier calls comes after it.
    for (at, tier) in tiers.iter().enumerate().rev() {
        let called = tier.calls.iter().map(|edge| {
            let times = if edge.parallel { f64::from(edge.times) } else { 1.0 };
            times * widths[edge.tier]
        });
        widths[at] = called.fold(1.0, f64::max);
    }
    widths.first().copied().unwrap_or(1.0)
}

/// What waits by the end where servers get more than they serve, and the timeouts of what was answered before.
pub(super) fn piles(load: &Load<'_>) -> f64 {
    let tiers = &load.topology.tiers;
    let capacity =
        |server: &Server| f64::from(server.workers) / server.service.mean().as_secs_f64();
    let first = load.first_requests();
    let full = tiers.iter().zip(&first).any(|(tier, requests)| {
        tier.server.as_ref().is_some_and(|server| load.offered() * requests > capacity(server))
    });
    // Where nothing goes wrong, nothing is repeated.
    let wrong = full || !load.topology.faults.is_empty();
    let requests = if wrong { load.requests() } else { first };
    let mut sum = 0.0;
    for (at, tier) in tiers.iter().enumerate() {
        let patience = load.patience(at);
        if patience.is_finite() {
            sum += load.rate() * requests[at] * patience.min(load.seconds) * PLANNED;
        }
        let Some(server) = tier.server.as_ref().filter(|server| server.queue.is_none()) else {
            continue;
        };
        let above = (load.offered() * requests[at] - capacity(server)).max(0.0);
        let time = if server.shed { patience.min(load.seconds) } else { load.seconds };
        // Where nobody gives up, the calls wait too.
        let each = if patience.is_finite() { REQUEST } else { REQUEST + CALL };
        sum += above * time * each;
        if patience.is_finite() {
            sum += above * patience.min(load.seconds) * CALL;
        }
    }
    sum
}

/// What stays when it is over, since production refers for ever to what a function has.
pub(super) fn left(load: &Load<'_>) -> f64 {
    let mut budgets: Vec<&str> = Vec::new();
    let mut breakers: Vec<&str> = Vec::new();
    let (mut functions, mut each) = (0.0, 0.0);
    for (at, tier) in load.topology.tiers.iter().enumerate() {
        let attribute = load.attribute(at);
        let sites = f64::from(tier.sites);
        functions += sites * FUNCTION;
        match &attribute.budget {
            Payer::Own => each += sites * budget(load.spec.own_budget.as_ref()),
            Payer::Named(name) if !budgets.contains(&name.as_str()) => {
                budgets.push(name);
                let known = load.spec.budgets.iter().find(|(of, _)| of == name);
                each += budget(known.map(|(_, spec)| spec));
            }
            Payer::None | Payer::Named(_) => {}
        }
        if let Some(name) = attribute.breaker.as_deref()
            && !breakers.contains(&name)
        {
            breakers.push(name);
            each += BREAKER;
        }
    }
    functions + f64::from(load.topology.clients.processes) * each
}

fn budget(spec: Option<&BudgetSpec>) -> f64 {
    if spec.is_some_and(BudgetSpec::counts_over_time) { BUDGET + COUNTS } else { BUDGET }
}
