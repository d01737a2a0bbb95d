//! Policies that would repeat a call without end in a single instant.

use super::{super::policies::Read, INSTANT};
use crate::scenario::Topology;

/// The most attempts of a call in a single instant, in which nothing else can happen, not even an end.
const MOST: u32 = 1_000_000;

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
            if !quick || waits {
                continue;
            }
            let (often, remedy) = match policy.max_attempts() {
                None => ("without end".to_owned(), "a number of `attempts`"),
                Some(many) if many > MOST => (format!("{many} times"), "fewer `attempts`"),
                Some(_) => continue,
            };
            place.wrong(format!(
                "this repeats calls {often} and without a wait, over a network that takes no time: write a `base`, \
                 {remedy}, or `latency = …` in [[tier]]"
            ));
        }
    }
}
