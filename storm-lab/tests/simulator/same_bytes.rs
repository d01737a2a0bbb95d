//! The same seed means the same bytes.

use std::num::NonZero;

use storm_lab::{
    output::{self, Finished},
    runner::{self, Job, Silent},
    scenario::{Scenario, builtin},
    sim::Watch,
};

use crate::read;

/// Chains, fan-outs, breakers, deadlines, hints, every fault, named budgets and budgets by time.
const MIXED: &str = r#"
duration = "12s"
seeds = "1-2"

[clients]
processes = 5
rate = 10.0
callers = 2
think = { exponential = "50ms" }
wave = { calls = 50, at = "6s", within = "20ms" }

[[tier]]
name = "gateway"
sites = 3
latency = { exponential = "1ms" }
calls = ["orders", { tier = "prices", times = 2, parallel = true }]

[[tier]]
name = "orders"
timeout = "200ms"
latency = "1ms"
server = { workers = 8, service = { median = "5ms", p99 = "50ms" }, queue = 48, endpoints = 4 }
calls = [{ tier = "stock", apart = true }]

[[tier]]
name = "prices"
timeout = "200ms"
server = { workers = 8, service = { exponential = "10ms" }, shed = true }

[[tier]]
name = "stock"
latency = { normal = { mean = "2ms", deviation = "1ms" } }
server = { workers = 8, service = { uniform = ["1ms", "9ms"] } }

[[fault]]
tier = "prices"
kind = "loss"
share = 0.1

[[fault]]
tier = "orders"
kind = "stall"
at = "4s"
for = "1s"

[[fault]]
tier = "orders"
kind = "endpoints"
down = 1
at = "6s"
for = "2s"

[[fault]]
tier = "stock"
kind = "throttle"
limit = 60
retry_after = "100ms"
at = "3s"
for = "6s"

[[fault]]
tier = "prices"
kind = "slow"
factor = 5
at = "8s"
for = "1s"

[[fault]]
tier = "stock"
kind = "outage"
share = 0.5
after = { exponential = "3ms" }
at = "9s"
for = "1s"

[[policy]]
name = "default"
retry = 'attempts = 3, idempotent'

[[policy]]
name = "breakers and deadlines"
retry = 'attempts = 4, backoff = "decorrelated_jitter", base = "5ms", nested = "independent", breaker = "all", deadline = "300ms", attempt_timeout = "100ms", idempotent'

[[policy]]
name = "named"
retry = 'attempts = 3, backoff = "equal_jitter", budget = "shared", nested = "independent", idempotent'
budgets.shared = { kind = "window", ratio = 0.2, window = "2s", min_samples = 5 }

[[policy]]
name = "by hand"
retry = 'attempts = 3, budget = "busy", deadline = "1s"'
hints = "slept"
budgets.busy = { kind = "finagle_per_request", ratio = 0.2, reserve = 2, window = "10s" }
"#;

fn scenarios() -> Vec<Scenario> {
    let mut blackout = builtin("L6").unwrap().scenario().unwrap();
    blackout.seeds.truncate(3);
    let mut row = builtin("L7").unwrap().scenario().unwrap();
    row.seeds.truncate(1);
    if let storm_lab::scenario::Work::Row(contention) = &mut row.work {
        contention.clients = 10;
    }
    vec![read(MIXED), blackout, row]
}

/// All scenarios' results as `run --json` would write them.
fn written(scenarios: &[Scenario], jobs: &[Job<'_>], threads: usize) -> Vec<String> {
    let results = runner::run(jobs, NonZero::new(threads).unwrap(), &Watch::default(), &Silent);
    let write = |scenario: &Scenario| {
        let mut results =
            results.iter().find(|results| results.scenario.name == scenario.name).unwrap().clone();
        assert!(results.complete, "{:?}", results.failures);
        // As declared, whatever the order of the jobs.
        let place = |name: &str| scenario.policies.iter().position(|policy| policy.name == name);
        results.outcomes.sort_by_key(|outcome| (place(&outcome.policy), outcome.seed));
        let mut bytes = Vec::new();
        output::json(&[&Finished::from(results)], &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    scenarios.iter().map(write).collect()
}

#[test]
fn one_thread_or_two_and_any_order_write_the_same_bytes() {
    let scenarios = scenarios();
    let jobs: Vec<Job<'_>> = scenarios.iter().flat_map(Job::all).collect();
    let once = written(&scenarios, &jobs, 1);
    // All of it happens: a scenario in which nothing does is the same anyway.
    for reason in
        ["budget_exhausted", "breaker_open", "deadline_exceeded", "attempts_exhausted", "nested"]
    {
        assert!(once[0].contains(reason), "{reason} never happened");
    }
    assert_eq!(
        written(&scenarios, &jobs, 2),
        once,
        "two threads, and the second time in this process"
    );
    let backwards: Vec<Job<'_>> = jobs.iter().rev().copied().collect();
    assert_eq!(written(&scenarios, &backwards, 2), once);
    assert_eq!(written(&scenarios, &backwards, 1), once);
}

#[test]
fn another_seed_writes_others() {
    let scenarios = scenarios();
    let seed = |seed| {
        let policy = &scenarios[0].policies[0];
        let job = Job { scenario: &scenarios[0], policy, seed };
        written(&scenarios[..1], &[job], 1).remove(0)
    };
    assert_eq!(seed(1), seed(1));
    assert_ne!(seed(1).replace("\"seed\":1", ""), seed(2).replace("\"seed\":2", ""));
}
