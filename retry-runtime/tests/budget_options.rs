//! What a budget may be told besides how much it holds.
#![allow(clippy::float_cmp, reason = "units of a retry that a float holds exactly")]

use std::time::Duration;

use retry_runtime::{Budget, Classification, ConfigError, Kind, Moment, Refund};

const NOW: Moment = Moment::from_nanos(0);
const SECOND: Duration = Duration::from_secs(1);
const FAILURE: Classification = Classification::transient();

fn drain(budget: &Budget, now: Moment) -> usize {
    std::iter::from_fn(|| budget.withdraw(1, now)).count()
}

/// The retries that one call gets.
fn retries(budget: &Budget) -> usize {
    (1..=1_000).take_while(|retry| budget.withdraw_for(&FAILURE, *retry, NOW).is_some()).count()
}

#[test]
fn one_call_takes_a_share_of_the_balance_rounded_up_and_one_retry_at_least() {
    for (burst, share, granted) in
        [(10, 0.2, 2), (10, 0.25, 3), (10, 1.0, 10), (3, 0.2, 1), (1, 0.01, 1), (100, 0.2, 20)]
    {
        let budget = Budget::new("share").burst(burst).per_call(share);
        assert_eq!(retries(&budget), granted, "{share} of {burst}");
    }
    // A budget is not drained by one call, but by many.
    let budget = Budget::new("share").burst(10).per_call(0.2);
    let calls: Vec<usize> = (0..8).map(|_| retries(&budget)).collect();
    assert_eq!(calls, [2, 2, 2, 1, 1, 1, 1, 0]);
}

#[test]
fn a_share_is_also_one_of_a_window_and_of_a_dearer_retry() {
    let window = Budget::sliding_window("share").ratio(0.5).min_samples(0).per_call(0.1);
    (0..100).for_each(|_| window.record_attempt(NOW));
    assert_eq!(retries(&window), 5);
    let dear = Budget::new("share").burst(10).cost_of(Kind::Transient, 2).per_call(0.3);
    assert_eq!(retries(&dear), 3);
    for share in [0.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
        let fault = Budget::new("share").per_call(share).check();
        assert!(matches!(fault, Err(ConfigError::CallShare(_))), "{share}");
    }
}

#[test]
fn a_floor_grants_its_rate_beside_the_balance_while_something_succeeds() {
    let budget = Budget::new("floor").burst(2).ratio(0.0).floor(3, 10 * SECOND);
    // Nothing has succeeded yet.
    assert_eq!(drain(&budget, NOW), 2);
    budget.succeeded(None, NOW);
    assert_eq!(drain(&budget, NOW), 3);
    for second in 1..=10 {
        assert_eq!(drain(&budget, NOW.after(second * SECOND)), 3, "in second {second}");
    }
    // The window without a success is over, and the next one begins with the next success.
    assert_eq!(drain(&budget, NOW.after(10 * SECOND + Duration::from_nanos(1))), 0);
    assert_eq!(drain(&budget, NOW.after(1000 * SECOND)), 0);
    budget.succeeded(None, NOW.after(1000 * SECOND));
    assert_eq!(drain(&budget, NOW.after(1001 * SECOND)), 3);
    assert_eq!(budget.stats().by_floor, 3 + 30 + 3);
}

#[test]
fn a_floor_is_spread_over_its_second() {
    let budget = Budget::new("floor").burst(1).ratio(0.0).floor(4, SECOND * 60);
    budget.succeeded(None, NOW);
    assert_eq!(drain(&budget, NOW), 5);
    let step = Duration::from_millis(250);
    for quarter in 1..=8 {
        assert_eq!(drain(&budget, NOW.after(step * quarter)), 1, "quarter {quarter}");
    }
    assert_eq!(drain(&budget, Moment::NEVER), 0);
}

#[test]
fn an_answer_keeps_a_floor_up_and_a_failure_does_not() {
    let budget = Budget::new("floor").burst(1).ratio(0.0).floor(1, SECOND);
    drain(&budget, NOW);
    budget.failed(&FAILURE, None, NOW);
    assert_eq!(drain(&budget, NOW), 0);
    budget.failed(&Classification::permanent().executed(), None, NOW);
    assert_eq!(drain(&budget, NOW), 1);
}

