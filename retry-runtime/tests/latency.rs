//! What the latency sketch promises: a small error, quantiles in order, and that it forgets.

use std::time::Duration;

use proptest::prelude::*;
use retry_runtime::{Latency, Moment, Quantile};

const ALL: [Quantile; 5] =
    [Quantile::P50, Quantile::P75, Quantile::P90, Quantile::P95, Quantile::P99];

fn at(seconds: u64) -> Moment {
    Moment::from_nanos(seconds * 1_000_000_000)
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn filled(count: u64, took: Duration, now: Moment) -> Latency {
    let latency = Latency::new();
    (0..count).for_each(|_| latency.record(took, now));
    latency
}

/// The smallest duration within which so many per cent of all ended.
fn exact(sorted: &[Duration], quantile: Quantile) -> Duration {
    sorted[(sorted.len() * quantile.percent() as usize).div_ceil(100) - 1]
}

/// Between 8.2 µs and 275 s, with each order of magnitude as likely as another.
fn duration() -> impl Strategy<Value = Duration> {
    (13.0..38.0_f64)
        .prop_map(|power| Duration::from_secs_f64(power.exp2().clamp(8_192.0, 274e9) / 1e9))
}

proptest! {
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn every_quantile_is_within_six_per_cent_of_the_exact_one(
        durations in prop::collection::vec(duration(), 20..400),
    ) {
        let latency = Latency::new();
        for took in &durations { latency.record(*took, at(1)); }
        let mut sorted = durations;
        sorted.sort();
        for quantile in ALL {
            let told = latency.quantile(quantile, at(1)).unwrap().as_secs_f64();
            let wanted = exact(&sorted, quantile).as_secs_f64();
            let error = (told - wanted).abs() / wanted;
            prop_assert!(error <= 0.0589, "{quantile:?}: {told} for {wanted}, off by {error}");
        }
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn higher_quantiles_are_never_shorter(
        nanos in prop::collection::vec(any::<u64>(), 20..200),
        shift in 0..40_u32,
    ) {
        let latency = Latency::new();
        for nanos in &nanos { latency.record(Duration::from_nanos(nanos >> shift), at(1)); }
        let told: Vec<_> = ALL.iter().map(|quantile| latency.quantile(*quantile, at(1))).collect();
        prop_assert!(told.is_sorted(), "{told:?}");
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn what_is_slower_never_makes_a_quantile_shorter(
        mut durations in prop::collection::vec(duration(), 20..200),
        at_place in any::<prop::sample::Index>(),
        slower in duration(),
    ) {
        let told = |durations: &[Duration]| {
            let latency = Latency::new();
            for took in durations { latency.record(*took, at(1)); }
            ALL.map(|quantile| latency.quantile(quantile, at(1)).unwrap())
        };
        let before = told(&durations);
        let place = at_place.index(durations.len());
        durations[place] = durations[place].max(slower);
        let after = told(&durations);
        prop_assert!(before.iter().zip(&after).all(|(before, after)| before <= after));
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn no_history_panics_and_nothing_is_told_that_was_not_recorded_lately(
        history in prop::collection::vec((any::<u64>(), any::<u64>()), 0..200),
        now in any::<u64>(),
    ) {
        let latency = Latency::new();
        let mut lately = 0;
        let mut times: Vec<u64> = history.iter().map(|(time, _)| *time).collect();
        times.sort_unstable();
        for (time, (_, nanos)) in times.iter().zip(&history) {
            latency.record(Duration::from_nanos(*nanos), Moment::from_nanos(*time));
            lately += u64::from(now.saturating_sub(*time) < 60_000_000_000);
        }
        if latency.quantile(Quantile::P50, Moment::from_nanos(now)).is_some() {
            prop_assert!(lately >= 20);
        }
    }
}

#[test]
fn twenty_samples_are_needed() {
    assert_eq!(filled(19, ms(10), at(1)).quantile(Quantile::P50, at(1)), None);
    assert!(filled(20, ms(10), at(1)).quantile(Quantile::P50, at(1)).is_some());
}

#[test]
fn what_is_a_minute_old_is_forgotten() {
    let latency = filled(100, ms(10), at(1));
    for (seconds, known) in [(1, true), (30, true), (59, true), (61, false), (3600, false)] {
        let told = latency.quantile(Quantile::P95, at(seconds));
        assert_eq!(told.is_some(), known, "after {seconds} s");
    }
}

#[test]
fn the_last_half_minute_is_never_forgotten() {
    let latency = Latency::new();
    // Twenty in the second before each turn, and one just after it.
    for turn in 0..5 {
        let end = at(1 + turn * 30 + 29);
        (0..20).for_each(|_| latency.record(ms(10), end));
        latency.record(ms(10), at(1 + turn * 30 + 30));
        assert!(latency.quantile(Quantile::P50, at(1 + turn * 30 + 30)).is_some(), "{turn}");
    }
}

#[test]
fn a_dependency_that_became_slow_is_seen_as_slow() {
    let latency = filled(1_000, ms(10), at(1));
    // One in twenty is what P95 is about.
    (0..100).for_each(|_| latency.record(ms(800), at(20)));
    assert!(latency.quantile(Quantile::P95, at(20)).unwrap() > ms(750));
    assert!(latency.quantile(Quantile::P50, at(20)).unwrap() < ms(11));
    // And as fast again once the slow half minute is over.
    (0..100).for_each(|_| latency.record(ms(10), at(40)));
    (0..100).for_each(|_| latency.record(ms(10), at(80)));
    assert!(latency.quantile(Quantile::P99, at(80)).unwrap() < ms(11));
}

#[cfg_attr(miri, ignore = "arithmetic over very many values")]
#[test]
fn heavy_traffic_forgets_sooner() {
    const HALF: u64 = 1 << 16;
    let latency = filled(HALF, ms(500), at(1));
    (0..HALF).for_each(|_| latency.record(ms(10), at(1)));
    let slow = || latency.quantile(Quantile::P99, at(1)).unwrap() > ms(450);
    assert!(slow());
    latency.record(ms(10), at(1));
    assert!(!slow(), "the first half has handed over twice");
}

#[test]
fn what_is_out_of_range_counts_as_the_nearest_end() {
    let p50 = |took| filled(20, took, at(1)).quantile(Quantile::P50, at(1)).unwrap();
    assert!(p50(Duration::ZERO) < Duration::from_micros(8));
    assert!(p50(Duration::MAX) > Duration::from_secs(270));
}

#[test]
fn clocks_that_are_a_little_apart_do_no_harm() {
    let latency = filled(20, ms(10), at(100));
    latency.record(ms(10), at(99));
    assert!(latency.quantile(Quantile::P50, at(99)).is_some());
}
