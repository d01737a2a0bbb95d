//! Policies that would repeat a call without end in a single instant.

use super::{super::policies::Read, INSTANT};
use crate::scenario::Topology;

/// Reports policies that would repeat a call without end in a single instant.
pub(in crate::scenario::reader) fn endless(topology: &Topology, policies: &[Read<'_>]) {
    let quick = |at: usize| {
        topology.tiers.get(at).is_some_and(|tier| tier.latency.mean().as_secs_f64() < INSTANT)
    };
    for Read { spec, places } in policies {
        let named: Vec<usize> = spec.tiers.iter().map(|(tier, _)| *tier).collect();
        let others = (0..topology.tiers.len()).filter(|at| !named.contains(at)).any(quick);
        let of_tiers = spec.tiers.iter().map(|(tier, attribute)| (attribute, quick(*tier)));
        for ((attribute, quick), place) in
            std::iter::once((&spec.attribute, others)).chain(of_tiers).zip(places)
        {
            let policy = &attribute.policy;
            let waits = policy.strategy().cap(&policy.steps(), 0).as_secs_f64() > INSTANT;
            if quick && !waits && policy.max_attempts().is_none() {
                place.wrong(
                    "this repeats calls without end and without a wait, over a network that takes no time: write a \
                     `base`, a number of `attempts`, or `latency = …` in [[tier]]",
                );
            }
        }
    }
}
