//! The delays of a call, retry by retry.

#[path = "common/ends.rs"]
mod ends;

use std::time::Duration;

use ends::Ends;
use retry_runtime::{
    Backoff, BackoffContext, Classification, DelayInput, Generator, Kind, Steps, Uniform,
};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// The first delays of a call, each knowing the one before.
fn schedule(backoff: Backoff, steps: &Steps, len: u32, random: &mut dyn Uniform) -> Vec<Duration> {
    let failure = Classification::transient();
    let mut previous = None;
    (0..len)
        .map(|retry| {
            let input = DelayInput::new(steps, retry, &failure).previous(previous);
            let delay = backoff.delay(&input, random);
            previous = Some(delay);
            delay
        })
        .collect()
}

fn plain(backoff: Backoff, steps: &Steps, len: u32) -> Vec<Duration> {
    schedule(backoff, steps, len, &mut Ends::lowest())
}

#[cfg_attr(miri, ignore = "arithmetic over very many values")]
#[test]
fn two_thousand_attempts_saturate_at_the_maximum() {
    // R009
    let steps = Steps::new(secs(1), secs(20), 2.0);
    let delays = plain(Backoff::Exponential, &steps, 1_999);
    assert_eq!(delays[..5], [1, 2, 4, 8, 16].map(secs));
    assert!(delays[5..].iter().all(|delay| *delay == secs(20)));

    let jittered = schedule(Backoff::FullJitter, &steps, 1_999, &mut Generator::seeded(9, 0));
    assert!(jittered.iter().all(|delay| *delay <= secs(20)));
}

#[test]
fn exponents_at_word_widths_give_the_maximum() {
    // R013
    let steps = Steps::new(ms(1), secs(1), 2.0);
    let failure = Classification::transient();
    for retry in [31, 32, 63, 64, 65, 127, 128] {
        let input = DelayInput::new(&steps, retry, &failure);
        assert_eq!(Backoff::Exponential.delay(&input, &mut Ends::lowest()), secs(1), "{retry}");
    }
}

#[test]
fn a_hundred_retries_never_turn_into_a_hot_loop() {
    // R015
    let steps = Steps::new(ms(100), secs(10), 2.0);
    let delays = plain(Backoff::Exponential, &steps, 100);
    assert!(delays.is_sorted());
    assert_eq!(delays.iter().sum::<Duration>(), ms(942_700));
}

#[test]
fn the_longest_durations_mean_never_and_do_not_panic() {
    // R019
    let steps = Steps::new(Duration::MAX, Duration::MAX, 2.0);
    for backoff in [Backoff::Exponential, Backoff::Fibonacci, Backoff::double_jitter()] {
        for delay in schedule(backoff, &steps, 5, &mut Ends::highest()) {
            assert!(delay > secs(580 * 365 * 86_400), "{backoff:?}: {delay:?}");
        }
    }
}

#[test]
fn jitter_never_changes_the_next_step() {
    // R025
    let steps = Steps::new(ms(100), secs(1), 2.0);
    let at_its_top = schedule(Backoff::FullJitter, &steps, 6, &mut Ends::highest());
    assert_eq!(at_its_top, [100, 200, 400, 800, 1_000, 1_000].map(ms));

    let mut bottom_then_top = Ends::repeating(&[false, true]);
    let delays = schedule(Backoff::FullJitter, &steps, 2, &mut bottom_then_top);
    assert_eq!(delays, [0, 200].map(ms));
}

#[test]
fn schedules_restart_with_every_call() {
    // R156
    static BACKOFF: Backoff = Backoff::FullJitter;
    static STEPS: Steps = Steps::new(ms(100), secs(60), 2.0);
    let call = || schedule(BACKOFF, &STEPS, 8, &mut Generator::seeded(156, 0));
    let (first, second) = (call(), call());
    assert_eq!(first, second);
    assert!(second[0] <= ms(100), "the second call does not start at the first step");
}

#[test]
fn schedules_without_jitter_are_the_documented_ones() {
    let steps = Steps::new(ms(100), secs(1), 3.0);
    assert_eq!(plain(Backoff::Exponential, &steps, 4), [100, 300, 900, 1_000].map(ms));
    assert_eq!(plain(Backoff::Linear, &steps, 4), [100, 200, 300, 400].map(ms));
    assert_eq!(
        plain(Backoff::Fibonacci, &steps, 8),
        [100, 100, 200, 300, 500, 800, 1_000, 1_000].map(ms)
    );
    assert_eq!(plain(Backoff::Fixed, &steps, 3), [100; 3].map(ms));
    assert_eq!(plain(Backoff::None, &steps, 3), [0; 3].map(ms));
}

