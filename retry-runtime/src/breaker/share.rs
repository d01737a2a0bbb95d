//! The share of calls in the window that were bad.

use super::ring::{Ring, Totals};

/// Units of the whole, in which shares are held: exact for up to nine decimals.
const WHOLE: u64 = 1_000_000_000;

/// How large a share is too large, and from how many calls on that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    units: u64,
    min_calls: u32,
}

impl Limit {
    /// Of a share in [`units`].
    pub(crate) const fn of(units: u64, min_calls: u32) -> Self {
        Self { units, min_calls }
    }

    const fn is_reached(self, window: Totals) -> bool {
        // At most 60 · 2^24 calls, so the products stay below 2^60.
        window.samples >= self.min_calls as u64
            && window.marked * WHOLE >= window.samples * self.units
    }
}

/// Units of a share above 0, up to 1. The smallest shares act like a thousand-millionth.
pub(crate) const fn units(share: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and a thousand million"
    )]
    let units = (share * 1e9 + 0.5) as u64;
    if units == 0 { 1 } else { units }
}

/// Counts a call; whether it was bad and made the share too large.
///
/// Good calls do not ask: the share cannot rise by them. So they count, and that is all they cost.
pub(crate) fn note(ring: &Ring, slot: u64, bad: bool, limit: Limit) -> bool {
    ring.sample(slot, bad);
    bad && limit.is_reached(ring.totals(slot.max(ring.newest())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_reached_at_its_share_and_not_with_fewer_calls() {
        for (share, min_calls, marked, samples, reached) in [
            (0.5, 4, 2, 4, true),
            (0.5, 4, 1, 4, false),
            (0.5, 5, 4, 4, false),
            (1.0, 1, 1, 1, true),
            (1.0, 2, 1, 2, false),
            (0.1, 10, 1, 10, true),
            (0.3, 10, 3, 10, true),
            (1e-300, 1, 0, 1, false),
            (1e-300, 1, 1, 1, true),
            (1.0, 1, 60 << 24, 60 << 24, true),
        ] {
            let limit = Limit::of(units(share), min_calls);
            assert_eq!(limit.is_reached(Totals { samples, marked }), reached, "{share} {samples}");
        }
    }
}
