//! The published algorithms: what they hold after scripted outcomes, by the numbers of their sources.
#![allow(clippy::float_cmp, reason = "units of a retry that a float holds exactly")]

use std::time::Duration;

use retry_runtime::{
    Budget, Classification, ConfigError, Kind, Moment, Policy, Uniform, Withdrawal,
};

const NOW: Moment = Moment::from_nanos(0);

/// How one attempt ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Ok,
    Transient,
    Throttled,
    Timeout,
    /// The server asked for no retry.
    Refused,
    /// An answer that is a failure, such as a 404.
    Missing,
    /// A failure of this process.
    Local,
}

use End::{Local, Missing, Ok as Good, Refused, Throttled, Timeout, Transient};

impl End {
    fn failure(self) -> Option<Classification> {
        Some(match self {
            Self::Ok => return None,
            Self::Transient => Classification::transient(),
            Self::Throttled => Classification::throttled(),
            Self::Timeout => Classification::timeout(),
            Self::Refused => Classification::throttled().do_not_retry(),
            Self::Missing => Classification::permanent().executed(),
            Self::Local => Classification::transient().local(),
        })
    }
}

/// One call of up to three attempts that end so; the number of attempts.
fn call(budget: &Budget, ends: &[End], now: Moment) -> usize {
    let mut paid: Option<Withdrawal> = None;
    budget.begin_call();
    for (attempt, end) in (1..).zip(ends) {
        let Some(failure) = end.failure() else {
            budget.succeeded(paid, now);
            budget.end_call(None);
            return attempt;
        };
        budget.failed(&failure, paid.take(), now);
        let last = attempt == ends.len() || matches!(end, Refused | Missing);
        if !last {
            paid = budget.withdraw_for(&failure, u32::try_from(attempt).unwrap(), now);
        }
        if paid.is_none() {
            budget.end_call(None);
            return attempt;
        }
    }
    unreachable!("every call ends in one of its attempts")
}

/// Each call, how many attempts it gets, and how many tokens there are afterwards, where a retry is
/// `retry` tokens.
fn assert_levels(budget: &Budget, retry: f64, script: &[(&[End], usize, f64)]) {
    for (place, (ends, attempts, tokens)) in script.iter().enumerate() {
        assert_eq!(call(budget, ends, NOW), *attempts, "attempts of call {place}: {ends:?}");
        let left = budget.balance() * retry;
        assert!((left - tokens).abs() < 1e-6, "{left} tokens after call {place}: {ends:?}");
    }
}

#[test]
fn aws_standard_has_500_tokens_14_for_a_retry_5_after_throttling() {
    let budget = Budget::aws_standard("aws");
    assert_eq!(budget.check(), Ok(()));
    assert_levels(
        &budget,
        14.0,
        &[
            (&[Good], 1, 500.0),
            (&[Transient, Transient, Transient], 3, 472.0),
            (&[Throttled, Throttled, Throttled], 3, 462.0),
            // What the last retry consumed comes back, and what those before it did does not.
            (&[Transient, Good], 2, 462.0),
            (&[Throttled, Good], 2, 462.0),
            (&[Transient, Throttled, Good], 3, 448.0),
            (&[Throttled, Timeout, Good], 3, 443.0),
            // Timeouts are like other transient errors.
            (&[Timeout, Timeout, Timeout], 3, 415.0),
            (&[Good], 1, 416.0),
            (&[Missing], 1, 416.0),
        ],
    );
}

#[test]
fn aws_standard_fails_fast_once_its_tokens_are_gone() {
    let budget = Budget::aws_standard("aws");
    let calls = (0..1_000).take_while(|_| call(&budget, &[Transient; 3], NOW) == 3).count();
    // 35 retries of 14 tokens; the last call gets one of its two.
    assert_eq!((calls, budget.stats().withdrawn), (17, 35));
    assert_levels(
        &budget,
        14.0,
        &[
            (&[Transient; 3], 1, 10.0),
            (&[Throttled; 3], 3, 0.0),
            (&[Throttled; 3], 1, 0.0),
            (&[Good], 1, 1.0),
        ],
    );
}

