//! What pays for retries: budgets of functions, of names, and of processes.

use storm_lab::outcome::Outcome;

use crate::{read, simulate};

/// Sixty calls of a gateway that calls a store which is dead; five retries in each budget.
fn chain(gateway: &str, store: &str, budgets: &str) -> Outcome {
    simulate(
        &read(&format!(
            "duration = \"20s\"\n[clients]\nwave = {{ calls = 60, at = \"1s\", within = \"9s\" }}\n\
             [[tier]]\nname = \"gateway\"\ncalls = [\"store\"]\n[[tier]]\nname = \"store\"\n\
             [[fault]]\ntier = \"store\"\nkind = \"outage\"\n\
             [[policy]]\nname = \"tried\"\nretry = '{gateway}'\ntiers.store = '{store}'\n{budgets}\n"
        )),
        1,
    )
}

fn retries(outcome: &Outcome) -> [u64; 2] {
    [0, 1].map(|tier| outcome.tiers[tier].attempts - outcome.tiers[tier].calls)
}

const FIVE: &str = "{ burst = 5, ratio = 0.1 }";

#[test]
fn each_function_has_a_budget_of_its_own() {
    let retry = r#"backoff = "none", attempts = 3, nested = "independent""#;
    let outcome = chain(retry, retry, &format!("own_budget = {FIVE}"));
    assert_eq!(retries(&outcome), [5, 5]);
    assert_eq!(outcome.tiers.iter().map(|tier| tier.granted).collect::<Vec<_>>(), [5, 5]);
    assert_eq!(
        outcome.stops.get("budget_exhausted").copied().unwrap_or_default()
            + outcome.stops.get("attempts_exhausted").copied().unwrap_or_default(),
        60 + 65
    );
}

#[test]
fn a_name_is_one_budget_for_all_tiers_that_name_it() {
    let retry = r#"backoff = "none", attempts = 3, nested = "independent", budget = "shared""#;
    let outcome = chain(retry, retry, &format!("budgets.shared = {FIVE}"));
    assert_eq!(retries(&outcome).iter().sum::<u64>(), 5);
    assert_eq!(outcome.tiers[0].granted, 5);
}

#[test]
fn who_repeats_a_suppressed_call_pays_from_its_budget_too() {
    let outer = r#"backoff = "none", attempts = 3, budget = none"#;
    let outcome =
        chain(outer, r#"attempts = 3, budget = "store""#, &format!("budgets.store = {FIVE}"));
    assert_eq!(retries(&outcome), [5, 0], "the gateway repeats, and the store's budget pays");
    assert_eq!(outcome.tiers[1].attempts, 65);
    assert_eq!(outcome.tiers[1].granted, 5);
}

#[test]
fn each_site_of_each_process_has_its_own() {
    let sites = |budget: &str| {
        simulate(
            &read(&format!(
                "duration = \"20s\"\n[clients]\nprocesses = 3\nwave = {{ calls = 2_000, within = \"10s\" }}\n\
                 [[tier]]\nname = \"store\"\nsites = 4\n[[fault]]\nkind = \"outage\"\n\
                 [[policy]]\nname = \"tried\"\n{budget}\n"
            )),
            1,
        )
    };
    let own = sites(&format!("retry = 'backoff = \"none\", attempts = 3'\nown_budget = {FIVE}"));
    assert_eq!(retries_of_one(&own), 3 * 4 * 5);
    let named = sites(&format!(
        "retry = 'backoff = \"none\", attempts = 3, budget = \"store\"'\nbudgets.store = {FIVE}"
    ));
    assert_eq!(retries_of_one(&named), 3 * 5);
}

fn retries_of_one(outcome: &Outcome) -> u64 {
    assert_eq!(outcome.tiers[0].granted, outcome.tiers[0].attempts - outcome.calls);
    outcome.tiers[0].granted
}

#[test]
fn successes_earn_what_the_budget_says() {
    // Empty after its five, a hundred successes at 0.1 earn the five that it has room for, not ten.
    let outcome = simulate(
        &read(&format!(
            "duration = \"40s\"\n[clients]\nwave = [{{ calls = 60, at = \"1s\" }}, {{ calls = 100, at = \"10s\" }}, \
             {{ calls = 60, at = \"20s\" }}, {{ calls = 20, at = \"30s\" }}, {{ calls = 60, at = \"35s\" }}]\n\
             [[tier]]\nname = \"store\"\n\
             [[fault]]\nkind = \"outage\"\nfor = \"5s\"\n[[fault]]\nkind = \"outage\"\nat = \"15s\"\nfor = \"10s\"\n\
             [[fault]]\nkind = \"outage\"\nat = \"33s\"\n\
             [[policy]]\nname = \"tried\"\nretry = 'backoff = \"none\", attempts = 2'\nown_budget = {FIVE}\n"
        )),
        1,
    );
    // And twenty earn two.
    assert_eq!(retries_of_one(&outcome), 5 + 5 + 2);
    assert_eq!(outcome.succeeded, 120);
}

#[test]
fn what_tiers_share_is_counted_once() {
    let world = r#"
duration = "20s"
[clients]
rate = 10.0
[[tier]]
name = "a"
calls = ["b"]
[[tier]]
name = "b"
[[fault]]
tier = "b"
kind = "outage"
"#;
    let text = format!(
        "{world}\n[[policy]]\nname = \"tried\"\nretry = 'attempts = 3, budget = \"x\"'\nbudgets.x = {{ burst = 5 }}\n"
    );
    let outcome = crate::simulate(&crate::read(&text), 1);
    let granted: u64 = outcome.tiers.iter().map(|tier| tier.granted).sum();
    assert_eq!(granted, 5, "one budget with five retries");
}
