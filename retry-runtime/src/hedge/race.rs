//! One round of attempts, as numbers.
//!
//! This file names its neighbours through `super`, so that the model checker can compile the very same
//! code.

use super::Moment;

/// Who is in flight, and how many may still be started beside them.
///
/// A round begins with one attempt in flight, and ends with the one whose end is the round's. Exactly one
/// end is: the first that is final, or the last that is not.
#[derive(Debug)]
pub(crate) struct Race {
    in_flight: u32,
    /// How often a hedge may still be considered.
    turns: u32,
    /// When the next one is to be.
    due: Moment,
}

/// How an attempt has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With an answer, or with a failure that no other attempt can mend.
    Final,
    /// With a failure that another attempt may mend.
    Retryable,
}

/// What follows the end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The round is over, and this was its end; whoever is still in flight is dropped.
    Commit,
    /// Others are in flight, and may still succeed.
    Wait,
}

impl Race {
    /// One attempt is in flight, and a hedge may be considered so many times.
    pub(crate) const fn new(turns: u32) -> Self {
        Self { in_flight: 1, turns, due: Moment::NEVER }
    }

    /// How many attempts are in flight.
    #[cfg(test)]
    pub(crate) const fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// When a hedge is to be considered; [`Moment::NEVER`] if none is.
    pub(crate) const fn due(&self) -> Moment {
        self.due
    }

    /// Whether a hedge may still be considered.
    pub(crate) const fn has_turns(&self) -> bool {
        self.turns > 0 && self.in_flight > 0
    }

    /// The next hedge is to be considered at `due`, if any is.
    pub(crate) const fn schedule(&mut self, due: Moment) {
        self.due = if self.has_turns() { due } else { Moment::NEVER };
    }

    /// Whether a hedge is to be considered now. It is asked once for each turn.
    pub(crate) fn take_turn(&mut self, now: Moment) -> bool {
        if self.due > now || !self.has_turns() {
            return false;
        }
        self.turns -= 1;
        self.due = Moment::NEVER;
        true
    }

    /// An attempt has started beside the others.
    pub(crate) const fn start(&mut self) {
        self.in_flight = self.in_flight.saturating_add(1);
    }

    /// No hedge is to start any more.
    pub(crate) const fn start_no_more(&mut self) {
        self.turns = 0;
        self.due = Moment::NEVER;
    }

    /// An attempt in flight has ended.
    pub(crate) const fn end(&mut self, end: End) -> Next {
        self.in_flight = self.in_flight.saturating_sub(1);
        match end {
            End::Retryable if self.in_flight > 0 => Next::Wait,
            End::Retryable | End::Final => {
                self.in_flight = 0;
                self.start_no_more();
                Next::Commit
            }
        }
    }
}
