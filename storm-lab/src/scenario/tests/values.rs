use std::time::Duration;

use super::right;
use crate::{
    attribute::Payer,
    scenario::{Distribution, FaultKind, Hints, Topology, Wave, Window, Work},
};

const MS: Duration = Duration::from_millis(1);
const S: Duration = Duration::from_secs(1);

fn topology(changes: &[(&str, &str)]) -> Topology {
    match right(changes).work {
        Work::Services(topology) => topology,
        Work::Row(_) => panic!("no services"),
    }
}

fn fault(text: &str) -> (Window, FaultKind) {
    let mut topology = topology(&[
        ("kind = \"loss\"\nshare = 0.15", text),
        ("workers = 10", "workers = 10, endpoints = 5"),
    ]);
    let fault = topology.faults.remove(0);
    (fault.window, fault.kind)
}

#[test]
fn the_simple_scenario_is_read_with_its_defaults() {
    let scenario = right(&[]);
    assert_eq!((scenario.name.as_str(), scenario.title.as_str()), ("test", "Orders under loss"));
    assert_eq!(scenario.duration, 60 * S);
    assert_eq!(scenario.window, Window { from: Duration::ZERO, to: 60 * S });
    assert_eq!(scenario.seeds, [1, 2, 3]);
    assert_eq!(scenario.policies.len(), 2);
    let naive = &scenario.policies[0];
    assert_eq!(
        (&naive.attribute.budget, naive.attribute.policy.max_attempts()),
        (&Payer::None, Some(4))
    );
    assert!(naive.tiers.is_empty() && naive.budgets.is_empty() && naive.own_budget.is_none());
    assert_eq!(naive.hints, Hints::Honoured);
    assert_eq!(scenario.policies[1].attribute.budget, Payer::Own);

    let Work::Services(Topology { clients, tiers, faults, .. }) = scenario.work else {
        panic!("no services")
    };
    assert_eq!((clients.processes, clients.callers), (20, 0));
    assert!((clients.rate - 30.0).abs() < f64::EPSILON);
    let tier = &tiers[0];
    assert_eq!((tier.sites, tier.timeout, tier.latency), (1, Some(500 * MS), Distribution::ZERO));
    let server = tier.server.as_ref().unwrap();
    assert_eq!((server.workers, server.queue, server.shed, server.endpoints), (10, None, false, 1));
    assert_eq!(server.service, Distribution::Fixed(10 * MS));
    assert_eq!(faults[0].window, Window { from: Duration::ZERO, to: Window::NEVER });
}

#[test]
fn a_share_of_loss_is_exactly_that_share_half_of_it_on_the_way_there() {
    let (_, FaultKind::Loss { request, response }) = fault("kind = \"loss\"\nshare = 0.15") else {
        panic!("no loss")
    };
    assert!((request - 0.075).abs() < 1e-12);
    assert!((1.0 - (1.0 - request) * (1.0 - response) - 0.15).abs() < 1e-12);
    let (_, all) = fault("kind = \"loss\"\nshare = 1");
    assert_eq!(all, FaultKind::Loss { request: 0.5, response: 1.0 });
    let (_, one) = fault("kind = \"loss\"\nresponse = 0.25");
    assert_eq!(one, FaultKind::Loss { request: 0.0, response: 0.25 });
}

#[test]
fn every_kind_of_fault_is_read() {
    let (window, stall) = fault("kind = \"stall\"\nat = \"10s\"\nfor = \"2m\"\ntier = \"orders\"");
    assert_eq!((window, stall), (Window { from: 10 * S, to: 130 * S }, FaultKind::Stall));
    let outage =
        |status, after, retry_after, share| FaultKind::Outage { status, after, retry_after, share };
    assert_eq!(fault("kind = \"outage\"").1, outage(503, Distribution::ZERO, None, 1.0));
    assert_eq!(
        fault("kind = \"outage\"\nstatus = 429\nafter = { exponential = \"3ms\" }\nretry_after = \"30s\"\nshare = 0.5").1,
        outage(429, Distribution::Exponential(3 * MS), Some(30 * S), 0.5)
    );
    assert_eq!(fault("kind = \"slow\"\nfactor = 2").1, FaultKind::Slow { factor: 2.0 });
    assert_eq!(fault("kind = \"endpoints\"\ndown = 2").1, FaultKind::Endpoints { down: 2 });
    assert_eq!(
        fault("kind = \"throttle\"\nlimit = 100\nretry_after = \"1s\"").1,
        FaultKind::Throttle { limit: 100.0, retry_after: Some(S) }
    );
    let page = topology(&[
        (
            "service = \"10ms\" }",
            "service = \"10ms\" }\ncalls = { tier = \"page\", times = 9 }\n[[tier]]\nname = \"page\"",
        ),
        ("kind = \"loss\"\nshare = 0.15", "kind = \"page\"\ntier = \"page\"\nnumber = 9"),
    ]);
    assert_eq!(page.faults[0].kind, FaultKind::Page { number: 9 });
}

