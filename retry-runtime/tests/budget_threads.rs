//! Budgets under many threads: nothing is lost, and no bound is exceeded.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use retry_runtime::{Budget, Moment};

// Miri is some hundred times slower, and sees what it sees in the first ones.
const THREADS: u64 = if cfg!(miri) { 3 } else { 8 };
const OPERATIONS: u64 = if cfg!(miri) { 200 } else { 100_000 };
const ROUNDS: u64 = if cfg!(miri) { 100 } else { 1_000 };
const NOW: Moment = Moment::from_nanos(0);

// R079
#[test]
fn tokens_are_conserved_under_threads() {
    // Starts half full, and 800,000 operations move it by 800,000 retries at most.
    let budget = Budget::new("conserved").burst(2_000_000).ratio(0.5);
    assert!(budget.withdraw(1_000_000, NOW).is_some());
    let balances = thread::scope(|scope| {
        let budget = &budget;
        let workers: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let mut balance = 0.0;
                    for operation in 0..OPERATIONS {
                        match (thread + operation) % 4 {
                            0 => {
                                budget.deposit();
                                balance += 0.5;
                            }
                            1 => {
                                let paid = budget.withdraw(1, NOW).expect("it never empties");
                                budget.give_back(paid);
                            }
                            _ => {
                                let _spent = budget.withdraw(1, NOW).expect("it never empties");
                                balance -= 1.0;
                            }
                        }
                    }
                    balance
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("no thread panics")).sum::<f64>()
    });
    let expected = 1_000_000.0 + balances;
    assert!((budget.balance() - expected).abs() < 1e-6, "{} of {expected}", budget.balance());
    let stats = budget.stats();
    assert_eq!(stats.withdrawn, 1 + THREADS * OPERATIONS * 3 / 4);
    assert_eq!(stats.given_back, THREADS * OPERATIONS / 4);
    assert_eq!(stats.refused, 0);
}

// R069
#[test]
fn concurrent_refusals_leave_a_drained_bucket_at_zero() {
    let budget = Budget::new("refused");
    assert!(budget.withdraw(10, NOW).is_some());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    assert!(budget.withdraw(1, NOW).is_none());
                    assert!(budget.balance() >= 0.0);
                }
            });
        }
    });
    (0..10).for_each(|_| budget.deposit());
    assert!(budget.withdraw(1, NOW).is_some());
    assert!(budget.withdraw(1, NOW).is_none());
    assert_eq!(budget.stats().refused, THREADS * ROUNDS + 1);
}

#[test]
fn a_bucket_keeps_its_bound_while_threads_race() {
    let budget = Budget::new("raced");
    let granted = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    budget.deposit();
                    let paid = (0..2).filter(|_| budget.withdraw(1, NOW).is_some()).count();
                    granted.fetch_add(paid as u64, Ordering::Relaxed);
                }
            });
        }
    });
    let granted = granted.into_inner();
    // A deposit into a full bucket is lost, so the exact number depends on the order.
    let earned = THREADS * ROUNDS / 10;
    assert!((earned..=earned + 10).contains(&granted), "{granted} retries, {earned} earned");
}

#[test]
fn a_window_keeps_its_bound_while_threads_race_and_time_moves() {
    const ATTEMPTS: u64 = if cfg!(miri) { 50 } else { 500 };
    let budget = Budget::sliding_window("raced window").min_samples(0);
    let granted = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (budget, granted) = (&budget, &granted);
            scope.spawn(move || {
                for call in 0..ATTEMPTS {
                    // All within one window, over all its slots, each thread at its own pace.
                    let now = Moment::from_nanos((call * 118 + thread) * 1_000_000);
                    budget.record_attempt(now);
                    if let Some(paid) = budget.withdraw(1, now) {
                        if call % 7 == 0 {
                            budget.give_back(paid);
                        } else {
                            granted.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let granted = granted.into_inner();
    assert!(granted <= THREADS * ATTEMPTS / 10, "{granted} retries");
    // Nothing was left behind by those that lost a race.
    let end = Moment::from_nanos(59_900_000_000);
    let rest = (0..1000).take_while(|_| budget.withdraw(1, end).is_some()).count() as u64;
    assert_eq!(granted + rest, THREADS * ATTEMPTS / 10);
}

#[test]
fn threads_that_ask_for_an_id_at_once_get_the_same() {
    let budget = Budget::new("identified");
    let ids: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| budget.id())).collect();
        workers.into_iter().map(|worker| worker.join().expect("no thread panics")).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0] && *id != 0));
}
