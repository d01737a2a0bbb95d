//! One bucket for each key under a budget.
#![allow(clippy::float_cmp, reason = "units of a retry that a float holds exactly")]

#[path = "common/budgets.rs"]
mod budgets;

use std::sync::atomic::{AtomicUsize, Ordering};

use budgets::leak;
use proptest::prelude::*;
use retry_runtime::{Budget, Moment};

const NOW: Moment = Moment::from_nanos(0);

fn drain(budget: &Budget) -> usize {
    std::iter::from_fn(|| budget.withdraw(1, NOW)).count()
}

#[test]
fn keys_are_kept_apart_and_all_pay_the_budget_above() {
    let hosts = leak(Budget::new("hosts").burst(5));
    assert_eq!(drain(&hosts.keyed("one")), 5);
    assert_eq!(hosts.balance(), 0.0);
    // Another key is full, and what is above it is empty.
    assert_eq!(hosts.keyed("two").balance(), 5.0);
    assert_eq!(drain(&hosts.keyed("two")), 0);
    (0..10).for_each(|_| hosts.keyed("two").succeeded(None, NOW));
    assert_eq!((drain(&hosts.keyed("two")), drain(&hosts.keyed("one"))), (1, 0));
    assert_eq!(hosts.keys(), 2);
}

#[test]
fn any_hash_is_a_key_and_one_key_is_one_bucket() {
    let tenants = leak(Budget::new("tenants").burst(8));
    assert!(tenants.keyed(&(7_u32, "acme")).withdraw(3, NOW).is_some());
    assert_eq!(tenants.keyed(&(7_u32, "acme")).balance(), 5.0);
    let owned = String::from("host");
    assert!(tenants.keyed(owned.as_str()).withdraw(2, NOW).is_some());
    assert_eq!(tenants.keyed("host").balance(), 6.0);
    // A key of a key's bucket is that bucket.
    let host = tenants.keyed("host");
    assert_eq!((tenants.keys(), host.name()), (2, "tenants"));
}

#[test]
fn a_key_that_comes_to_a_full_table_starts_empty() {
    let hosts = leak(Budget::new("hosts").burst(5).max_keys(2));
    assert!(hosts.keyed("one").withdraw(1, NOW).is_some());
    assert!(hosts.keyed("two").withdraw(1, NOW).is_some());
    let three = hosts.keyed("three");
    assert_eq!((three.balance(), hosts.keys()), (0.0, 2));
    (0..10).for_each(|_| three.succeeded(None, NOW));
    assert_eq!(three.balance(), 1.0);
}

#[test]
fn a_bucket_in_use_never_goes_to_another_key() {
    let hosts = leak(Budget::new("hosts").burst(5).max_keys(3));
    let busy = hosts.keyed("busy");
    assert!(busy.withdraw(2, NOW).is_some());
    assert!(hosts.keyed("spent").withdraw(3, NOW).is_some());
    drop(hosts.keyed("full"));
    (0..10).for_each(|stranger| assert_eq!(hosts.keyed(&stranger).balance(), 0.0));
    assert_eq!((busy.balance(), hosts.keyed("busy").balance()), (3.0, 3.0));
    // The others went, and with them what they had left.
    assert_eq!((hosts.keyed("spent").balance(), hosts.keyed("full").balance()), (0.0, 0.0));
}

#[test]
fn what_was_not_used_for_long_makes_room_and_what_is_used_stays() {
    let hosts = leak(Budget::new("hosts").burst(1_000).max_keys(3));
    for host in ["often", "once", "twice"] {
        assert!(hosts.keyed(host).withdraw(1, NOW).is_some());
    }
    for stranger in 0..100 {
        drop(hosts.keyed("often"));
        drop(hosts.keyed(&stranger));
        let often = hosts.keyed("often").balance();
        assert_eq!(often, 999.0, "after {stranger} strangers");
    }
}

