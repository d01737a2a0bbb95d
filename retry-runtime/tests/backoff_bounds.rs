//! Whatever the numbers: delays stay within bounds and nothing panics.
// Miri looks at memory and threads; this is arithmetic over very many values.
#![cfg(not(miri))]

#[path = "common/ends.rs"]
mod ends;

use std::time::Duration;

use ends::Ends;
use proptest::prelude::*;
use retry_runtime::{Backoff, Classification, DelayInput, Generator, Steps, Uniform};

const CENTURY: u64 = 100 * 365 * 86_400 * 1_000_000_000;

const ALL: [Backoff; 12] = [
    Backoff::FullJitter,
    Backoff::EqualJitter,
    Backoff::DecorrelatedJitter,
    Backoff::Exponential,
    Backoff::Linear,
    Backoff::Fibonacci,
    Backoff::Fixed,
    Backoff::None,
    Backoff::half_jitter(),
    Backoff::double_jitter(),
    Backoff::exponential_plus(Duration::from_millis(100)),
    Backoff::custom(|context| context.jitter(context.exponential())),
];

/// Strategies whose cap depends on the index alone and may not shrink with it.
const GROWING: [Backoff; 5] = [
    Backoff::Exponential,
    Backoff::FullJitter,
    Backoff::DecorrelatedJitter,
    Backoff::Linear,
    Backoff::Fibonacci,
];

/// One to a hundred years in nanoseconds, each order of magnitude as likely as the others.
fn up_to_a_century() -> impl Strategy<Value = u64> {
    (0_u32..62, any::<u64>()).prop_map(|(bits, word)| (word >> (63 - bits)).clamp(1, CENTURY))
}

fn base_and_max() -> impl Strategy<Value = (Duration, Duration)> {
    (up_to_a_century(), up_to_a_century())
        .prop_map(|(a, b)| (Duration::from_nanos(a.min(b)), Duration::from_nanos(a.max(b))))
}

/// Any index, small ones and the ends of words often.
fn index() -> impl Strategy<Value = u32> {
    prop_oneof![
        0_u32..200,
        any::<u32>(),
        (0_u32..32, 0_u32..3).prop_map(|(bit, near)| (1_u32 << bit).saturating_sub(1) + near),
        Just(u32::MAX)
    ]
}

fn delay(backoff: Backoff, steps: &Steps, retry: u32, random: &mut dyn Uniform) -> Duration {
    backoff.delay(&DelayInput::new(steps, retry, &Classification::transient()), random)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    // R011
    #[test]
    fn delays_lie_between_zero_and_the_cap_and_the_cap_below_the_maximum(
        (base, max) in base_and_max(),
        factor in prop::sample::select(&[1.0, 1.5, 2.0, 1e9]),
        retry in index(),
        seed in any::<u64>(),
    ) {
        let steps = Steps::new(base, max, factor);
        prop_assert_eq!(steps.check(), Ok(()));
        for backoff in ALL {
            let cap = backoff.cap(&steps, retry);
            prop_assert!(cap <= max, "{:?}", backoff);
            prop_assert!(delay(backoff, &steps, retry, &mut Ends::highest()) <= cap, "{:?}", backoff);
            let drawn = delay(backoff, &steps, retry, &mut Generator::seeded(seed, 0));
            let lowest = delay(backoff, &steps, retry, &mut Ends::lowest());
            prop_assert!(lowest <= drawn && drawn <= cap, "{:?}", backoff);
        }
    }

    // R011
    #[test]
    fn exponential_never_decreases_with_the_index(
        (base, max) in base_and_max(),
        factor in prop_oneof![
            prop::sample::select(&[1.0, 1.5, 2.0, 1e9]),
            1.0..1e9,
            // Next to 1, where rounding is coarser than the growth.
            (1_u32..1_000_000).prop_map(|ulps| 1.0 + f64::from(ulps) * f64::EPSILON),
        ],
        retry in index(),
        further in index(),
    ) {
        let steps = Steps::new(base, max, factor);
        let at = |retry| delay(Backoff::Exponential, &steps, retry, &mut Ends::lowest());
        prop_assert!(at(0) == base);
        prop_assert!(at(retry) <= at(retry.saturating_add(1)));
        prop_assert!(at(retry) <= at(retry.saturating_add(further)));
    }

    #[test]
    fn caps_never_decrease_with_the_index(
        (base, max) in base_and_max(),
        factor in 1.0..4.0,
        retry in index(),
    ) {
        let steps = Steps::new(base, max, factor);
        for backoff in GROWING {
            let later = backoff.cap(&steps, retry.saturating_add(1));
            prop_assert!(backoff.cap(&steps, retry) <= later, "{:?}", backoff);
        }
    }

    #[test]
    fn decorrelated_delays_stay_between_the_base_and_three_times_the_one_before(
        (base, max) in base_and_max(),
        seed in any::<u64>(),
    ) {
        let steps = Steps::new(base, max, 2.0);
        let failure = Classification::transient();
        let mut random = Generator::seeded(seed, 0);
        let mut previous = base;
        for retry in 0..20 {
            let input = DelayInput::new(&steps, retry, &failure).previous(Some(previous));
            let delay = Backoff::DecorrelatedJitter.delay(&input, &mut random);
            prop_assert!(base <= delay && delay <= max);
            prop_assert!(delay <= previous * 3);
            prop_assert!(delay <= Backoff::DecorrelatedJitter.cap(&steps, retry));
            previous = delay;
        }
    }
}

