//! The receipt for a retry.

use super::price::Price;

/// What a granted retry took from its budget and from those above it;
/// [`Budget::give_back`](crate::Budget::give_back) takes it if the retry never starts.
///
/// It belongs to the budget that issued it, also if another one answers to the name by then.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Budget, engine::Moment};
///
/// let budget = Budget::new("orders");
/// let paid = budget.withdraw(2, Moment::from_nanos(0)).unwrap();
/// assert_eq!(paid.cost(), 2);
/// budget.give_back(paid);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a withdrawal that is neither used nor given back is a retry lost"]
pub struct Withdrawal {
    price: Price,
    /// Two bits for each level, the budget itself first: whether it granted the retry, and whether it
    /// took something for it.
    levels: u8,
    /// Whether nothing of it comes back for a success.
    is_final: bool,
    /// For each level in which time counts, the low bits of its slot.
    slots: [u16; LEVELS],
}

/// A budget and those above it.
pub(super) const LEVELS: usize = 4;

impl Withdrawal {
    /// A receipt that nobody took anything for yet.
    pub(super) const fn new(price: Price) -> Self {
        Self { price, levels: 0, is_final: false, slots: [0; LEVELS] }
    }

    /// What was paid, in retries, as far as the failure said what a retry after it costs; else 1.
    #[must_use]
    pub const fn cost(&self) -> u32 {
        self.price.cost()
    }

    pub(super) const fn price(&self) -> Price {
        self.price
    }

    /// Nothing of it comes back for a success, where the budget would give it back otherwise.
    pub(crate) const fn without_refund(mut self) -> Self {
        self.is_final = true;
        self
    }

    pub(super) const fn is_refundable(&self) -> bool {
        !self.is_final
    }

    /// This level granted the retry, and took nothing for it.
    pub(super) const fn set_granted(&mut self, level: usize) {
        self.levels |= GRANTED << (2 * level);
    }

    /// This level granted the retry and took its price, in this slot if time counts in it.
    pub(super) const fn set_taken(&mut self, level: usize, slot: u64) {
        self.levels |= (GRANTED | TOOK) << (2 * level);
        self.slots[level] = (slot & LOW) as u16;
    }

    /// Whether this level granted the retry; else it was paid for otherwise.
    pub(super) const fn has_granted(&self, level: usize) -> bool {
        self.levels & GRANTED << (2 * level) != 0
    }

    /// Whether this level took something.
    pub(super) const fn has_taken(&self, level: usize) -> bool {
        self.levels & TOOK << (2 * level) != 0
    }

    /// The slot in which this level counts the retry, where `newest` is the latest that it knows.
    ///
    /// A receipt is handed in within a window's time or it makes no difference, so the low bits say which
    /// slot it was: all others with the same bits are a thousand windows away.
    pub(super) const fn slot(&self, level: usize, newest: u64) -> u64 {
        let age = newest.wrapping_sub(self.slots[level] as u64) & LOW;
        newest.saturating_sub(age)
    }
}

const GRANTED: u8 = 1;
const TOOK: u8 = 2;
const LOW: u64 = u16::MAX as u64;