#[test]
fn while_every_bucket_is_in_use_new_keys_share_an_empty_one() {
    let hosts = leak(Budget::new("hosts").burst(5).max_keys(2));
    let _held = [hosts.keyed("one"), hosts.keyed("two")];
    let (three, four) = (hosts.keyed("three"), hosts.keyed("four"));
    assert_eq!((three.balance(), four.balance(), hosts.keys()), (0.0, 0.0, 2));
    (0..20).for_each(|_| three.succeeded(None, NOW));
    assert_eq!(four.balance(), 2.0);
}

#[cfg_attr(miri, ignore = "very many keys")]
#[test]
fn a_million_made_up_keys_take_no_room_and_bring_no_retries() {
    // A million in all.
    for most in [1, 2, 10, 1_024] {
        let hosts = leak(Budget::new("hosts").burst(10).max_keys(most));
        let granted: usize = (0..250_000).map(|key| drain(&hosts.keyed(&key))).sum();
        assert_eq!(granted, 10, "what the budget above holds");
        assert!(hosts.keys() <= usize::try_from(most).unwrap());
        // Whoever was there before is not worse off than with one budget for all.
        (0..100).for_each(|_| hosts.keyed("known").succeeded(None, NOW));
        assert_eq!(drain(&hosts.keyed("known")), 10);
    }
}

#[test]
fn budgets_that_are_no_buckets_keep_no_keys_apart() {
    for budget in [Budget::sliding_window("window"), Budget::envoy("envoy")] {
        let budget = leak(budget);
        assert!(std::ptr::eq(&raw const *budget.keyed("one"), budget));
        assert_eq!(budget.keys(), 0);
    }
    let grpc = leak(Budget::grpc_throttling("grpc", 10, 0.1));
    grpc.keyed("one").failed(&retry_runtime::Classification::transient(), None, NOW);
    assert_eq!((grpc.keyed("one").balance(), grpc.keyed("two").balance()), (4.0, 5.0));
    assert!(Budget::envoy("envoy").max_keys(5).check().is_err());
    assert!(Budget::new("none").max_keys(0).check().is_err());
}

#[cfg_attr(miri, ignore = "threads over many keys")]
#[test]
fn threads_that_share_a_small_table_never_get_more_than_the_budget_above_holds() {
    let hosts = leak(Budget::new("hosts").burst(50).ratio(0.0).max_keys(4));
    let granted = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let granted = &granted;
            scope.spawn(move || {
                for round in 0..5_000_u32 {
                    let bucket = hosts.keyed(&((thread * 31 + round) % 40));
                    if bucket.withdraw(1, NOW).is_some() {
                        granted.fetch_add(1, Ordering::Relaxed);
                    }
                    bucket.succeeded(None, NOW);
                }
            });
        }
    });
    assert!(granted.into_inner() <= 50);
    assert!(hosts.keys() <= 4);
}

proptest! {
    /// Whatever the keys do, what they spend together is what the budget above spent, and it never grants
    /// more than it holds and earns.
    #[test]
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    fn keys_together_never_exceed_the_budget_above(
        steps in prop::collection::vec((0..12_u8, 0..3_u8), 0..300),
        most in 1..6_u32,
    ) {
        let hosts = leak(Budget::new("hosts").burst(4).ratio(0.25).max_keys(most));
        let (mut granted, mut answered) = (0_u32, 0_u32);
        for (key, what) in steps {
            let bucket = hosts.keyed(&key);
            if what == 0 {
                bucket.succeeded(None, NOW);
                answered += 1;
            } else if bucket.withdraw(1, NOW).is_some() {
                granted += 1;
            }
            prop_assert!((0.0..=4.0).contains(&bucket.balance()));
            prop_assert!(f64::from(granted) <= 4.0 + 0.25 * f64::from(answered));
        }
        prop_assert_eq!(hosts.stats().spent(), u64::from(granted));
        prop_assert!(hosts.keys() <= usize::try_from(most).unwrap());
    }
}
