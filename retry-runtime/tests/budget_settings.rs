//! Settings that cannot be honoured, and what a budget says about itself.

use std::time::Duration;

use retry_runtime::{Budget, ConfigError, Moment, control};

// R079
#[test]
fn a_ratio_that_is_no_number_of_retries_is_refused() {
    for ratio in [f64::NAN, -0.1, f64::INFINITY, f64::NEG_INFINITY] {
        for budget in [Budget::new("ratio"), Budget::sliding_window("ratio")] {
            let fault = budget.ratio(ratio).check().expect_err("not a ratio");
            let ConfigError::Ratio(given) = fault else { panic!("another fault: {fault}") };
            assert_eq!(given.to_bits(), ratio.to_bits());
        }
    }
    assert_eq!(Budget::new("ratio").ratio(0.0).check(), Ok(()));
    assert_eq!(Budget::new("ratio").ratio(-0.0).check(), Ok(()));
}

#[test]
fn a_window_whose_share_is_no_limit_is_refused() {
    for ratio in [1.0, 1.5, 0.999_999_999_9] {
        let fault = Budget::sliding_window("share").ratio(ratio).check();
        assert_eq!(fault, Err(ConfigError::Share(ratio)));
    }
    assert_eq!(Budget::sliding_window("share").ratio(0.99).check(), Ok(()));
    assert_eq!(Budget::new("a retry and a half for each answer").ratio(1.5).check(), Ok(()));
}

// R177
#[test]
fn zeros_that_would_mean_nothing_or_no_limit_are_refused() {
    let zeros = [
        (Budget::new("zero").burst(0), ConfigError::ZeroCapacity("burst")),
        (Budget::tokens("zero", 0, 1, 1), ConfigError::ZeroCapacity("capacity")),
        (Budget::tokens("zero", 10, 0, 1), ConfigError::ZeroCost),
        (
            Budget::tokens("zero", 10, 11, 1),
            ConfigError::CostAboveCapacity { cost: 11, capacity: 10 },
        ),
        (
            Budget::sliding_window("zero").window(Duration::ZERO),
            ConfigError::ZeroDuration("window"),
        ),
        (Budget::new(""), ConfigError::EmptyName),
        (Budget::dynamic(""), ConfigError::EmptyName),
        (Budget::sliding_window(""), ConfigError::EmptyName),
    ];
    for (budget, fault) in zeros {
        assert_eq!(budget.check(), Err(fault), "{budget:?}");
    }
}

#[test]
fn settings_of_another_kind_of_budget_are_refused() {
    let minute = Duration::from_secs(60);
    let others = [
        (Budget::new("kind").window(minute), "window"),
        (Budget::new("kind").min_samples(5), "min_samples"),
        (Budget::sliding_window("kind").burst(5), "burst"),
        (Budget::tokens("kind", 100, 10, 1).burst(5), "burst"),
        (Budget::tokens("kind", 100, 10, 1).ratio(0.5), "ratio"),
    ];
    for (budget, setting) in others {
        assert_eq!(budget.check(), Err(ConfigError::NotThisBudget(setting)));
    }
}

#[test]
fn the_first_fault_is_the_one_that_is_remembered() {
    let budget = Budget::new("first").burst(0).ratio(-1.0).window(Duration::ZERO);
    assert_eq!(budget.check(), Err(ConfigError::ZeroCapacity("burst")));
    assert_eq!(budget.fresh_copy().check(), budget.check());
}

#[test]
fn a_faulty_budget_works_with_the_settings_that_it_had_before() {
    let budget = Budget::new("before").burst(3).burst(0).ratio(f64::NAN);
    let now = Moment::from_nanos(0);
    assert_eq!((0..100).filter(|_| budget.withdraw(1, now).is_some()).count(), 3);
    // Free tokens would be no limit at all.
    let free = Budget::tokens("before", 10, 0, 1);
    assert_eq!((0..100).filter(|_| free.withdraw(1, now).is_some()).count(), 10);
}

#[test]
#[should_panic(expected = "`ratio` must be a finite number of at least 0")]
fn what_const_evaluation_would_report_names_the_requirement() {
    let _faulty = Budget::new("const").ratio(f64::NAN).checked();
}

