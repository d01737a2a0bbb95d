use proptest::prelude::*;

use super::*;
use crate::{Classification, Generator, Policy, backoff::DelayInput};

const MILLISECOND: Duration = Duration::from_millis(1);

fn growth(config: &Adaptive, load: Load, before: Growth) -> Growth {
    config.evaluate(&AdaptiveReading::new(load).growth(before)).growth()
}

#[test]
fn delays_grow_linearly_above_either_threshold() {
    let config = Adaptive::new();
    for (load, wanted) in [
        (Load::new(), Growth::Exponential),
        (Load::new().cpu(0.8).live_tasks(5_000), Growth::Exponential),
        (Load::new().cpu(0.8001), Growth::Linear),
        (Load::new().live_tasks(5_001), Growth::Linear),
        (Load::new().cpu(0.1).live_tasks(5_001), Growth::Linear),
        (Load::new().cpu(1.0).live_tasks(0), Growth::Linear),
    ] {
        assert_eq!(growth(&config, load, Growth::Exponential), wanted, "{load:?}");
    }
}

#[test]
fn linear_growth_ends_a_tenth_below_the_thresholds() {
    let config = Adaptive::new();
    for (load, wanted) in [
        (Load::new().cpu(0.79).live_tasks(10), Growth::Linear),
        (Load::new().cpu(0.721), Growth::Linear),
        (Load::new().cpu(0.719).live_tasks(4_500), Growth::Exponential),
        (Load::new().cpu(0.1).live_tasks(4_501), Growth::Linear),
        (Load::new(), Growth::Exponential),
    ] {
        assert_eq!(growth(&config, load, Growth::Linear), wanted, "{load:?}");
    }
}

#[test]
fn a_load_that_sways_around_the_threshold_does_not_switch_back_and_forth() {
    let config = Adaptive::new();
    let mut known = Growth::Exponential;
    let mut switches = 0;
    for step in 0..1_000_u32 {
        let load = Load::new().cpu(if step % 2 == 0 { 0.83 } else { 0.77 });
        let next = growth(&config, load, known);
        switches += u32::from(next != known);
        known = next;
    }
    assert_eq!(switches, 1);
}

#[test]
fn thresholds_at_their_ends_leave_their_signal_out() {
    let config = Adaptive::new().cpu_above(1.0).tasks_above(u64::MAX);
    let load = Load::new().cpu(1.0).live_tasks(u64::MAX);
    assert_eq!(growth(&config, load, Growth::Exponential), Growth::Exponential);
}

#[test]
fn the_base_shrinks_after_a_retry_that_took_more_than_three_times_the_percentile() {
    let factor = |config: Adaptive, p95: u32, took: u32| {
        let reading =
            AdaptiveReading::default().p95(p95 * MILLISECOND).last_retry(took * MILLISECOND);
        config.evaluate(&reading).base_factor()
    };
    let defaults = Adaptive::new();
    for (took, wanted) in [(0, 1.0), (1, 1.0), (100, 1.0), (300, 1.0), (301, 0.7), (60_000, 0.7)] {
        assert_eq!(factor(defaults, 100, took).to_bits(), f64::to_bits(wanted), "{took}");
    }
    assert_eq!(factor(defaults.keep_base(), 100, 301).to_bits(), 1.0_f64.to_bits());
    assert_eq!(factor(defaults.base_factor(2.0), 100, 301).to_bits(), 2.0_f64.to_bits());
    assert_eq!(factor(defaults.deviation(4.0), 100, 500).to_bits(), 1.0_f64.to_bits());
    assert_eq!(factor(defaults.deviation(4.0), 100, 501).to_bits(), 0.7_f64.to_bits());
    // Below one, what is much faster deviates as well.
    assert_eq!(factor(defaults.deviation(0.5), 100, 49).to_bits(), 0.7_f64.to_bits());
}