#[test]
fn aws_standard_begins_to_drain_at_the_published_shares_of_failures() {
    // "About 22 %" for transient failures and "about 32 %" for throttled ones, by three attempts of which
    // each fails with that chance: what a call costs on average, by what each course of it costs.
    for (end, keeps, drains) in [(Transient, 0.21, 0.22), (Throttled, 0.32, 0.33)] {
        let courses: [&[End]; 4] = [&[Good], &[end, Good], &[end, end, Good], &[end, end, end]];
        let changes = courses.map(|course| {
            let budget = Budget::aws_standard("aws");
            assert!(budget.withdraw(10, NOW).is_some());
            let before = budget.balance();
            call(&budget, course, NOW);
            (budget.balance() - before) * 14.0
        });
        let drift = |p: f64| {
            let weights = [1.0 - p, p * (1.0 - p), p * p * (1.0 - p), p * p * p];
            weights.iter().zip(changes).map(|(weight, change)| weight * change).sum::<f64>()
        };
        assert!(drift(keeps) > 0.0 && drift(drains) < 0.0, "{end:?}: {changes:?}");
    }
}

#[test]
fn aws_legacy_costs_5_and_after_a_timeout_10() {
    assert_levels(
        &Budget::aws_legacy("aws"),
        5.0,
        &[
            (&[Transient; 3], 3, 490.0),
            (&[Timeout; 3], 3, 470.0),
            (&[Throttled; 3], 3, 460.0),
            (&[Timeout, Good], 2, 460.0),
            (&[Timeout, Transient, Good], 3, 450.0),
            (&[Good], 1, 451.0),
        ],
    );
}

#[test]
fn aws_delays_start_at_50_ms_or_after_throttling_at_1_s_and_end_at_20_s() {
    const POLICY: Policy = Policy::aws_standard();
    assert_eq!((POLICY.check(), POLICY.max_attempts()), (Ok(()), Some(3)));
    let (transient, throttled) =
        (POLICY.steps_after(Kind::Transient), POLICY.steps_after(Kind::Throttled));
    assert_eq!(transient.base(), Duration::from_millis(50));
    assert_eq!(throttled.base(), Duration::from_secs(1));
    for steps in [transient, throttled] {
        assert_eq!(
            (steps.max(), steps.factor().to_bits()),
            (Duration::from_secs(20), 2_f64.to_bits())
        );
    }
    let above =
        Policy::new().max(Duration::from_millis(500)).throttled_base(Duration::from_secs(1));
    assert!(matches!(above.check(), Err(ConfigError::BaseAboveMax { .. })));
}

/// The tokens of a budget of gRPC, of which it only says how much is above half.
#[test]
fn grpc_retries_while_more_than_half_of_the_tokens_are_there() {
    let budget = Budget::grpc_throttling("grpc", 10, 0.1);
    assert_eq!(budget.check(), Ok(()));
    assert_levels(
        &budget,
        1.0,
        &[
            (&[Good], 1, 5.0),
            // 10 - 3 = 7 tokens, 2 above half.
            (&[Transient, Throttled, Timeout], 3, 2.0),
            // Neither what the request itself is to blame for nor this process's own.
            (&[Missing], 1, 2.0),
            (&[Local, Local], 2, 2.0),
            // 6 tokens: one retry; then 5, not more than half.
            (&[Transient, Transient, Transient], 2, 0.0),
            (&[Transient, Good], 1, 0.0),
            // A pushback takes one too: 3 tokens are left.
            (&[Refused], 1, 0.0),
        ],
    );
    // From 3 tokens to 5.0 it takes 20 successes, and one more for a failure to leave more than half...
    (0..20).for_each(|_| assert_eq!(call(&budget, &[Good], NOW), 1));
    assert_eq!(call(&budget, &[Transient, Good], NOW), 1);
    (0..20).for_each(|_| assert_eq!(call(&budget, &[Good], NOW), 1));
    assert_eq!(budget.balance().to_string(), "1");
    assert_eq!(call(&budget, &[Transient, Good], NOW), 1);
}

#[test]
fn grpc_never_counts_below_nothing_nor_above_its_tokens() {
    let budget = Budget::grpc_throttling("grpc", 4, 0.5);
    (0..100).for_each(|_| {
        call(&budget, &[Transient], NOW);
    });
    // From 0: 4 successes make 2, which is half; one more is above.
    (0..4).for_each(|_| assert_eq!(call(&budget, &[Good], NOW), 1));
    assert_eq!(budget.balance().to_string(), "0");
    (0..100).for_each(|_| assert_eq!(call(&budget, &[Good], NOW), 1));
    assert_eq!(budget.balance().to_string(), "2");
}