#[test]
fn the_bound_of_a_bucket_is_a_sentence_for_whoever_is_on_call() {
    let bound = Budget::new("orders").burst(20).ratio(0.05).bound();
    assert_eq!(
        bound.to_string(),
        "At most 20 retries at once, then 0.05 of a retry for each answered call: retries never \
         exceed 20 + 0.05 x answered calls. In the long run that is at most 1.05 attempts per \
         call, and while nothing is answered there are none once the 20 are spent. Not covered: \
         first attempts, what an enclosing call repeats beside its last failed call, calls with \
         `budget = none`, other processes, and retries inside drivers."
    );
    assert_eq!(
        bound.for_processes(50).to_string(),
        "At most 1000 retries at once in 50 processes (20 each), then 0.05 of a retry for each \
         answered call: retries never exceed 1000 + 0.05 x answered calls. In the long run that \
         is at most 1.05 attempts per call, and while nothing is answered there are none once the \
         1000 are spent. Not covered: first attempts, what an enclosing call repeats beside \
         its last failed call, calls with `budget = none`, processes beyond these 50, and retries inside drivers."
    );
}

#[test]
fn the_bound_of_a_window_says_that_it_goes_on_while_nothing_is_answered() {
    let bound = Budget::sliding_window("orders").bound();
    assert_eq!(
        bound.to_string(),
        "When one is granted, retries are at most 10 % of the attempts of the last 60s, answered or not, except that \
         up to 19 in that time are let through while there are fewer than 20 attempts. Where the \
         share applies that is at most 1.112 attempts per call, and the retries go on while \
         nothing is answered. Not covered: first attempts, what an enclosing call repeats \
         beside its last failed call, calls with `budget = none`, other processes, and retries inside drivers."
    );
    assert_eq!(
        bound.for_processes(3).to_string(),
        "When one is granted, retries are at most 10 % of the attempts of the last 60s, answered or not, except that \
         up to 57 in that time in 3 processes (19 each) are let through while there are fewer \
         than 20 attempts in a process. Where the share applies that is at most 1.112 attempts \
         per call, and the retries go on while nothing is answered. Not covered: first attempts, \
         what an enclosing call repeats beside its last failed call, calls with `budget = none`, \
         processes beyond these 3, and retries inside drivers."
    );
    let strict = Budget::sliding_window("orders").min_samples(0).ratio(0.2).bound().to_string();
    assert!(strict.starts_with(
        "When one is granted, retries are at most 20 % of the attempts of the last 60s, answered or not. Where"
    ));
}

#[test]
fn a_bound_is_also_numbers() {
    let bucket = Budget::tokens("numbers", 500, 14, 5).bound().for_processes(2);
    assert_eq!(bucket.burst().map(f64::floor), Some(71.0));
    assert_eq!((bucket.exempt(), bucket.window(), bucket.processes()), (0, None, 2));
    assert!((bucket.worst_amplification() - (1.0 + 5.0 / 14.0)).abs() < 1e-12);

    let window = Budget::sliding_window("numbers").ratio(0.2).bound().for_processes(0);
    assert_eq!((window.burst(), window.retries(9)), (None, None));
    assert_eq!((window.exempt(), window.window()), (19, Some(Duration::from_secs(60))));
    assert!((window.steady_share() - 0.25).abs() < 1e-12);
    // One call that fails for ever in a quiet process.
    assert_eq!(window.worst_amplification().to_string(), "20");
    let strict = Budget::sliding_window("numbers").ratio(0.2).min_samples(1).bound();
    assert!((strict.worst_amplification() - 1.25).abs() < 1e-12);
}

#[test]
fn the_debug_form_shows_what_one_looks_for() {
    let budget = Budget::dynamic("shown").declare().expect("it makes sense");
    control::budget("shown").expect("it is declared").off();
    let shown = format!("{budget:?}");
    assert!(shown.starts_with("Budget { name: \"shown\", settings: TokenBucket { burst: 10.0"));
    assert!(shown.contains("balance: 10.0, off: true, stats: BudgetStats { withdrawn: 0"));
}
