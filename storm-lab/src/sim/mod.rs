//! The simulator: discrete events around production's own code.
//!
//! Each simulated call is the future of an annotated function: the state machine, budgets, breakers and context that
//! services run. Only the clock, the randomness and the network are simulated. One simulation runs on one thread.

mod arrivals;
mod client;
mod clock;
mod dice;
mod engine;
mod failure;
mod functions;
mod notes;
mod queue;
mod requests;
mod row;
mod server;
mod service;
mod stats;
mod throttle;
mod watch;
mod world;

#[cfg(test)]
mod tests;

pub use clock::install;
pub use watch::Watch;

use retry_runtime::__private::seed_thread;

use crate::{
    outcome::Outcome,
    scenario::{PolicySpec, Scenario, Work},
};

/// Simulates one policy with one seed; `None` if `watch` was told to stop.
///
/// The same arguments give the same outcome, in each process and beside any others.
///
/// # Panics
///
/// Where another timer than [that of simulations](install) is in use in this process.
pub fn simulate(
    scenario: &Scenario,
    policy: &PolicySpec,
    seed: u64,
    watch: &Watch,
) -> Option<Outcome> {
    install().expect("a process that simulates has no other timer");
    let of_row;
    let (topology, row) = match &scenario.work {
        Work::Services(topology) => (topology, None),
        Work::Row(contention) => {
            of_row = row::topology(contention);
            (&of_row, Some(row::Row::new(contention, seed)))
        }
    };
    clock::reset();
    seed_thread(Some(seed));
    let mut world = world::World::new(scenario, topology, policy, seed, watch);
    world.row = row;
    let ran = engine::run(scenario, &world, seed);
    seed_thread(None);
    let (events, most) = ran?;
    let stats =
        std::mem::replace(&mut *world.stats.borrow_mut(), stats::Stats::new(scenario, topology));
    Some(stats.into_outcome(scenario, &world, seed, events, most))
}