#[test]
fn grpc_counts_three_decimals_of_the_ratio() {
    for (ratio, thousandths) in
        [(0.1, 100.0), (0.5466, 546.0), (0.29, 290.0), (0.0019, 1.0), (2.5, 2_500.0)]
    {
        let budget = Budget::grpc_throttling("grpc", 1_000, ratio);
        (0..100).for_each(|_| {
            call(&budget, &[Transient], NOW);
        });
        call(&budget, &[Good], NOW);
        let earned = budget.balance() - 400.0;
        assert!((earned - thousandths / 1_000.0).abs() < 1e-9, "{ratio} earned {earned}");
    }
    for (max_tokens, ratio) in [(0, 0.1), (1_001, 0.1), (10, 0.0), (10, 0.000_9), (10, f64::NAN)] {
        assert!(Budget::grpc_throttling("grpc", max_tokens, ratio).check().is_err());
    }
}

#[cfg_attr(miri, ignore = "hundreds of retries")]
#[test]
fn finagle_keeps_100_in_reserve_and_a_fifth_of_a_retry_for_each_deposit() {
    let per_request = Budget::finagle_per_request("finagle");
    let per_success = Budget::finagle_per_success("finagle");
    let drain =
        |budget: &Budget, now| (0..1_000).take_while(|_| budget.withdraw(1, now).is_some()).count();
    for budget in [&per_request, &per_success] {
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(drain(budget, NOW), 100);
        assert!(budget.withdraw(1, NOW.after(Duration::from_secs(9))).is_none());
        // What was taken expires like deposits: 10 a second, in the long run.
        assert_eq!(drain(budget, NOW.after(Duration::from_secs(10))), 100);
    }
    let later = NOW.after(Duration::from_secs(100));
    drain(&per_request, later);
    drain(&per_success, later);
    // Failed requests deposit too, each once whatever its retries; to the other filter only successes do.
    for budget in [&per_request, &per_success] {
        (0..50).for_each(|_| {
            call(budget, &[Transient], later);
        });
    }
    assert_eq!((drain(&per_request, later), drain(&per_success, later)), (10, 0));
    for budget in [&per_request, &per_success] {
        (0..50).for_each(|_| {
            call(budget, &[Good], later);
        });
        assert_eq!(drain(budget, later), 10);
        // Deposits are gone after ten seconds.
        (0..50).for_each(|_| {
            call(budget, &[Good], later);
        });
        let after = later.after(Duration::from_secs(10));
        assert_eq!(drain(budget, after), 100);
    }
}

#[test]
fn finagle_lets_one_request_take_a_fifth_of_the_balance_rounded_up() {
    // ceil(0.2 · 100) of the reserve alone.
    let budget = Budget::finagle_per_success("finagle");
    let failure = Classification::transient();
    let granted =
        (1..=1_000).take_while(|retry| budget.withdraw_for(&failure, *retry, NOW).is_some());
    assert_eq!(granted.count(), 20);
    // ceil(0.2 · 80), and so on; one at least while there is any.
    let granted =
        (1..=1_000).take_while(|retry| budget.withdraw_for(&failure, *retry, NOW).is_some());
    assert_eq!(granted.count(), 16);
}

#[test]
fn envoy_lets_a_fifth_of_the_calls_retry_but_always_three() {
    let budget = Budget::envoy("envoy");
    assert_eq!(budget.check(), Ok(()));
    let mut paid = Vec::new();
    let fill = |budget: &Budget, paid: &mut Vec<_>| {
        paid.extend(std::iter::from_fn(|| budget.withdraw(1, NOW)));
        paid.len()
    };
    assert_eq!(fill(&budget, &mut paid), 3);
    (0..19).for_each(|_| budget.begin_call());
    assert_eq!(fill(&budget, &mut paid), 3);
    budget.begin_call();
    assert_eq!(fill(&budget, &mut paid), 4);
    (0..80).for_each(|_| budget.begin_call());
    assert_eq!(fill(&budget, &mut paid), 20);
    // A retry that ends makes room, however it ends.
    let (one, two, three) = (paid.pop(), paid.pop(), paid.pop().expect("20 were granted"));
    budget.succeeded(one, NOW);
    budget.failed(&Classification::transient(), two, NOW);
    budget.give_back(three);
    assert_eq!(fill(&budget, &mut paid), 20);
    // With fewer calls there are more retries than may begin; none is granted until enough have ended.
    (0..90).for_each(|_| budget.end_call(None));
    assert!(budget.withdraw(1, NOW).is_none());
    paid.drain(..17).for_each(|paid| budget.succeeded(Some(paid), NOW));
    assert_eq!(fill(&budget, &mut paid), 3);

    let other = Budget::envoy("envoy").ratio(0.5).min_concurrency(0);
    assert!(other.withdraw(1, NOW).is_none());
    (0..4).for_each(|_| other.begin_call());
    assert_eq!(other.balance().to_string(), "2");
    assert_eq!(Budget::envoy("envoy").ratio(1.5).check(), Err(ConfigError::Share(1.5)));
}

