//! How many calls and requests a scenario comes to with one policy, about.

use std::time::Duration;

use super::INSTANT;
use crate::{
    attribute::{Attribute, Payer},
    scenario::{PolicySpec, Tier, Topology},
};

/// Attempts of a call whose retries a budget pays: retries are few, in the long run.
const PAID: f64 = 1.2;

/// Attempts of a call that is repeated without end.
const ENDLESS: f64 = 1e18;

/// Clients, services and one of the policies.
pub(super) struct Load<'s> {
    pub(super) topology: &'s Topology,
    pub(super) spec: &'s PolicySpec,
    /// How long calls keep coming.
    pub(super) seconds: f64,
}

impl<'s> Load<'s> {
    pub(super) const fn new(
        topology: &'s Topology,
        spec: &'s PolicySpec,
        duration: Duration,
    ) -> Self {
        Self { topology, spec, seconds: duration.as_secs_f64() }
    }

    /// Whether callers would call without end in a single instant.
    pub(super) fn is_endless(topology: &Topology) -> bool {
        let clients = &topology.clients;
        let trip = fold(&topology.tiers, round_trip);
        clients.callers > 0 && clients.think.mean().as_secs_f64() + trip <= INSTANT
    }

    /// What calls of this tier are annotated with.
    pub(super) fn attribute(&self, tier: usize) -> &'s Attribute {
        let own = self.spec.tiers.iter().find(|(of, _)| *of == tier);
        own.map_or(&self.spec.attribute, |(_, attribute)| attribute)
    }

    /// After how long an attempt at this tier is given up at the latest, in seconds; infinite if never.
    pub(super) fn patience(&self, tier: usize) -> f64 {
        let attribute = self.attribute(tier);
        let timeout = self.topology.tiers[tier].timeout;
        let limits = [timeout, attribute.attempt_timeout, attribute.deadline];
        limits.iter().flatten().map(Duration::as_secs_f64).fold(f64::INFINITY, f64::min)
    }

    /// Calls by clients, about.
    pub(super) fn calls(&self) -> f64 {
        let clients = &self.topology.clients;
        let waves: f64 = clients.waves.iter().map(|wave| f64::from(wave.calls)).sum();
        let open = self.rate() * self.seconds + waves;
        if clients.callers == 0 {
            return open;
        }
        let trip = fold(&self.topology.tiers, round_trip).min(self.patience(0));
        let cycle = clients.think.mean().as_secs_f64() + trip;
        let each = (self.seconds / cycle.max(INSTANT)).max(1.0);
        open + f64::from(clients.processes) * f64::from(clients.callers) * each
    }

    /// Calls a second that come whatever becomes of earlier ones.
    pub(super) fn rate(&self) -> f64 {
        f64::from(self.topology.clients.processes) * self.topology.clients.rate
    }

    /// Calls a second where none is answered in time. Callers whom nothing ends wait for ever.
    pub(super) fn offered(&self) -> f64 {
        let clients = &self.topology.clients;
        let callers = f64::from(clients.processes) * f64::from(clients.callers);
        let cycle = clients.think.mean().as_secs_f64() + self.patience(0);
        self.rate() + callers / cycle.max(INSTANT)
    }

    /// The most that a call of one tier is repeated.
    pub(super) fn repeats(&self) -> f64 {
        (0..self.topology.tiers.len()).map(|tier| self.attempts(tier)).fold(1.0, f64::max)
    }

    /// Requests at each tier for one call of a client whose attempts fail.
    pub(super) fn requests(&self) -> Vec<f64> {
        self.visits(|tier| self.attempts(tier))
    }

    /// Requests at each tier for one call of a client whose attempts do not.
    pub(super) fn first_requests(&self) -> Vec<f64> {
        self.visits(|_| 1.0)
    }

    /// Attempts of a call of this tier: as many as it may make, but no more than there is time for.
    fn attempts(&self, tier: usize) -> f64 {
        let Attribute { policy, budget, deadline, .. } = self.attribute(tier);
        let most = policy.max_attempts().map_or(f64::INFINITY, f64::from);
        if *budget != Payer::None {
            return most.min(PAID);
        }
        let wait = policy.strategy().cap(&policy.steps(), 0).as_secs_f64();
        let step = wait + 2.0 * self.topology.tiers[tier].latency.mean().as_secs_f64();
        let time = deadline.map_or(self.seconds, |deadline| deadline.as_secs_f64());
        // What takes no time is not ended by the time.
        let fit = if step > INSTANT { 1.0 + time / step } else { f64::INFINITY };
        most.min(fit).min(ENDLESS)
    }

    fn visits(&self, attempts: impl Fn(usize) -> f64) -> Vec<f64> {
        let tiers = &self.topology.tiers;
        // Calls that may be repeated, and calls from within an attempt that keeps them from it.
        let mut free = vec![0.0; tiers.len()];
        let mut held = vec![0.0; tiers.len()];
        let mut requests = vec![0.0; tiers.len()];
        if let Some(first) = free.first_mut() {
            *first = 1.0;
        }
        // What a tier calls comes after it.
        for (at, tier) in tiers.iter().enumerate() {
            let repeated = free[at] * attempts(at);
            requests[at] = repeated + held[at];
            for edge in &tier.calls {
                let times = f64::from(edge.times);
                let alone = edge.apart || self.attribute(edge.tier).policy.is_independent();
                if alone || !self.attribute(at).policy.suppresses_inner() {
                    free[edge.tier] += repeated * times;
                } else {
                    held[edge.tier] += repeated * times;
                }
                let once = held[at] * times;
                let further = if alone { &mut free } else { &mut held };
                further[edge.tier] += once;
            }
        }
        requests
    }
}

/// A request's way there and back, with its service, in seconds.
pub(super) fn round_trip(tier: &Tier) -> f64 {
    let server = tier.server.as_ref().map_or(0.0, |server| server.service.mean().as_secs_f64());
    2.0 * tier.latency.mean().as_secs_f64() + server
}

/// A time of the first tier: its own and that of everything that it calls, what it calls at once counted once.
pub(super) fn fold(tiers: &[Tier], own: impl Fn(&Tier) -> f64) -> f64 {
    let mut figures = vec![0.0; tiers.len()];
    // What a tier calls comes after it.
    for (at, tier) in tiers.iter().enumerate().rev() {
        let called = tier.calls.iter().map(|edge| {
            let times = if edge.parallel { 1.0 } else { f64::from(edge.times) };
            times * figures[edge.tier]
        });
        figures[at] = own(tier) + called.sum::<f64>();
    }
    figures.first().copied().unwrap_or(0.0)
}