#[test]
fn what_a_floor_granted_is_not_given_back_to_the_balance() {
    let budget = Budget::new("floor").burst(1).ratio(0.0).floor(1, SECOND);
    budget.succeeded(None, NOW);
    let _spent = budget.withdraw(1, NOW).expect("the bucket is full");
    let by_floor = budget.withdraw(1, NOW).expect("something succeeded");
    budget.give_back(by_floor);
    assert_eq!((budget.balance().to_string(), drain(&budget, NOW)), ("0".to_owned(), 0));
    assert_eq!(
        Budget::new("floor").floor(0, SECOND).check(),
        Err(ConfigError::ZeroCapacity("floor"))
    );
    let never = Budget::new("floor").floor(1, Duration::ZERO).check();
    assert_eq!(never, Err(ConfigError::ZeroDuration("floor")));
}

#[test]
fn a_retry_that_succeeds_gets_its_cost_back_where_that_is_the_rule() {
    let dear = Classification::transient().cost(3);
    for (refund, left) in [(Refund::Nothing, 6.1), (Refund::LastCost, 9.0)] {
        let budget = Budget::new("refund").refund(refund);
        let first = budget.withdraw_for(&FAILURE, 1, NOW);
        budget.failed(&dear, first, NOW);
        let second = budget.withdraw_for(&dear, 2, NOW);
        budget.succeeded(second, NOW);
        assert!((budget.balance() - left).abs() < 1e-9, "{refund:?}: {}", budget.balance());
    }
    let window = Budget::sliding_window("refund").refund(Refund::LastCost).check();
    assert_eq!(window, Err(ConfigError::NotThisBudget("refund")));
}

#[test]
fn a_kind_has_its_price_unless_the_failure_names_one() {
    let budget =
        Budget::new("price").burst(20).cost_of(Kind::Throttled, 4).cost_of(Kind::Timeout, 2);
    let tokens = Budget::tokens("price", 200, 10, 1).cost_of(Kind::Throttled, 4);
    for (budget, failure, cost) in [
        (&budget, Classification::transient(), 1.0),
        (&budget, Classification::throttled(), 4.0),
        (&budget, Classification::throttled().cost(1), 1.0),
        (&budget, Classification::timeout(), 2.0),
        (&budget, Classification::conflict(), 1.0),
        (&tokens, Classification::throttled(), 0.4),
        (&tokens, Classification::throttled().cost(2), 2.0),
    ] {
        let paid = budget.withdraw_for(&failure, 1, NOW).expect("there is enough");
        assert!((20.0 - budget.balance() - cost).abs() < 1e-9, "{failure:?}: {}", budget.balance());
        budget.give_back(paid);
        assert!((20.0 - budget.balance()).abs() < 1e-9, "{failure:?} is not given back whole");
    }
    let window = Budget::sliding_window("price").cost_of(Kind::Throttled, 10);
    assert!(window.withdraw_for(&Classification::throttled(), 1, NOW).is_some());
    assert_eq!(window.balance().to_string(), "9");
}

#[test]
fn prices_that_mean_nothing_or_can_never_be_paid_are_refused() {
    for (budget, fault) in [
        (Budget::new("price").cost_of(Kind::Throttled, 0), ConfigError::ZeroCost),
        (Budget::new("price").cost_of(Kind::Permanent, 1), ConfigError::NeverRetried),
        (Budget::new("price").cost_of(Kind::Cancelled, 1), ConfigError::NeverRetried),
        (
            Budget::new("price").cost_of(Kind::Timeout, 11),
            ConfigError::CostAboveCapacity { cost: 11, capacity: 10 },
        ),
        (Budget::envoy("price").cost_of(Kind::Timeout, 1), ConfigError::NotThisBudget("cost_of")),
    ] {
        assert_eq!(budget.check(), Err(fault));
    }
}

#[test]
fn an_observer_refuses_nothing_and_counts_what_it_would() {
    let budget = Budget::new("observer").burst(2).observe_only();
    let granted = (0..7).filter(|_| budget.withdraw(1, NOW).is_some()).count();
    let stats = budget.stats();
    assert_eq!((granted, stats.withdrawn, stats.refused, stats.would_refuse), (7, 7, 0, 5));
    // It goes on as it would if it refused.
    (0..10).for_each(|_| budget.deposit());
    assert_eq!(budget.balance().to_string(), "1");
    assert_eq!(budget.bound().burst(), None);
    assert!(budget.bound().worst_amplification().is_infinite());
    assert!(budget.bound().to_string().starts_with("Nothing is refused"));
}

