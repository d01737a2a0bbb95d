//! How long a simulation will take, roughly.

use super::Job;
use crate::scenario::{Clients, Topology, Work};

/// What a policy without a limit counts as.
const UNLIMITED: u32 = 10;

/// The places of the jobs, those first that take longest: with the short ones last, all cores end at about the same
/// time. Jobs that cost the same stay in their order.
pub(super) fn longest_first(jobs: &[Job<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    let costs: Vec<f64> = jobs.iter().map(cost).collect();
    order.sort_by(|left, right| costs[*right].total_cmp(&costs[*left]));
    order
}

/// In requests, more or less.
fn cost(job: &Job<'_>) -> f64 {
    match &job.scenario.work {
        Work::Services(topology) => {
            let calls = calls(&topology.clients, job.scenario.duration.as_secs_f64());
            calls
                * requests(topology)
                * f64::from(job.policy.attribute.policy.max_attempts().unwrap_or(UNLIMITED))
        }
        // Each change makes all the others' void.
        Work::Row(contention) => f64::from(contention.clients).powi(2),
    }
}

fn calls(clients: &Clients, seconds: f64) -> f64 {
    let open = f64::from(clients.processes) * clients.rate * seconds;
    let waves: f64 = clients.waves.iter().map(|wave| f64::from(wave.calls)).sum();
    // A caller that waits for 10 ms at least.
    let closed = f64::from(clients.processes) * f64::from(clients.callers) * seconds
        / clients.think.mean().as_secs_f64().max(0.01);
    open + waves + closed
}

/// First attempts at all tiers for each call of a client.
fn requests(topology: &Topology) -> f64 {
    let mut each = vec![0.0; topology.tiers.len()];
    if let Some(first) = each.first_mut() {
        *first = 1.0;
    }
    // What a tier calls comes after it.
    for (at, tier) in topology.tiers.iter().enumerate() {
        let here = each[at];
        for edge in &tier.calls {
            if let Some(callee) = each.get_mut(edge.tier) {
                *callee += here * f64::from(edge.times);
            }
        }
    }
    each.iter().sum()
}
