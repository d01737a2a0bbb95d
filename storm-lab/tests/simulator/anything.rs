//! Whatever the topology and the policy.

use std::fmt::Write as _;

use proptest::{prelude::*, sample::select};
use storm_lab::outcome::Outcome;

use crate::{read, simulate};

/// When all calls have come; everything that follows from them is over long before a minute is.
const CALLS: u64 = 60;

fn time() -> impl Strategy<Value = &'static str> {
    select(vec![
        "\"0s\"",
        "\"3ms\"",
        "\"250ms\"",
        "{ exponential = \"20ms\" }",
        "{ uniform = [\"0s\", \"40ms\"] }",
        "{ normal = { mean = \"10ms\", deviation = \"10ms\" } }",
        "{ median = \"5ms\", p99 = \"100ms\" }",
    ])
}

fn server() -> impl Strategy<Value = String> {
    let queue = select(vec![None, Some(0), Some(3), Some(40)]);
    (1..5_u32, time(), queue, any::<bool>(), 1..4_u32).prop_map(
        |(workers, service, queue, shed, endpoints)| {
            let workers = workers * endpoints;
            let queue = queue.map_or_else(String::new, |most| format!(", queue = {}", most * endpoints));
            format!("server = {{ workers = {workers}, service = {service}{queue}, shed = {shed}, endpoints = {endpoints} }}\n")
        },
    )
}

/// One tier, with what it calls of those after it.
fn tier(at: usize, tiers: usize) -> impl Strategy<Value = String> {
    let edge = (any::<prop::sample::Index>(), 1..4_u32, any::<bool>(), any::<bool>());
    (
        prop::option::of(server()),
        select(vec!["", "timeout = \"100ms\"\n", "timeout = \"1s\"\n"]),
        time(),
        1..4_u32,
        edge,
    )
        .prop_map(move |(server, timeout, latency, sites, (callee, times, parallel, apart))| {
            let mut text = format!("[[tier]]\nname = \"t{at}\"\nsites = {sites}\nlatency = {latency}\n{timeout}");
            text.push_str(&server.unwrap_or_default());
            if at + 1 < tiers {
                // The next one at least, so that each has a caller.
                let _ = write!(text, "calls = [{{ tier = \"t{}\", times = {times}, parallel = {parallel}, apart = {apart} }}", at + 1);
                let other = at + 1 + callee.index(tiers - at - 1);
                if other != at + 1 {
                    let _ = write!(text, ", \"t{other}\"");
                }
                text.push_str("]\n");
            }
            text
        })
}

/// Faults of which none is for a kind of tier that not every one is.
fn fault(tiers: usize) -> impl Strategy<Value = String> {
    let kind = select(vec![
        "kind = \"loss\"\nshare = 0.3",
        "kind = \"loss\"\nresponse = 1.0",
        "kind = \"loss\"\nrequest = 0.5",
        "kind = \"stall\"",
        "kind = \"outage\"",
        "kind = \"outage\"\nstatus = 500\nafter = \"30ms\"\nshare = 0.5",
        "kind = \"outage\"\nstatus = 429\nretry_after = \"200ms\"",
        "kind = \"throttle\"\nlimit = 10\nretry_after = \"50ms\"",
        "kind = \"throttle\"\nlimit = 0",
    ]);
    (kind, 0..tiers, 0..4_000_u64, 1..3_000_u64).prop_map(|(kind, tier, at, length)| {
        format!("[[fault]]\ntier = \"t{tier}\"\n{kind}\nat = \"{at}ms\"\nfor = \"{length}ms\"\n")
    })
}

fn retry() -> impl Strategy<Value = String> {
    let backoff =
        select(vec!["full_jitter", "decorrelated_jitter", "fixed", "none", "exponential"]);
    let more = prop::sample::subsequence(
        vec![
            "idempotent",
            "breaker = \"b\"",
            "deadline = \"300ms\"",
            "attempt_timeout = \"80ms\"",
            "min_remaining = \"10ms\"",
            "inner = \"allow\"",
            "nested = \"independent\"",
        ],
        0..5,
    );
    let budget = select(vec!["", ", budget = none", ", budget = \"b\""]);
    (1..4_u32, backoff, more, budget).prop_map(|(attempts, backoff, more, budget)| {
        let waits = if backoff == "none" { "" } else { ", base = \"5ms\", max = \"500ms\"" };
        let more: String = more.iter().flat_map(|one| [", ", one]).collect();
        format!("attempts = {attempts}, backoff = \"{backoff}\"{waits}{budget}{more}")
    })
}

