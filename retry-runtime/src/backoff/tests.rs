use super::*;

#[test]
fn a_fraction_outside_zero_to_one_is_refused() {
    for fraction in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let refused = Backoff::AdditiveJitter { fraction }.check();
        assert!(matches!(refused, Err(ConfigError::Fraction(_))), "{fraction}: {refused:?}");
    }
    for sound in [Backoff::half_jitter(), Backoff::double_jitter(), Backoff::FullJitter] {
        assert_eq!(sound.check(), Ok(()));
    }
}

#[cfg(feature = "adaptive")]
#[test]
fn what_an_adaptive_strategy_adds_makes_no_policy_larger() {
    assert_eq!(size_of::<Backoff>(), size_of::<Duration>());
}

#[cfg(feature = "adaptive")]
#[test]
fn an_adaptive_strategy_that_knows_nothing_is_exponential_with_its_least_spread() {
    static TIGHT: Adaptive = Adaptive::new().min_spread(0.1);
    let strategy = Backoff::Adaptive(&TIGHT);
    let steps = Steps::new(Duration::from_millis(100), Duration::from_millis(300), 2.0);
    let ranges: Vec<_> = (0..3).map(|k| strategy.range(&steps, k, 0)).collect();
    assert_eq!(
        ranges,
        [(90_000_000, 100_000_000), (180_000_000, 200_000_000), (270_000_000, 300_000_000)]
    );
    assert_eq!(strategy.name(), "adaptive");
}

#[cfg(feature = "adaptive")]
#[test]
fn the_fault_of_an_adaptive_configuration_is_one_of_the_strategy() {
    static FAULTY: Adaptive = Adaptive::new().deviation(0.0);
    assert_eq!(Backoff::Adaptive(&FAULTY).check(), FAULTY.check());
    assert!(FAULTY.check().is_err());
}