#[test]
fn a_base_of_zero_stays_zero_where_nothing_is_added() {
    let steps = Steps::new(Duration::ZERO, Duration::from_secs(1), 2.0);
    for backoff in ALL {
        for retry in [0, 1, 63, 64, u32::MAX] {
            let longest = delay(backoff, &steps, retry, &mut Ends::highest());
            let added = match backoff {
                Backoff::ExponentialPlus { jitter } => jitter,
                _ => Duration::ZERO,
            };
            assert_eq!(longest, added, "{backoff:?}, retry {retry}");
        }
    }
}

#[test]
fn numbers_that_make_no_sense_never_panic_and_never_pass_the_maximum() {
    let durations = [
        Duration::ZERO,
        Duration::from_nanos(1),
        Duration::from_secs(1),
        Duration::from_nanos(u64::MAX),
        Duration::MAX,
    ];
    let factors = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -2.0,
        -0.0,
        f64::MIN_POSITIVE,
        0.5,
        1.0 + f64::EPSILON,
        1e308,
        f64::MAX,
    ];
    let hostile = [-1.0, 0.0, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]
        .map(|fraction| Backoff::AdditiveJitter { fraction });
    let backoffs = ALL.into_iter().chain(hostile).chain([
        Backoff::exponential_plus(Duration::MAX),
        Backoff::custom(|_| Duration::MAX),
        Backoff::custom(|context| context.jitter(Duration::MAX)),
    ]);
    for backoff in backoffs {
        for (base, max) in durations.iter().flat_map(|b| durations.map(|m| (*b, m))) {
            for factor in factors {
                let steps = Steps::new(base, max, factor);
                for retry in [0, 1, 2, 62, 93, 94, 1 << 31, u32::MAX] {
                    let mut random = Generator::seeded(1, 0);
                    assert!(delay(backoff, &steps, retry, &mut random) <= max);
                    assert!(delay(backoff, &steps, retry, &mut Ends::highest()) <= max);
                    assert!(backoff.cap(&steps, retry) <= max);
                }
            }
        }
    }
}

#[test]
fn a_base_above_the_maximum_is_cut_to_it() {
    // R034
    let steps = Steps::new(Duration::from_secs(5), Duration::from_secs(1), 2.0);
    for backoff in [Backoff::Exponential, Backoff::Linear, Backoff::Fibonacci, Backoff::Fixed] {
        assert_eq!(delay(backoff, &steps, 0, &mut Ends::lowest()), Duration::from_secs(1));
    }
    let decorrelated = delay(Backoff::DecorrelatedJitter, &steps, 0, &mut Ends::highest());
    assert_eq!(decorrelated, Duration::from_secs(1));
}

#[test]
fn a_delay_before_that_was_longer_than_the_maximum_changes_nothing() {
    let steps = Steps::new(Duration::from_secs(1), Duration::from_secs(9), 2.0);
    let failure = Classification::transient();
    let input = DelayInput::new(&steps, 3, &failure).previous(Some(Duration::MAX));
    let longest = Backoff::DecorrelatedJitter.delay(&input, &mut Ends::highest());
    assert_eq!(longest, Duration::from_secs(9));
}

#[test]
fn a_source_that_overshoots_cannot_push_a_delay_past_its_range() {
    struct Overshooting;
    impl Uniform for Overshooting {
        fn up_to(&mut self, _: u64) -> u64 {
            u64::MAX
        }
    }
    let steps = Steps::new(Duration::from_millis(100), Duration::from_secs(60), 2.0);
    for backoff in ALL {
        let longest = delay(backoff, &steps, 1, &mut Ends::highest());
        assert_eq!(delay(backoff, &steps, 1, &mut Overshooting), longest, "{backoff:?}");
    }
}