#[test]
fn decorrelated_jitter_grows_from_the_delay_before() {
    let steps = Steps::new(ms(100), secs(5), 2.0);
    let backoff = Backoff::DecorrelatedJitter;
    let highest = schedule(backoff, &steps, 5, &mut Ends::highest());
    assert_eq!(highest, [300, 900, 2_700, 5_000, 5_000].map(ms));
    assert_eq!(schedule(backoff, &steps, 3, &mut Ends::lowest()), [100; 3].map(ms));

    // A long delay is followed by a possible long one, a short one by a short one.
    let falling = schedule(backoff, &steps, 4, &mut Ends::repeating(&[true, true, false, true]));
    assert_eq!(falling, [300, 900, 100, 300].map(ms));
}

#[test]
fn a_share_is_added_to_the_capped_step_and_cut_to_the_maximum() {
    let steps = Steps::new(ms(500), secs(5), 2.0);
    let ends = |backoff| {
        let lowest = schedule(backoff, &steps, 5, &mut Ends::lowest());
        (lowest, schedule(backoff, &steps, 5, &mut Ends::highest()))
    };
    let (lowest, highest) = ends(Backoff::half_jitter());
    assert_eq!(lowest, [500, 1_000, 2_000, 4_000, 5_000].map(ms));
    assert_eq!(highest, [750, 1_500, 3_000, 5_000, 5_000].map(ms));
    let (lowest, highest) = ends(Backoff::double_jitter());
    assert_eq!(lowest, [500, 1_000, 2_000, 4_000, 5_000].map(ms));
    assert_eq!(highest, [1_000, 2_000, 4_000, 5_000, 5_000].map(ms));
}

#[test]
fn each_class_of_failures_starts_from_its_own_base() {
    // 429, 503 and 504 under `min(base · 2^k + U(0, 0.1 s), 30 s)`.
    let steps = Steps::new(ms(50), secs(30), 2.0);
    let backoff = Backoff::exponential_plus(ms(100));
    for base in [100, 500, 300] {
        let failure = Classification::throttled().base(ms(base));
        for (retry, step) in [(0, base), (1, 2 * base), (3, 8 * base), (20, 30_000)] {
            let input = DelayInput::new(&steps, retry, &failure);
            let longest = ms(step + 100).min(secs(30));
            assert_eq!(backoff.delay(&input, &mut Ends::lowest()), ms(step));
            assert_eq!(backoff.delay(&input, &mut Ends::highest()), longest);
            assert_eq!(backoff.cap(input.steps(), retry), longest);
        }
    }
}

#[test]
fn a_function_of_the_users_sees_the_call_and_is_cut_to_the_maximum() {
    fn telling(context: &BackoffContext<'_>) -> Duration {
        assert_eq!((context.retry(), context.attempt()), (2, 4));
        assert_eq!((context.base(), context.max()), (ms(10), secs(1)));
        assert!((context.factor() - 2.0).abs() < f64::EPSILON);
        assert_eq!(context.previous(), Some(ms(7)));
        assert_eq!(context.classification().kind(), Kind::Conflict);
        assert_eq!(context.exponential(), ms(40));
        context.jitter(ms(300)) + context.jitter(ms(30))
    }
    fn endless(_: &BackoffContext<'_>) -> Duration {
        Duration::MAX
    }
    let steps = Steps::new(ms(10), secs(1), 2.0);
    let failure = Classification::conflict();
    let input = DelayInput::new(&steps, 2, &failure).attempt(4).previous(Some(ms(7)));

    let mut bottom_then_top = Ends::repeating(&[false, true]);
    assert_eq!(Backoff::custom(telling).delay(&input, &mut bottom_then_top), ms(30));
    assert_eq!(Backoff::custom(endless).delay(&input, &mut bottom_then_top), secs(1));
    assert_eq!(Backoff::custom(endless).cap(&steps, 2), secs(1));
}

#[test]
fn only_strategies_named_after_jitter_are_random() {
    let steps = Steps::new(ms(100), secs(60), 2.0);
    for backoff in [
        Backoff::FullJitter,
        Backoff::EqualJitter,
        Backoff::DecorrelatedJitter,
        Backoff::Exponential,
        Backoff::Linear,
        Backoff::Fibonacci,
        Backoff::Fixed,
        Backoff::None,
        Backoff::half_jitter(),
        Backoff::exponential_plus(ms(100)),
    ] {
        let lowest = schedule(backoff, &steps, 3, &mut Ends::lowest());
        let highest = schedule(backoff, &steps, 3, &mut Ends::highest());
        assert_eq!(lowest != highest, backoff.name().contains("jitter"), "{backoff:?}");
    }
}