#[test]
fn settings_and_bounds_say_what_was_told() {
    static REGION: Budget = Budget::new("region");
    let budget = Budget::new("orders")
        .burst(20)
        .per_call(0.2)
        .floor(2, 30 * SECOND)
        .cost_of(Kind::Throttled, 2)
        .refund(Refund::LastCost)
        .parent(&REGION)
        .max_keys(7);
    assert_eq!(budget.check(), Ok(()));
    let bound = budget.bound().for_processes(2);
    assert_eq!(
        bound.to_string(),
        "At most 40 retries at once in 2 processes (20 each), then 0.1 of a retry for each answered \
         call, or its last retry back: retries never exceed 40 + 1 x answered calls. In the long run \
         that is at most 2 attempts per call, and while nothing is answered there are none once the \
         40 are spent. Besides, up to 4 retries a second in 2 processes (2 each) are always granted, \
         while anything succeeded within the last 30s. One call takes at most 20 % of the balance, or \
         one retry. Each retry is paid by `region` too. Not covered: first attempts, what an \
         enclosing call repeats beside its last failed call, calls with `budget = none`, processes \
         beyond these 2, and retries inside drivers."
    );
    assert_eq!((bound.per_second().to_string(), bound.retries(10)), ("4".to_owned(), None));
    let told = Budget::dynamic("told")
        .burst(20)
        .per_call(0.2)
        .floor(2, SECOND)
        .parent(&REGION)
        .max_keys(7);
    told.declare().expect("the first of its name");
    let error = Budget::dynamic("told").burst(20).declare().expect_err("other settings");
    assert!(
        error.to_string().contains(
            "`burst` 20 and `ratio` 0.1, `per_call` 0.2, `floor` 2 within 1s, `parent` region, `max_keys` 7"
        ),
        "{error}"
    );
}

#[test]
fn the_bounds_of_the_published_ones_are_counted_in_their_cheapest_retries() {
    let aws = Budget::aws_standard("aws").bound();
    assert_eq!(aws.burst().map(f64::round), Some(100.0));
    assert_eq!(aws.worst_amplification().to_string(), "2");
    let grpc = Budget::grpc_throttling("grpc", 10, 0.1).bound();
    assert_eq!(
        (grpc.burst(), grpc.worst_amplification().to_string()),
        (Some(4.0), "1.1".to_owned())
    );
    let finagle = Budget::finagle_per_request("finagle").bound();
    assert_eq!((finagle.burst(), finagle.exempt(), finagle.per_second()), (None, 100, 10.0));
    assert!(finagle.to_string().contains("100 + 0.2 x calls, answered or not"), "{finagle}");
    let envoy = Budget::envoy("envoy").bound();
    assert!(envoy.worst_amplification().is_infinite());
    assert!(envoy.to_string().contains("at most 20 % of the calls under way"), "{envoy}");
    let sre = Budget::sre_throttling("sre").bound().to_string();
    assert!(sre.contains("shed once there are more than 2 for each that is accepted"), "{sre}");
}

#[test]
fn a_fresh_copy_behaves_like_the_original_and_shares_nothing() {
    let budget = Budget::new("copied").burst(2).floor(1, SECOND).per_call(0.5).observe_only();
    budget.succeeded(None, NOW);
    drain_some(&budget, 5);
    let copy = budget.fresh_copy();
    assert_eq!(format!("{:?}", copy.bound()), format!("{:?}", budget.bound()));
    assert_eq!((copy.balance(), copy.stats().withdrawn), (2.0, 0));
    // Nothing has succeeded in it.
    drain_some(&copy, 5);
    assert_eq!((copy.stats().by_floor, copy.stats().would_refuse), (0, 3));
    assert_eq!((budget.stats().by_floor, budget.stats().would_refuse), (1, 2));
}

fn drain_some(budget: &Budget, retries: usize) {
    (0..retries).for_each(|_| assert!(budget.withdraw(1, NOW).is_some()));
}