/// Always lands at so many hundredths of the range.
struct At(u64);

impl Uniform for At {
    fn up_to(&mut self, top: u64) -> u64 {
        self.0 * top / 100
    }
}

#[test]
fn the_sre_book_sheds_by_requests_and_accepts_of_two_minutes() {
    let chance = |requests: u32, accepts: u32| {
        let budget = Budget::sre_throttling("sre");
        (0..accepts).for_each(|_| budget.succeeded(None, NOW));
        let refused = Classification::throttled();
        (accepts..requests).for_each(|_| budget.failed(&refused, None, NOW));
        budget.shed_chance(NOW)
    };
    for (requests, accepts) in
        [(0, 0), (1, 0), (10, 10), (10, 5), (10, 4), (100, 0), (100, 40), (100, 50)]
    {
        let (r, a) = (f64::from(requests), f64::from(accepts));
        let want = ((r - 2.0 * a) / (r + 1.0)).max(0.0);
        let given = chance(requests, accepts);
        assert!((given - want).abs() < 1e-12, "{requests} {accepts}: {given} and not {want}");
    }
}

#[test]
fn what_is_shed_is_a_request_and_two_minutes_later_forgotten() {
    let budget = Budget::sre_throttling("sre");
    assert!(budget.may_shed() && !Budget::new("plain").may_shed());
    (0..99).for_each(|_| budget.failed(&Classification::transient(), None, NOW));
    // 99 of 100.
    assert!(budget.sheds(NOW, &mut At(98)));
    // 100 of 101 by now: it is not the draw at the top that is shed.
    assert!(!budget.sheds(NOW, &mut At(100)));
    assert!((budget.shed_chance(NOW) - 100.0 / 101.0).abs() < 1e-12);
    // This process's own failures say nothing, answers and conflicts are accepted.
    budget.failed(&Classification::transient().local(), None, NOW);
    budget.failed(&Classification::cancelled(), None, NOW);
    assert!((budget.shed_chance(NOW) - 100.0 / 101.0).abs() < 1e-12);
    budget.failed(&Classification::permanent().executed(), None, NOW);
    budget.failed(&Classification::conflict(), None, NOW);
    assert!((budget.shed_chance(NOW) - 98.0 / 103.0).abs() < 1e-12);
    assert_eq!(budget.stats().shed, 1);
    let observer = Budget::sre_throttling("sre").observe_only();
    (0..99).for_each(|_| observer.failed(&Classification::transient(), None, NOW));
    assert!(!observer.sheds(NOW, &mut At(0)));
    assert_eq!((observer.stats().shed, observer.stats().would_refuse), (0, 1));
    let later = NOW.after(Duration::from_secs(122));
    assert!(budget.shed_chance(later) == 0.0 && !budget.sheds(later, &mut At(0)));
    for multiplier in [0.5, 0.0, -2.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            Budget::new("shed").shed(multiplier).check(),
            Err(ConfigError::OutOfRange { .. })
        ));
    }
}

#[test]
fn the_two_of_the_articles_are_a_tenth_of_the_attempts_and_a_hundred_tokens() {
    let window = Budget::sliding_window("window");
    let granted = |budget: &Budget| (0..100).filter(|_| budget.withdraw(1, NOW).is_some()).count();
    (0..19).for_each(|_| window.failed(&Classification::transient(), None, NOW));
    assert_eq!(granted(&window), 19);
    let window = Budget::sliding_window("window");
    (0..100).for_each(|_| window.failed(&Classification::transient(), None, NOW));
    assert_eq!(granted(&window), 10);

    assert_levels(
        &Budget::tokens("tokens", 100, 10, 1),
        10.0,
        &[
            (&[Transient, Transient, Transient], 3, 80.0),
            (&[Throttled, Good], 2, 71.0),
            (&[Good], 1, 72.0),
            (&[Missing], 1, 73.0),
            (&[Timeout, Timeout, Timeout], 3, 53.0),
        ],
    );
}