#[test]
fn every_kind_of_time_is_read() {
    let time = |text: &str| {
        let mut topology = topology(&[("\"10ms\"", text)]);
        topology.tiers.remove(0).server.unwrap().service
    };
    assert_eq!(time("\"1.5ms\""), Distribution::Fixed(Duration::from_micros(1_500)));
    assert_eq!(time("{ exponential = \"15ms\" }"), Distribution::Exponential(15 * MS));
    assert_eq!(time("{ uniform = [\"1ms\", \"2ms\"] }"), Distribution::Uniform(MS, 2 * MS));
    assert_eq!(
        time("{ normal = { mean = \"10ms\", deviation = \"2ms\" } }"),
        Distribution::Normal { mean: 10 * MS, deviation: 2 * MS }
    );
    assert_eq!(
        time("{ median = \"5ms\", p99 = \"40ms\" }"),
        Distribution::LogNormal { median: 5 * MS, p99: 40 * MS }
    );
}

#[test]
fn every_kind_of_client_is_read() {
    let clients = topology(&[(
        "rate = 30.0",
        "callers = 3\nthink = \"2s\"\n[[clients.wave]]\ncalls = 5\n[[clients.wave]]\nat = \"1s\"\ncalls = 7\nwithin = \"3ms\"",
    )])
    .clients;
    assert_eq!((clients.callers, clients.think), (3, Distribution::Fixed(2 * S)));
    assert_eq!(
        clients.waves,
        [
            Wave { at: Duration::ZERO, calls: 5, within: Duration::ZERO },
            Wave { at: S, calls: 7, within: 3 * MS }
        ]
    );
}

#[test]
fn seeds_are_a_number_a_list_or_a_range() {
    let seeds = |text: &str| right(&[("[clients]", &format!("seeds = {text}\n[clients]"))]).seeds;
    assert_eq!(seeds("4"), [1, 2, 3, 4]);
    assert_eq!(seeds("[7, 0x10]"), [7, 16]);
    // The same seeds, in whatever way they are written.
    assert_eq!(seeds("[0, 18446744073709551615]"), seeds("\"0, 18446744073709551615\""));
    assert_eq!(seeds("\"5-7\""), [5, 6, 7]);
}

#[test]
fn a_policy_has_its_tiers_budgets_and_backoff() {
    let scenario = right(&[
        ("[clients]", "[budgets.orders]\nburst = 3\n[budgets.shared]\nburst = 5\n[clients]"),
        ("budget = none", "budget = \"shared\""),
        (
            "retry = 'attempts = 4, idempotent'",
            "retry = 'budget = \"shared\"'\ntiers.orders = 'budget = \"orders\", attempts = 7'\nbackoff = \"double_jitter\"\n\
             hints = \"ignored\"\nbudgets.orders = { burst = 4, ratio = 0.5 }",
        ),
        // The shared one of that name would be used by nobody.
        ("[budgets.orders]\nburst = 3\n", ""),
    ]);
    let policy = &scenario.policies[1];
    assert_eq!(policy.tiers.len(), 1);
    let (tier, attribute) = &policy.tiers[0];
    assert_eq!((*tier, attribute.policy.max_attempts()), (0, Some(7)));
    for policy in [&policy.attribute.policy, &attribute.policy] {
        assert_eq!(policy.strategy().name(), retry_runtime::Backoff::double_jitter().name());
    }
    let balances: Vec<(&str, f64)> = policy
        .budgets
        .iter()
        .map(|(name, spec)| (name.as_str(), spec.build(name.clone()).balance()))
        .collect();
    assert_eq!(balances, [("shared", 5.0), ("orders", 4.0)]);
    assert_eq!(policy.hints, Hints::Ignored);
    let own = "retry = ''\nown_budget = { burst = 6 }";
    let scenario = right(&[("retry = 'attempts = 4, idempotent'", own)]);
    let own = scenario.policies[1].own_budget.as_ref().unwrap();
    assert!((own.build("own".into()).balance() - 6.0).abs() < f64::EPSILON);
}

#[test]
fn contention_is_read() {
    let text =
        "[contention]\nclients = 100\nlatency = \"1ms\"\n[[policy]]\nname = \"a\"\nretry = ''";
    let scenario = crate::scenario::read("row", text).unwrap();
    assert_eq!(scenario.duration, 600 * S);
    let Work::Row(row) = scenario.work else { panic!("services") };
    assert_eq!((row.clients, row.latency), (100, Distribution::Fixed(MS)));
}