fn world() -> impl Strategy<Value = String> {
    (1..4_usize).prop_flat_map(|tiers| {
        let each: Vec<_> = (0..tiers).map(|at| tier(at, tiers).boxed()).collect();
        let faults = prop::collection::vec(fault(tiers), 0..4);
        let hints = select(vec!["honoured", "slept", "ignored"]);
        (each, faults, retry(), hints, 1..4_u32).prop_map(|(tiers, faults, retry, hints, processes)| {
            let budget = if retry.contains("budget = \"b\"") { "budgets.b = { burst = 5, ratio = 0.1 }\n" } else { "" };
            format!(
                "duration = \"60s\"\n[clients]\nprocesses = {processes}\nwave = {{ calls = {CALLS}, within = \"4s\" }}\n{}{}\
                 [[policy]]\nname = \"tried\"\nretry = '{retry}'\nhints = \"{hints}\"\n{budget}",
                tiers.concat(),
                faults.concat(),
            )
        })
    })
}

/// What comes in goes out.
fn adds_up(text: &str, outcome: &Outcome) {
    assert_eq!(outcome.calls, CALLS, "{text}");
    assert_eq!(outcome.latency_all.len(), CALLS, "each call ends once: {text}");
    assert_eq!(outcome.latency.len(), outcome.succeeded, "{text}");
    assert!(outcome.succeeded <= CALLS && outcome.most_concurrent <= CALLS, "{text}");
    let sum = |series: &[u32]| series.iter().map(|count| u64::from(*count)).sum::<u64>();
    assert_eq!(sum(&outcome.series.calls), CALLS);
    assert_eq!(sum(&outcome.series.succeeded), outcome.succeeded);
    assert_eq!(outcome.tiers[0].calls, CALLS);
    let mut attempts = 0;
    for tier in &outcome.tiers {
        // A breaker or a deadline can refuse a first attempt; without them each call makes one at least.
        let refuses = text.contains("breaker") || text.contains("deadline");
        assert!(refuses || tier.attempts >= tier.calls, "{text}");
        assert!(tier.attempts <= tier.calls * 3, "{text}");
        assert!(tier.arrived <= tier.attempts && tier.served <= tier.arrived, "{text}");
        assert!(tier.wasted <= tier.served && (0.0..=1.0).contains(&tier.utilisation), "{text}");
        attempts += tier.attempts;
    }
    assert_eq!(sum(&outcome.series.attempts), attempts, "{text}");
}

/// One service that is asked once by each call, and clients that never give up.
fn patient() -> impl Strategy<Value = String> {
    let kind = select(vec![
        "kind = \"loss\"\nrequest = 0.5",
        "kind = \"stall\"",
        "kind = \"outage\"\nstatus = 500\nafter = \"30ms\"\nshare = 0.5",
        "kind = \"throttle\"\nlimit = 10",
        "kind = \"endpoints\"\ndown = 1",
        "kind = \"slow\"\nfactor = 7.5",
    ]);
    let fault = (kind, 0..4_000_u64, 1..3_000_u64).prop_map(|(kind, at, length)| {
        format!("[[fault]]\n{kind}\nat = \"{at}ms\"\nfor = \"{length}ms\"\n")
    });
    (server(), time(), prop::collection::vec(fault, 0..4)).prop_map(|(server, latency, faults)| {
        format!(
            "duration = \"60s\"\n[clients]\nwave = {{ calls = {CALLS}, within = \"4s\" }}\n[[tier]]\nname = \"t\"\n\
             latency = {latency}\n{server}{}[[policy]]\nname = \"tried\"\nretry = 'attempts = 1'\n",
            faults.concat(),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn calls_end_and_counts_add_up(text in world(), seed in any::<u64>()) {
        let scenario = read(&text);
        let outcome = simulate(&scenario, seed);
        adds_up(&text, &outcome);
        let again = simulate(&scenario, seed);
        prop_assert_eq!(again.series.attempts, outcome.series.attempts);
        prop_assert_eq!(again.events, outcome.events);
    }

    #[test]
    fn each_request_is_served_refused_or_lost(text in patient(), seed in any::<u64>()) {
        let outcome = simulate(&read(&text), seed);
        let tier = &outcome.tiers[0];
        prop_assert_eq!((outcome.calls, tier.attempts), (CALLS, CALLS));
        // What is refused is why a call stops; who never hears anything never does.
        let refused = outcome.stops.values().sum::<u64>();
        prop_assert_eq!(tier.arrived, tier.served + refused);
        prop_assert_eq!((outcome.succeeded, tier.wasted), (tier.served, 0));
        prop_assert!(text.contains("loss") || tier.arrived == CALLS);
    }
}
