//! The receipt for a retry.

use std::num::NonZeroU32;

/// What a granted retry took from its budget; [`Budget::give_back`](crate::Budget::give_back) takes
/// it if the retry never starts.
///
/// It belongs to the budget that issued it, also if another one answers to the name by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a withdrawal that is neither used nor given back is a retry lost"]
pub struct Withdrawal {
    /// Not zero, so that having one or none takes no room.
    cost: NonZeroU32,
    slot: u64,
}

impl Withdrawal {
    pub(super) const fn new(cost: u32, slot: u64) -> Self {
        let cost = match NonZeroU32::new(cost) {
            Some(cost) => cost,
            None => NonZeroU32::MIN,
        };
        Self { cost, slot }
    }

    /// What was paid, in retries; at least 1.
    #[must_use]
    pub const fn cost(&self) -> u32 {
        self.cost.get()
    }

    pub(super) const fn slot(&self) -> u64 {
        self.slot
    }
}
