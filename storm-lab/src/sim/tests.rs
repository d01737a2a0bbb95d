//! What is left behind, and how much memory there is for it.

use retry_runtime::__private::seed_thread;

use super::{Watch, clock, engine, world::World};
use crate::scenario::{self, Scenario, Topology, Work};

/// Everything that can be given up: requests that are lost, held, shed and too late, and sleeps that a deadline, a
/// timeout or a sibling's failure cuts short.
fn storm(seconds: u64, stall: &str) -> Scenario {
    let text = format!(
        r#"
duration = "{seconds}s"

[clients]
processes = 4
rate = 10.0

[[tier]]
name = "gateway"
calls = {{ tier = "store", times = 3, parallel = true }}

[[tier]]
name = "store"
timeout = "200ms"
latency = "1ms"
server = {{ workers = 6, service = {{ exponential = "20ms" }}, queue = 40, shed = true }}

[[fault]]
tier = "store"
kind = "loss"
share = 0.2

[[fault]]
tier = "store"
kind = "stall"
at = "2s"
for = "{stall}"

[[policy]]
name = "all"
retry = 'attempts = 3, base = "10ms", max = "100ms", nested = "independent", budget = none, deadline = "2s", attempt_timeout = "150ms", idempotent'
"#
    );
    scenario::read("storm", &text).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// What there is when all calls have ended.
struct Left {
    most_concurrent: usize,
    /// Places for requests, and those that are taken.
    requests: (usize, usize),
    /// Of sleepers likewise.
    sleepers: (usize, usize),
    /// Idle workers, and requests that wait.
    server: (u32, usize),
    held: usize,
    /// In the last tier: arrived, served.
    counts: (u64, u64),
}

fn after(scenario: &Scenario) -> Left {
    super::install().expect("no other timer is in use");
    let Work::Services(topology) = &scenario.work else { panic!("services") };
    let topology: &Topology = topology;
    clock::reset();
    seed_thread(Some(1));
    let watch = Watch::default();
    let world = World::new(scenario, topology, &scenario.policies[0], 1, &watch);
    let ran = engine::run(scenario, &world, 1);
    seed_thread(None);
    let (events, most) = ran.expect("nobody stops it");
    let last = topology.tiers.len() - 1;
    let (requests, server, held) =
        (world.requests.borrow().places(), world.server(last), world.held());
    let stats = world.stats.replace(super::stats::Stats::new(scenario, topology));
    let outcome = stats.into_outcome(scenario, &world, 1, events, most);
    Left {
        most_concurrent: usize::try_from(most).unwrap(),
        requests,
        sleepers: clock::sleepers(),
        server,
        held,
        counts: (outcome.tiers[last].arrived, outcome.tiers[last].served),
    }
}

#[test]
fn nothing_is_left_behind_by_what_was_given_up() {
    let left = after(&storm(10, "1s"));
    assert!(left.counts.0 > left.counts.1, "some is shed or refused: {:?}", left.counts);
    assert_eq!(left.requests.1, 0, "of {} requests at once", left.requests.0);
    assert_eq!(left.sleepers.1, 0, "of {} sleepers at once", left.sleepers.0);
    assert_eq!((left.server, left.held), ((6, 0), 0), "all workers idle, and nobody waits");
}

#[test]
fn memory_grows_with_concurrent_calls_and_not_with_simulated_time() {
    let (short, long) = (after(&storm(5, "1s")), after(&storm(200, "1s")));
    assert!(long.counts.0 > 30 * short.counts.0, "{:?} {:?}", short.counts, long.counts);
    // The stall sets the measure in both: what comes in its second is in progress at once.
    assert!(long.most_concurrent <= short.most_concurrent * 5 / 4);
    assert!(
        long.requests.0 <= short.requests.0 * 5 / 4,
        "{:?} {:?}",
        short.requests,
        long.requests
    );
    assert!(
        long.sleepers.0 <= short.sleepers.0 * 5 / 4,
        "{:?} {:?}",
        short.sleepers,
        long.sleepers
    );
    // Without a stall, which holds what was given up: three requests for each call, and as many that are too late.
    let calm = after(&storm(100, "1ms"));
    assert!(
        calm.requests.0 <= calm.most_concurrent * 6,
        "{:?} {}",
        calm.requests,
        calm.most_concurrent
    );
}
