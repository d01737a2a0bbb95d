//! Jitter is as wide as promised, grows with the delay, and stays below the maximum.
// Miri looks at memory and threads; this is arithmetic over very many values.
#![cfg(not(miri))]

use std::collections::HashSet;
use std::time::Duration;

use retry_runtime::{Backoff, Classification, DelayInput, Generator, Steps};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn one(backoff: Backoff, steps: &Steps, retry: u32, random: &mut Generator) -> Duration {
    backoff.delay(&DelayInput::new(steps, retry, &Classification::transient()), random)
}

fn sorted(backoff: Backoff, steps: &Steps, retry: u32, draws: usize) -> Vec<Duration> {
    let mut random = Generator::seeded(23, u64::from(retry));
    let mut sample: Vec<Duration> =
        (0..draws).map(|_| one(backoff, steps, retry, &mut random)).collect();
    sample.sort_unstable();
    sample
}

fn mean(sample: &[Duration]) -> Duration {
    sample.iter().sum::<Duration>() / u32::try_from(sample.len()).unwrap()
}

fn within(value: Duration, middle: Duration, tolerance: Duration) -> bool {
    value.abs_diff(middle) <= tolerance
}

#[test]
fn the_jitter_range_grows_with_the_delay() {
    // R023
    let steps = Steps::new(ms(10), Duration::from_secs(60), 2.0);
    let sample = sorted(Backoff::FullJitter, &steps, 30, 1_000);
    let spread = sample[950].abs_diff(sample[50]);
    assert!(spread >= Duration::from_secs(50), "5th to 95th percentile: {spread:?}");
}

#[test]
fn full_and_equal_jitter_keep_to_their_ranges_and_means() {
    // R027
    let steps = Steps::new(ms(100), ms(1_000), 2.0);

    let full = sorted(Backoff::FullJitter, &steps, 3, 10_000);
    assert!(full[9_999] <= ms(800));
    assert!(within(mean(&full), ms(400), ms(8)), "mean {:?}", mean(&full));

    let equal = sorted(Backoff::EqualJitter, &steps, 3, 10_000);
    assert!(equal[0] >= ms(400) && equal[9_999] <= ms(800));
    assert!(within(mean(&equal), ms(600), ms(12)), "mean {:?}", mean(&equal));

    for backoff in [Backoff::FullJitter, Backoff::EqualJitter] {
        assert!(sorted(backoff, &steps, 10, 10_000)[9_999] <= ms(1_000));
    }
}

#[test]
fn the_first_delay_is_jittered_over_its_whole_range() {
    // R031
    let steps = Steps::new(ms(100), ms(1_000), 2.0);
    let mut first: Vec<Duration> = (0..1_000)
        .map(|seed| one(Backoff::FullJitter, &steps, 0, &mut Generator::seeded(seed, 0)))
        .collect();
    first.sort_unstable();
    assert!(first[999] <= ms(100));
    assert!(first[50] < ms(10), "5th percentile {:?}", first[50]);
    assert!(first[950] > ms(90), "95th percentile {:?}", first[950]);
}

#[test]
fn delays_at_the_cap_are_spread_below_it_and_not_piled_up_on_it() {
    // R032
    let steps = Steps::new(ms(500), ms(500), 2.0);
    let sample = sorted(Backoff::FullJitter, &steps, 0, 10_000);
    assert!(sample[9_999] <= ms(500));
    assert!(sample.iter().collect::<HashSet<_>>().len() >= 50);
    assert!(sample.iter().filter(|delay| **delay == ms(500)).count() < 100);
}

#[test]
fn jitter_is_finer_than_a_millisecond() {
    let steps = Steps::new(Duration::from_micros(200), ms(1), 2.0);
    for backoff in [Backoff::FullJitter, Backoff::EqualJitter, Backoff::DecorrelatedJitter] {
        let sample = sorted(backoff, &steps, 0, 1_000);
        assert!(sample.iter().collect::<HashSet<_>>().len() > 900, "{backoff:?}");
    }
}

#[test]
fn added_jitter_never_passes_the_maximum() {
    let steps = Steps::new(ms(500), ms(5_000), 2.0);
    for backoff in
        [Backoff::half_jitter(), Backoff::double_jitter(), Backoff::exponential_plus(ms(100))]
    {
        for retry in 0..20 {
            let sample = sorted(backoff, &steps, retry, 1_000);
            assert!(sample[999] <= ms(5_000), "{backoff:?}, retry {retry}");
        }
    }
}
