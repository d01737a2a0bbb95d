//! When calls begin.

use std::time::Duration;

use storm_lab::load::Arrivals;

fn first(rate: f64, seed: u64, number: u32) -> Vec<Duration> {
    Arrivals::new(rate, seed, number).take(10_000).collect()
}

#[test]
fn the_same_seed_and_number_give_the_same_moments() {
    assert_eq!(first(40.0, 1, 0), first(40.0, 1, 0));
    assert_ne!(first(40.0, 1, 0), first(40.0, 2, 0));
    assert_ne!(first(40.0, 1, 0), first(40.0, 1, 1));
}

#[test]
fn moments_come_in_order_and_as_often_as_asked() {
    let moments = first(40.0, 1, 0);
    assert!(moments.is_sorted());
    // Of 10,000 the mean is within 4 % with a chance of 1 − 6·10⁻⁵, and the seed is fixed.
    let mean = moments[9_999].as_secs_f64() / 10_000.0;
    assert!((mean * 40.0 - 1.0).abs() < 0.04, "{mean}");
}

#[test]
fn the_gaps_are_exponential_and_not_even() {
    let moments = first(100.0, 3, 0);
    let gaps: Vec<f64> =
        moments.windows(2).map(|pair| pair[1].as_secs_f64() - pair[0].as_secs_f64()).collect();
    let long = gaps.iter().filter(|gap| **gap > 0.01).count();
    // e⁻¹ of 9,999.
    assert!((3_500..3_860).contains(&long), "{long}");
}
