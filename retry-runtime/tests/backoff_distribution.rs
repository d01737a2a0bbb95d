//! Jitter is uniform over the whole of its range, for every random strategy.
// Miri looks at memory and threads; this is arithmetic over very many values.
#![cfg(not(miri))]

#[path = "common/statistics.rs"]
mod statistics;

use std::time::Duration;

use retry_runtime::{
    Backoff, BackoffContext, Classification, DelayInput, Generator, Steps, Uniform,
};
use statistics::{critical_distance, distance_to_uniform};

const DRAWS: u64 = 100_000;
const STEPS: Steps = Steps::new(ms(100), ms(10_000), 2.0);
/// Beyond every step's way to the cap.
const AT_THE_CAP: u32 = 40;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn draws(backoff: Backoff, retry: u32, previous: Option<Duration>) -> Vec<Duration> {
    let failure = Classification::transient();
    let input = DelayInput::new(&STEPS, retry, &failure).previous(previous);
    let mut random = Generator::seeded(0x5eed, u64::from(retry));
    (0..DRAWS).map(|_| backoff.delay(&input, &mut random)).collect()
}

#[track_caller]
fn assert_uniform(sample: &[Duration], low: Duration, high: Duration) {
    let distance = distance_to_uniform(sample, low, high);
    assert!(distance < critical_distance(sample), "{distance} from uniform in {low:?}..{high:?}");
    assert!(sample.iter().all(|delay| (low..=high).contains(delay)));
}

#[track_caller]
fn assert_not_uniform(sample: &[Duration], low: Duration, high: Duration) {
    let distance = distance_to_uniform(sample, low, high);
    assert!(distance > critical_distance(sample), "only {distance} in {low:?}..{high:?}");
}

#[test]
fn full_jitter_is_uniform_from_zero_to_the_step() {
    assert_uniform(&draws(Backoff::FullJitter, 0, None), ms(0), ms(100));
    assert_uniform(&draws(Backoff::FullJitter, 4, None), ms(0), ms(1_600));
    assert_uniform(&draws(Backoff::FullJitter, AT_THE_CAP, None), ms(0), ms(10_000));
}

#[test]
fn equal_jitter_is_uniform_over_the_upper_half_of_the_step() {
    assert_uniform(&draws(Backoff::EqualJitter, 0, None), ms(50), ms(100));
    assert_uniform(&draws(Backoff::EqualJitter, 4, None), ms(800), ms(1_600));
    assert_uniform(&draws(Backoff::EqualJitter, AT_THE_CAP, None), ms(5_000), ms(10_000));
}

#[test]
fn decorrelated_jitter_is_uniform_from_the_base_to_three_times_the_delay_before() {
    let backoff = Backoff::DecorrelatedJitter;
    assert_uniform(&draws(backoff, 0, None), ms(100), ms(300));
    assert_uniform(&draws(backoff, 1, Some(ms(20))), ms(100), ms(300));
    assert_uniform(&draws(backoff, 4, Some(ms(700))), ms(100), ms(2_100));
    assert_uniform(&draws(backoff, AT_THE_CAP, Some(ms(10_000))), ms(100), ms(10_000));
}

#[test]
fn added_jitter_is_uniform_over_its_share_of_the_step() {
    assert_uniform(&draws(Backoff::half_jitter(), 0, None), ms(100), ms(150));
    assert_uniform(&draws(Backoff::half_jitter(), 4, None), ms(1_600), ms(2_400));
    assert_uniform(&draws(Backoff::double_jitter(), 0, None), ms(100), ms(200));
    assert_uniform(&draws(Backoff::double_jitter(), 4, None), ms(1_600), ms(3_200));
}

#[test]
fn jitter_of_a_fixed_length_is_uniform_over_that_length() {
    let backoff = Backoff::exponential_plus(ms(100));
    assert_uniform(&draws(backoff, 0, None), ms(100), ms(200));
    assert_uniform(&draws(backoff, 4, None), ms(1_600), ms(1_700));
}

#[test]
fn jitter_drawn_by_a_function_of_the_users_is_uniform() {
    fn twice_the_base(context: &BackoffContext<'_>) -> Duration {
        context.jitter(2 * context.base())
    }
    assert_uniform(&draws(Backoff::custom(twice_the_base), 3, None), ms(0), ms(200));
}

#[test]
fn first_draws_of_successive_streams_are_uniform_and_unrelated() {
    // Most calls draw once from a stream of their own: it is across streams that they must spread.
    let range = ms(1_000);
    let first = |stream| Duration::from_nanos(Generator::seeded(9, stream).up_to(1_000_000_000));
    let sample: Vec<Duration> = (0..DRAWS).map(first).collect();
    assert_uniform(&sample, ms(0), range);

    let centred = |delay: &Duration| delay.as_secs_f64() - 0.5;
    let products = sample.windows(2).map(|pair| centred(&pair[0]) * centred(&pair[1])).sum::<f64>();
    let squares = sample.iter().map(|delay| centred(delay).powi(2)).sum::<f64>();
    // Four standard errors of a correlation of 100,000 independent pairs.
    assert!((products / squares).abs() < 0.0127, "correlation {}", products / squares);
}

#[test]
fn the_test_itself_refuses_distributions_that_are_slightly_wrong() {
    let mut random = Generator::seeded(3, 0);
    let mut sample = |wrong: &dyn Fn(&mut Generator) -> u64| -> Vec<Duration> {
        (0..DRAWS).map(|_| Duration::from_nanos(wrong(&mut random))).collect()
    };
    let (low, high, top) = (ms(0), ms(100), 100_000_000);

    assert_uniform(&sample(&|r| r.up_to(top)), low, high);
    // Jitter over half of the range, and over 98 % of it.
    assert_not_uniform(&sample(&|r| r.up_to(top / 2)), low, high);
    assert_not_uniform(&sample(&|r| r.up_to(top / 100 * 98)), low, high);
    // Cut down to whole milliseconds.
    assert_not_uniform(&sample(&|r| r.up_to(top) / 1_000_000 * 1_000_000), low, high);
    // A range 2 % too wide, piled up at the cap.
    assert_not_uniform(&sample(&|r| r.up_to(top / 100 * 102).min(top)), low, high);
    // The mean of two draws.
    assert_not_uniform(&sample(&|r| r.up_to(top) / 2 + r.up_to(top) / 2), low, high);
    // No jitter at all.
    assert_not_uniform(&sample(&|_| top), low, high);
}
