//! What the reader of the figures is told, and that it is true.

use storm_lab::outcome::Outcome;

use crate::{read, simulate};

/// Sixty calls of a gateway that calls a store which is dead, whose budgets have these bursts.
fn chain(gateway: u32, store: u32, nested: &str) -> Outcome {
    simulate(
        &read(&format!(
            "duration = \"20s\"\n[clients]\nwave = {{ calls = 60, at = \"1s\", within = \"9s\" }}\n\
             [[tier]]\nname = \"gateway\"\ncalls = [\"store\"]\n[[tier]]\nname = \"store\"\n\
             [[fault]]\ntier = \"store\"\nkind = \"outage\"\n\
             [budgets.gateway]\nburst = {gateway}\n[budgets.store]\nburst = {store}\n\
             [[policy]]\nname = \"tried\"\nretry = 'backoff = \"none\", attempts = 3, budget = \"gateway\"'\n\
             tiers.store = 'backoff = \"none\", attempts = 3, budget = \"store\"{nested}'\n"
        )),
        1,
    )
}

#[test]
fn a_budget_that_was_spent_to_the_last_retry_is_not_called_inactive() {
    let outcome = chain(5, 5, "");
    assert_eq!(outcome.tiers.iter().map(|tier| tier.granted).collect::<Vec<_>>(), [5, 5]);
    assert_eq!(outcome.notes, [""; 0]);
}

#[test]
fn a_budget_of_suppressed_calls_is_inactive_because_of_that() {
    let outcome = chain(5, 50, "");
    let [note] = outcome.notes.as_slice() else { panic!("{:?}", outcome.notes) };
    assert!(note.starts_with("budget `store` was inactive: "), "{note}");
    assert!(note.contains("within attempts of other calls"), "{note}");
    assert!(!note.contains("at the start"), "{note}");
}

#[test]
fn a_burst_that_nothing_could_use_up_is_named() {
    let outcome = chain(5, 5_000, ", nested = \"independent\"");
    let [note] = outcome.notes.as_slice() else { panic!("{:?}", outcome.notes) };
    assert!(note.starts_with("budget `store` was inactive: what 1 processes have"), "{note}");
    assert!(note.contains("5000 retries each"), "{note}");
}

#[test]
fn a_breaker_that_is_asked_again_within_its_own_call_is_named_once() {
    // Orders and mail are beside one another, and both call the store.
    let of = |orders: &str, mail: &str, store: &str| {
        let retry = "attempts = 1, budget = none";
        simulate(
            &read(&format!(
                "duration = \"5s\"\n[clients]\nrate = 10.0\n\
                 [[tier]]\nname = \"gateway\"\ncalls = [\"orders\", \"mail\"]\n\
                 [[tier]]\nname = \"orders\"\ncalls = [\"store\"]\n\
                 [[tier]]\nname = \"mail\"\ncalls = [\"store\"]\n[[tier]]\nname = \"store\"\n\
                 [[policy]]\nname = \"tried\"\nretry = '{retry}'\n\
                 tiers.orders = '{retry}, breaker = \"{orders}\"'\n\
                 tiers.mail = '{retry}, breaker = \"{mail}\"'\n\
                 tiers.store = '{retry}, breaker = \"{store}\"'\n"
            )),
            1,
        )
        .notes
    };
    let said = "breaker `dep` is asked by a call and by the calls inside its attempts: its probe would wait for itself";
    assert_eq!(of("dep", "other", "dep"), [said]);
    assert_eq!(of("dep", "dep", "dep"), [said]);
    assert_eq!(of("dep", "dep", "other"), [""; 0]);
}
