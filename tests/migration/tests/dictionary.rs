//! The defaults that `docs/migration/dictionary.md` says are ours.

use std::time::Duration;

use migration::ms;
use stormless::{Backoff, Breaker, Budget, Policy, breaker, budget};

breaker! { static BREAKER: Breaker = Breaker::new("migration.breaker"); }
budget! { static BUDGET: Budget = Budget::new("migration.budget"); }
budget! { static GRPC: Budget = Budget::grpc_throttling("migration.grpc", 10, 0.1); }
budget! { static AWS: Budget = Budget::aws_standard("migration.aws"); }

#[test]
fn a_policy() {
    let policy = Policy::new();
    assert_eq!(policy.max_attempts(), Some(3));
    assert!(matches!(policy.strategy(), Backoff::FullJitter));
    let steps = policy.steps();
    assert_eq!((steps.base(), steps.max()), (ms(50), Duration::from_secs(20)));
    assert!((steps.factor() - 2.0).abs() < 1e-9);
    assert_eq!(policy.longest_hint(), Duration::from_secs(20));
    assert_eq!(policy.max(ms(100)).longest_hint(), Duration::from_secs(5));
    assert!(!policy.is_idempotent());
}

#[test]
fn the_policy_of_the_aws_sdks() {
    let policy = Policy::aws_standard();
    assert_eq!(policy.max_attempts(), Some(3));
    assert_eq!(policy.steps_after(stormless::Kind::Transient).base(), ms(50));
    assert_eq!(policy.steps_after(stormless::Kind::Throttled).base(), ms(1_000));
    assert_eq!(policy.longest_delay(), Duration::from_secs(20));
}

#[test]
fn budgets() {
    let bound = BUDGET.bound();
    assert_eq!(bound.burst(), Some(10.0));
    assert!((bound.steady_share() - 0.1).abs() < 1e-9);
    // 500 tokens are 35 retries of 14 tokens each, after throttling 100 of 5.
    assert_eq!((AWS.check(), AWS.bound().burst()), (Ok(()), Some(100.0)));
    assert_eq!(GRPC.check(), Ok(()));
}

#[test]
fn a_breaker() {
    let settings = BREAKER.declared_settings();
    assert_eq!(settings.consecutive, Some(5));
    assert_eq!((settings.failure_rate, settings.slow_calls), (None, None));
    assert_eq!((settings.window, settings.min_calls), (Duration::from_secs(60), 20));
    assert_eq!((settings.open_for, settings.probes), (Duration::from_secs(30), 1));
    assert!((settings.growth - 1.0).abs() < 1e-9);
    assert_eq!(settings.max_open, None);
}