#[test]
fn a_first_attempt_and_an_unknown_percentile_leave_the_base() {
    for reading in [
        AdaptiveReading::default().p95(MILLISECOND),
        AdaptiveReading::default().last_retry(1_000 * MILLISECOND),
    ] {
        assert_eq!(Adaptive::new().evaluate(&reading).base_factor().to_bits(), 1.0_f64.to_bits());
    }
}

#[test]
fn a_decision_says_what_it_was_made_of() {
    let reading = AdaptiveReading::new(Load::new().cpu(0.93).live_tasks(12))
        .variance(50.0)
        .p95(MILLISECOND)
        .last_retry(10 * MILLISECOND);
    let decision = Adaptive::new().evaluate(&reading);
    assert_eq!(decision.to_string(), "linear growth, J 0.63, cpu 93 %, 12 tasks, base x 0.7");
    let calm = Adaptive::new().evaluate(&AdaptiveReading::default());
    assert_eq!(calm.to_string(), "exponential growth, J 0.00");
}

#[test]
fn callers_do_not_meet_while_the_coefficient_is_zero() {
    let decision = Adaptive::new().evaluate(&AdaptiveReading::default());
    assert_eq!(decision.jitter().to_bits(), 0.0_f64.to_bits());
    let steps = Policy::new().base(100 * MILLISECOND).steps();
    let failure = Classification::transient();
    let delay = |mut chance: Generator| {
        decision.backoff().delay(&DelayInput::new(&steps, 0, &failure), &mut chance)
    };
    assert_eq!(delay(Generator::lowest()), 50 * MILLISECOND);
    assert_eq!(delay(Generator::highest()), 100 * MILLISECOND);
}

proptest! {
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn whatever_is_read_the_coefficient_is_a_share_and_the_delay_within_the_step(
        cpu in prop::option::of(any::<f64>()),
        tasks in prop::option::of(any::<u64>()),
        variance in prop::option::of(any::<f64>()),
        (p95, took) in any::<(Option<u64>, Option<u64>)>(),
        (base, max) in (0..10_000_u64, 0..100_000_u64),
        (factor, retry) in (1.0..4.0_f64, any::<u32>()),
        (least, lowest, linear) in (0.0..=1.0_f64, any::<bool>(), any::<bool>()),
    ) {
        let mut load = Load::new();
        if let Some(cpu) = cpu { load = load.cpu(cpu); }
        if let Some(tasks) = tasks { load = load.live_tasks(tasks); }
        let mut reading = AdaptiveReading::new(load);
        if let Some(variance) = variance { reading = reading.variance(variance); }
        if let Some(p95) = p95 { reading = reading.p95(Duration::from_nanos(p95)); }
        if let Some(took) = took { reading = reading.last_retry(Duration::from_nanos(took)); }
        if linear { reading = reading.growth(Growth::Linear); }

        let config = Adaptive::new().min_spread(least).base_factor(factor);
        let decision = config.evaluate(&reading);
        prop_assert!((0.0..=1.0).contains(&decision.jitter()), "{decision:?}");
        prop_assert!((least - 1e-9..=1.0 + 1e-9).contains(&decision.spread()), "{decision:?}");

        let (base, max) = (Duration::from_millis(base), Duration::from_millis(max));
        let steps = Policy::new().base(base).max(max).factor(factor).steps();
        let failure = Classification::transient();
        let input = DelayInput::new(&steps, retry, &failure);
        let mut chance = if lowest { Generator::lowest() } else { Generator::highest() };
        let delay = decision.backoff().delay(&input, &mut chance);
        let cap = decision.backoff().cap(&steps, retry);
        prop_assert!(delay <= max && cap <= max && delay <= cap, "{delay:?} {cap:?} {max:?}");
        let shortest = cap.mul_f64((1.0 - decision.spread()).max(0.0));
        let slack = Duration::from_nanos(2) + cap.mul_f64(1e-4);
        prop_assert!(delay + slack >= shortest, "{delay:?} is below {shortest:?} of {cap:?}");
        if !lowest {
            prop_assert_eq!(delay, cap);
        }
    }
}
