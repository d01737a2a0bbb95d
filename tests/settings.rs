//! Settings that make no sense, as they show at run time.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, T, ms};
use stormless::{
    Budget, ConfigError, Note, Policy, StopReason, Warning, report, retry, testing::isolated,
    verify, warnings,
};

// R175, R177
#[test]
fn zero_attempts_do_not_exist() {
    let fault = Policy::new().attempts(0).check().expect_err("it counts the first call");
    assert_eq!(fault, ConfigError::ZeroAttempts);
    let text = "`attempts` is 0: it counts the first call, so the smallest value is 1";
    assert_eq!(fault.to_string(), text);
    assert_eq!(Policy::new().attempts(1).check(), Ok(()));
    assert_eq!(Policy::new().attempts(u32::MAX).check(), Ok(()));
}

// R175
#[test]
fn faults_of_a_policy_name_the_key_and_the_value() {
    let policy = Policy::new;
    for (faulty, text) in [
        (policy().factor(0.5), "`factor` is 0.5: it must be a finite number of at least 1"),
        (policy().factor(f64::NAN), "`factor` is NaN: it must be a finite number of at least 1"),
        (policy().base(ms(5_000)).max(ms(1_000)), "`base` (5s) is above `max` (1s)"),
        (
            policy().time_per_attempt(Duration::ZERO),
            "`time_per_attempt` is zero: leave it out if it is not wanted",
        ),
        (
            policy().max_retry_after(Duration::ZERO),
            "`max_retry_after` is zero: leave it out if it is not wanted",
        ),
    ] {
        assert_eq!(faulty.check().map_err(|fault| fault.to_string()), Err(text.to_owned()));
    }
}

// R175
#[test]
fn faults_of_a_budget_name_the_key_and_the_value() {
    for (faulty, text) in [
        (
            Budget::new("settings").burst(0),
            "`burst` is 0: a budget that holds no retry refuses every one; use the off switch for \
             that",
        ),
        (
            Budget::new("settings").ratio(-1.0),
            "`ratio` is -1: it must be a finite number of at least 0",
        ),
        (
            Budget::new("settings").min_samples(5),
            "`min_samples` is not a setting of this kind of budget",
        ),
        (
            Budget::sliding_window("settings").ratio(1.0),
            "`ratio` is 1: as a share of the attempts in a window it must be at least 0 and below 1",
        ),
        (
            Budget::sliding_window("settings").window(Duration::ZERO),
            "`window` is zero: leave it out if it is not wanted",
        ),
        (
            Budget::tokens("settings", 5, 6, 1),
            "`cost` (6) is above `capacity` (5): no retry could ever be paid for",
        ),
        (Budget::new(""), "the name is empty: give it the name of the dependency"),
    ] {
        assert_eq!(faulty.check().map_err(|fault| fault.to_string()), Err(text.to_owned()));
    }
}

// R079
#[test]
fn ratios_that_mean_nothing_are_refused() {
    for ratio in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1] {
        let fault = Budget::new("settings.bad").ratio(ratio).check().expect_err("no ratio");
        assert!(matches!(fault, ConfigError::Ratio(given) if given.to_bits() == ratio.to_bits()));
        assert!(fault.to_string().starts_with(&format!("`ratio` is {ratio}: ")), "{fault}");
        assert!(Budget::dynamic("settings.bad").ratio(ratio).declare().is_err());
    }
}

#[test]
fn the_first_fault_is_the_one_that_is_told() {
    let policy = Policy::new().attempts(0).factor(0.5).attempts(3);
    assert_eq!(policy.check(), Err(ConfigError::ZeroAttempts));
    let budget = Budget::new("settings").burst(0).ratio(-1.0).burst(10);
    assert_eq!(budget.check(), Err(ConfigError::ZeroCapacity("burst")));
}

struct Client {
    policy: Policy,
}

#[retry(budget = budget, attempts = 2, name = "paid-faultily")]
async fn pay_from(budget: &'static Budget, dependency: &Dependency) -> Answer {
    dependency.answer()
}

/// A budget that was never checked still limits, and what is wrong with it is told.
#[tokio::test(start_paused = true)]
async fn a_faulty_budget_is_told_of_once_and_still_limits() {
    isolated(async {
        let faulty = Budget::dynamic("settings.unchecked").burst(2).ratio(f64::NAN);
        let budget: &'static Budget = Box::leak(Box::new(faulty));
        let dead = Dependency::dead();
        for _ in 0..5 {
            assert_eq!(pay_from(budget, &dead).await, Err(T));
        }
        assert_eq!(dead.bodies(), 5 + 2);
        let texts: Vec<String> = warnings().iter().map(ToString::to_string).collect();
        let told = "the budget `settings.unchecked` that pays for `paid-faultily` is faulty: \
                    `ratio` is NaN: it must be a finite number of at least 0";
        assert_eq!(texts, [told]);
    })
    .await;
}

impl Client {
    #[retry(policy = self.policy, budget = none, name = "configured")]
    async fn call(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }
}

// R177
#[tokio::test(start_paused = true)]
async fn no_fault_of_a_policy_keeps_the_body_from_running() {
    for (policy, fault) in [
        (Policy::new().attempts(0), ConfigError::ZeroAttempts),
        (Policy::new().factor(0.0), ConfigError::Factor(0.0)),
        (
            Policy::new().base(ms(2)).max(ms(1)),
            ConfigError::BaseAboveMax { base: ms(2), max: ms(1) },
        ),
    ] {
        isolated(async {
            let client = Client { policy };
            assert_eq!(client.call(&Dependency::script([Ok(())])).await, Ok(()));
            assert_eq!(warnings(), []);
            for _ in 0..2 {
                let dead = Dependency::dead();
                let (result, calls) = report(client.call(&dead)).await;
                assert_eq!((result, dead.bodies()), (Err(T), 1));
                assert_eq!(calls[0].reason(), Some(StopReason::Disabled));
            }
            let warning = Warning::FaultyPolicy { site: "configured", fault };
            assert_eq!(warnings(), std::slice::from_ref(&warning), "once");
            assert_eq!(
                warning.to_string(),
                format!("`configured` runs without retries, because its policy is faulty: {fault}")
            );
            assert_eq!(verify(), Ok(vec![Note::Warning(warning)]));
        })
        .await;
    }
    let client = Client { policy: Policy::new().attempts(2) };
    let dead = Dependency::dead();
    assert_eq!((client.call(&dead).await, dead.bodies()), (Err(T), 2));
}

#[test]
fn a_policy_of_each_calls_own_is_shown_as_such() {
    let text = stormless::sites().to_string();
    let line = text.lines().find(|line| line.starts_with("configured ")).expect("it is linked");
    assert_eq!(line.split_whitespace().nth(1), Some("varies"), "{line}");
}
