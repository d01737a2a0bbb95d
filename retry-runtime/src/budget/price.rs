//! What a retry costs: what the failure says, or what the budget asks for failures of its kind.

use crate::{Classification, Kind};

/// What a failure says about the cost of a retry after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Price {
    /// In retries; 0 if the budget decides.
    retries: u32,
    kind: Option<Kind>,
}

impl Price {
    /// Of a failure that is not known.
    pub(crate) const ONE: Self = Self::retries(1);

    /// This many retries; 0 acts like 1, so that no retry is free.
    pub(crate) const fn retries(retries: u32) -> Self {
        Self { retries: if retries == 0 { 1 } else { retries }, kind: None }
    }

    /// After this failure.
    pub(crate) const fn after(failure: &Classification) -> Self {
        match failure.cost_override() {
            Some(retries) => Self::retries(retries),
            None => Self { retries: 0, kind: Some(failure.kind()) },
        }
    }

    /// In retries, as far as the failure says; else 1.
    pub(super) const fn cost(self) -> u32 {
        if self.retries == 0 { 1 } else { self.retries }
    }
}

/// What a budget asks for failures of each kind that is ever retried, in its units; 0 where it asks the
/// price of one retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Costs([u64; KINDS]);

const KINDS: usize = 4;
/// In the order of [`place`].
pub(super) const KINDS_IN_ORDER: [Kind; KINDS] =
    [Kind::Transient, Kind::Throttled, Kind::Timeout, Kind::Conflict];

/// `None` for what is never retried.
const fn place(kind: Kind) -> Option<usize> {
    match kind {
        Kind::Transient => Some(0),
        Kind::Throttled => Some(1),
        Kind::Timeout => Some(2),
        Kind::Conflict => Some(3),
        Kind::Permanent | Kind::Cancelled => None,
    }
}

impl Costs {
    pub(super) const NONE: Self = Self([0; KINDS]);

    /// Whether it is of a kind that is ever retried, and so was set.
    pub(super) const fn set(&mut self, kind: Kind, units: u64) -> bool {
        match place(kind) {
            Some(place) => {
                self.0[place] = units;
                true
            }
            None => false,
        }
    }

    /// Units for failures of this kind, if the budget has its own idea of them.
    pub(super) const fn of(&self, kind: Kind) -> Option<u64> {
        match place(kind) {
            Some(place) if self.0[place] != 0 => Some(self.0[place]),
            _ => None,
        }
    }

    /// Units of a retry at this price, where one retry is `retry` units; `None` above every capacity.
    pub(super) const fn units(&self, price: Price, retry: u64) -> Option<u64> {
        if price.retries != 0 {
            return retry.checked_mul(price.retries as u64);
        }
        match price.kind {
            Some(kind) => match self.of(kind) {
                Some(units) => Some(units),
                None => Some(retry),
            },
            None => Some(retry),
        }
    }
}
