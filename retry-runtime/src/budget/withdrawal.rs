//! The receipt for a retry.

/// What a granted retry took from its budget; [`Budget::give_back`](crate::Budget::give_back) takes
/// it if the retry never starts.
///
/// It belongs to the budget that issued it, also if another one answers to the name by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a withdrawal that is neither used nor given back is a retry lost"]
pub struct Withdrawal {
    cost: u32,
    slot: u64,
}

impl Withdrawal {
    pub(super) const fn new(cost: u32, slot: u64) -> Self {
        Self { cost, slot }
    }

    /// What was paid, in retries; at least 1.
    #[must_use]
    pub const fn cost(&self) -> u32 {
        self.cost
    }

    pub(super) const fn slot(&self) -> u64 {
        self.slot
    }
}
