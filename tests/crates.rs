//! Budgets answer to their names across crates, whichever of them declares and whichever names.

use std::sync::atomic::{AtomicU32, Ordering};

use declares::{Down, SHIPPING, bill, ship};
use stormless::{Budget, budget, budgets, retry, testing::isolated, verify, warnings};

budget! {
    static BILLING: Budget = Budget::new("crates.billing").burst(4).ratio(0.5);
}

#[retry(attempts = 2, backoff = "none", budget = "crates.shipping")]
async fn parcel(bodies: &AtomicU32) -> Result<(), Down> {
    bodies.fetch_add(1, Ordering::Relaxed);
    Err(Down)
}

#[retry(attempts = 2, backoff = "none", budget = BILLING)]
async fn invoice(bodies: &AtomicU32) -> Result<(), Down> {
    bodies.fetch_add(1, Ordering::Relaxed);
    Err(Down)
}

/// The bodies that this many calls come to.
async fn bodies_of(calls: u32, call: impl AsyncFn(&AtomicU32) -> Result<(), Down>) -> u32 {
    let bodies = AtomicU32::new(0);
    for _ in 0..calls {
        assert_eq!(call(&bodies).await, Err(Down));
    }
    bodies.into_inner()
}

#[tokio::test(start_paused = true)]
async fn a_name_here_means_the_budget_that_another_crate_declares() {
    isolated(async {
        assert_eq!(bodies_of(5, parcel).await, 5 + 3, "its burst is three, not the default ten");
        assert_eq!(SHIPPING.balance().to_string(), "0");
        assert_eq!(SHIPPING.stats().withdrawn, 3);
        assert_eq!(bodies_of(1, ship).await, 1, "the other crate's function pays from it too");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_name_in_another_crate_means_the_budget_that_is_declared_here() {
    isolated(async {
        assert_eq!(bodies_of(6, bill).await, 6 + 4, "its burst is four, not the default ten");
        assert_eq!(BILLING.balance().to_string(), "0");
        assert_eq!(BILLING.stats().withdrawn, 4);
        assert_eq!(bodies_of(1, invoice).await, 1, "the function here pays from it too");
    })
    .await;
}

#[test]
fn the_tables_and_the_verification_know_both_sides() {
    for (name, sites) in [
        ("crates.billing", ["crates::invoice", "declares::bill"]),
        ("crates.shipping", ["crates::parcel", "declares::ship"]),
    ] {
        let all = budgets();
        let row = all.get(name).expect("it is declared");
        assert!(!row.is_implicit(), "{name}");
        assert_eq!(row.sites(), sites);
    }
    assert_eq!(verify().expect("every name is declared"), []);
    assert_eq!(warnings(), []);
}
