//! Calls within calls.

use crate::{ONCE, assert_took, ms, run, run_tiers, steps};

fn world(edge: &str, store: &str) -> String {
    format!(
        "duration = \"20s\"\n[clients]\nwave = {{ calls = 1, at = \"1s\" }}\n[[tier]]\nname = \"gateway\"\ncalls = [{edge}]\n\
         [[tier]]\nname = \"store\"\n{store}\n"
    )
}

const DEAD: &str = "[[fault]]\ntier = \"store\"\nkind = \"outage\"";
const THREE: &str = r#"backoff = "fixed", base = "10ms", attempts = 3, budget = none"#;

#[test]
fn within_an_attempt_nobody_retries_unless_it_says_so_or_knows_of_nothing() {
    let attempts = |edge: &str, retry: &str| {
        let outcome = run(&world(edge, DEAD), retry);
        (outcome.tiers[0].attempts, outcome.tiers[1].calls, outcome.tiers[1].attempts)
    };
    let independent = format!("{THREE}, nested = \"independent\"");
    assert_eq!(attempts("\"store\"", THREE), (3, 3, 3));
    assert_eq!(attempts("\"store\"", &independent), (3, 3, 9));
    assert_eq!(attempts("\"store\"", &format!("{THREE}, inner = \"allow\"")), (3, 3, 9));
    assert_eq!(attempts("{ tier = \"store\", apart = true }", THREE), (3, 3, 9));
}

#[test]
fn three_layers_multiply_only_where_they_are_independent() {
    let world = "duration = \"20s\"\n[clients]\nwave = { calls = 1 }\n[[tier]]\nname = \"a\"\ncalls = [\"b\"]\n\
        [[tier]]\nname = \"b\"\ncalls = [\"c\"]\n[[tier]]\nname = \"c\"\n[[fault]]\ntier = \"c\"\nkind = \"outage\"\n";
    assert_eq!(run(world, &format!("{THREE}, nested = \"independent\"")).tiers[2].attempts, 27);
    assert_eq!(run(world, THREE).tiers[2].attempts, 3);
}

#[test]
fn calls_follow_each_other_or_are_made_at_once() {
    let store = r#"server = { workers = 3, service = "1s" }"#;
    let edge = |parallel| format!("{{ tier = \"store\", times = 3, parallel = {parallel} }}");
    let outcome = run(&world(&edge(false), store), ONCE);
    assert_eq!(steps(&outcome.series.served), [200, 300, 400]);
    assert_took(&outcome, 3_000);
    let outcome = run(&world(&edge(true), store), ONCE);
    assert_eq!(steps(&outcome.series.served), [200, 200, 200]);
    assert_took(&outcome, 1_000);
    assert_eq!((outcome.succeeded, outcome.most_concurrent), (1, 1), "of clients' own calls");
}

#[test]
fn of_calls_that_are_made_at_once_the_first_failure_fails_all() {
    // One is served for a second; the others find no room, and that takes both ways over the network.
    let store = "latency = \"50ms\"\nserver = { workers = 1, service = \"1s\", queue = 0 }";
    let outcome = run(&world("{ tier = \"store\", times = 3, parallel = true }", store), ONCE);
    assert_took(&outcome, 100);
    let tier = &outcome.tiers[1];
    assert_eq!((tier.calls, tier.arrived, tier.served, tier.wasted), (3, 3, 1, 1));
    assert_eq!(outcome.succeeded, 0);
    // One after the other there is room, if one waits for the answer.
    assert_eq!(run(&world("{ tier = \"store\", times = 3 }", store), ONCE).succeeded, 1);
}

#[test]
fn calls_at_once_sleep_and_retry_side_by_side() {
    let store =
        "timeout = \"100ms\"\n[[fault]]\ntier = \"store\"\nkind = \"outage\"\nfor = \"1.05s\"";
    let outcome = run_tiers(
        &world("{ tier = \"store\", times = 4, parallel = true }", store),
        ONCE,
        &[("store", r#"backoff = "fixed", base = "100ms", attempts = 2, nested = "independent""#)],
    );
    assert_took(&outcome, 100);
    assert_eq!((outcome.succeeded, outcome.tiers[1].attempts), (1, 8));
    assert_eq!(steps(&outcome.series.retries), [110, 110, 110, 110]);
    assert_eq!(outcome.first_retry, Some(ms(1_100)));
}

#[test]
fn a_failure_ends_the_attempt_before_what_comes_after_it() {
    let world = "duration = \"20s\"\n[clients]\nwave = { calls = 1 }\n[[tier]]\nname = \"a\"\ncalls = [\"b\", \"c\"]\n\
        [[tier]]\nname = \"b\"\n[[tier]]\nname = \"c\"\n[[fault]]\ntier = \"b\"\nkind = \"outage\"\n";
    let outcome = run(world, ONCE);
    assert_eq!((outcome.tiers[1].attempts, outcome.tiers[2].attempts), (1, 0));
    let outcome = run(&world.replace("tier = \"b\"\nkind", "tier = \"c\"\nkind"), ONCE);
    assert_eq!((outcome.tiers[1].attempts, outcome.tiers[2].attempts), (1, 1));
    // What fails itself calls nobody.
    let outcome = run(&world.replace("tier = \"b\"\nkind", "tier = \"a\"\nkind"), ONCE);
    assert_eq!((outcome.tiers[1].attempts, outcome.succeeded), (0, 0));
}

#[test]
fn the_first_figures_are_about_the_tier_where_the_trouble_begins() {
    let shop = |calls: &str, first: &str| {
        let world = format!(
            "{first}duration = \"20s\"\n[clients]\nrate = 20.0\n[[tier]]\nname = \"shop\"\ncalls = [{calls}]\n\
             [[tier]]\nname = \"stock\"\nserver = {{ workers = 1, service = \"1ms\" }}\n\
             [[tier]]\nname = \"prices\"\nserver = {{ workers = 1, service = \"2ms\" }}\n\
             [[fault]]\ntier = \"stock\"\nkind = \"outage\"\nat = \"5s\"\nfor = \"5s\"\n"
        );
        run(&world, "backoff = \"none\", attempts = 3, budget = none, nested = \"independent\"")
    };
    for calls in ["\"stock\", \"prices\"", "\"prices\", \"stock\""] {
        let outcome = shop(calls, "");
        let watched = outcome.watched().unwrap();
        assert_eq!(watched.name, "stock", "{calls}");
        assert!(outcome.amplification() > 2.0, "{calls}: {}", outcome.amplification());
        let offered = outcome.series.offered.iter().map(|count| u64::from(*count)).sum::<u64>();
        assert_eq!(offered, watched.attempts, "{calls}");
        let served = outcome.series.served.iter().map(|count| u64::from(*count)).sum::<u64>();
        assert_eq!(served, watched.served, "{calls}");
    }
    let outcome = shop("\"stock\", \"prices\"", "watch = \"prices\"\n");
    assert_eq!(outcome.watched().unwrap().name, "prices");
    assert!(outcome.amplification() < 1.0, "{}", outcome.amplification());
}
