//! Which of many calls something happens to.

use crate::Generator;

/// Yes or no for each of a row of numbers, at a rate, as a seed says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    seed: u64,
    rate: f64,
}

impl Draws {
    /// `kind` keeps those of one seed apart: from each other, and from the jitter of that seed.
    pub(super) const fn new(seed: u64, kind: u64) -> Self {
        Self { seed: seed ^ kind, rate: 0.0 }
    }

    pub(super) const fn at(self, rate: f64) -> Self {
        Self { rate, ..self }
    }

    /// Whether it happens to the call of this number. A higher rate only adds to whom it happens.
    pub(super) fn hits(self, number: u64) -> bool {
        /// 2^-53: from the 53 upper bits to a number from 0 to below 1, exactly.
        const STEP: f64 = f64::EPSILON / 2.0;
        let drawn = Generator::seeded(self.seed, number).next_u64() >> 11;
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let drawn = drawn as f64 * STEP;
        drawn < self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(draws: Draws) -> Vec<u64> {
        (1..=1_000).filter(|number| draws.hits(*number)).collect()
    }

    #[test]
    fn nobody_is_hit_at_a_rate_of_0_and_everybody_at_1() {
        let draws = Draws::new(7, 1);
        assert_eq!((hits(draws).len(), hits(draws.at(1.0)).len()), (0, 1_000));
    }

    #[test]
    fn about_as_many_are_hit_as_the_rate_says_and_a_higher_rate_hits_them_too() {
        let draws = Draws::new(7, 1);
        let (some, more) = (hits(draws.at(0.2)), hits(draws.at(0.4)));
        assert!((160..240).contains(&some.len()), "{} of 1000", some.len());
        assert!((350..450).contains(&more.len()), "{} of 1000", more.len());
        assert!(some.iter().all(|number| more.contains(number)));
    }

    #[test]
    fn kinds_and_seeds_hit_others() {
        let one = hits(Draws::new(7, 1).at(0.2));
        assert_ne!(one, hits(Draws::new(7, 2).at(0.2)));
        assert_ne!(one, hits(Draws::new(8, 1).at(0.2)));
        assert_eq!(one, hits(Draws::new(7, 1).at(0.2)));
    }
}
