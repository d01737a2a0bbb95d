//! A limit on requests.

/// Lets so many requests a second through, after the generic cell rate algorithm: evenly, with bursts of a tenth of
/// a second's worth.
#[derive(Clone, Debug, Default)]
pub(super) struct Throttle {
    /// When the next request would be due at the limit's pace, in nanoseconds.
    due: f64,
}

/// In nanoseconds.
const BURST: f64 = 1e8;

impl Throttle {
    #[expect(clippy::cast_precision_loss, reason = "simulated nanoseconds of hours")]
    pub(super) fn lets_through(&mut self, limit: f64, now: u64) -> bool {
        let now = now as f64;
        let due = self.due.max(now);
        if due - now > BURST || limit <= 0.0 {
            return false;
        }
        self.due = due + 1e9 / limit;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_a_second_get_through_and_no_more() {
        let mut throttle = Throttle::default();
        let through =
            (0..10_000_u64).filter(|at| throttle.lets_through(100.0, at * 1_000_000)).count();
        assert!((1_000..=1_012).contains(&through), "{through} in ten seconds");
    }
}
