//! One call: what it is told, what its bodies end in, and what has to become of it.

use std::time::Duration;

use stormless::{Outcome, Policy, StopReason};

use crate::script::Failure;

/// What a body does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Gives(u32),
    Fails(Failure),
    /// Until it is dropped.
    Hangs,
    /// Gives 7 after this long.
    Takes(Duration),
}

/// The settings that are not values, so that each form writes them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Paid by [`FORMS`](crate::observe::FORMS).
    Paid,
    /// Paid by the site's own bucket.
    Own,
    /// Paid by the budget that answers to the name.
    Named,
    Unpaid,
    /// With an attempt timeout of 100 ms.
    Timed,
    /// The same, but not for the last attempt.
    LastUntimed,
    /// Asks [`GUARD`](crate::observe::GUARD).
    Guarded,
    /// Where 503 is a failure, though `Ok`.
    Answering,
    /// Where everything is transient.
    Classed,
    /// With the key `order-7`.
    Keyed,
    /// With a `RetryError`.
    Explained,
    /// With a deadline that ends no running attempt.
    Uncut,
    /// With another attempt beside one that takes longer than 30 ms, where the row is harmless.
    Hedged,
    /// With an attempt only where there is time for one, going by the last ones.
    Foreseen,
    /// Paid by the bucket of a key, too.
    ByKey,
    /// Paid by [`SHEDS`](crate::observe::SHEDS), which may refuse it.
    Shed,
    /// With a hook.
    Told,
    /// Idempotent where the row is [harmless](Row::harmless).
    Harmless,
}

/// Where the call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    Nothing,
    /// The attempt of an annotated function, which has two.
    Attempt,
    /// The same, which lets the calls inside retry.
    Allowing,
    /// A scope without retries.
    Off,
    /// A scope with a deadline of 25 ms.
    Deadline,
}

#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) what: &'static str,
    pub(crate) policy: Policy,
    pub(crate) shape: Shape,
    pub(crate) around: Around,
    pub(crate) deadline: Option<Duration>,
    pub(crate) harmless: bool,
    /// Calls of one attempt, which are made before.
    pub(crate) before: Vec<Step>,
    /// How many retries are taken from the budget before.
    pub(crate) drained: u32,
    /// The breaker is opened before.
    pub(crate) open: bool,
    /// The call is dropped after this long.
    pub(crate) dropped_after: Option<Duration>,
    pub(crate) steps: Vec<Step>,
    pub(crate) wanted: Seen,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    /// `None` where it was dropped.
    pub(crate) result: Option<Result<u32, Failure>>,
    /// The attempt that each body saw.
    pub(crate) bodies: Vec<u32>,
    /// When each body started, in milliseconds.
    pub(crate) starts: Vec<u64>,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<StopReason>,
    /// The delays that were decided on, in milliseconds.
    pub(crate) delays: Vec<u64>,
    /// The delays that the hook was told.
    pub(crate) told: Vec<u64>,
    /// What is left in the budget, in thousandths of a retry.
    pub(crate) balance: u64,
    pub(crate) counted: Counted,
    pub(crate) warnings: usize,
}

/// What the site counts: failures, retries, calls that recovered, and stops for the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) failures: u64,
    pub(crate) retries: u64,
    pub(crate) recovered: u64,
    pub(crate) stopped: u64,
}

impl Row {
    /// Whether a form that cannot end or drop a running body can run it.
    pub(crate) fn can_block(&self) -> bool {
        let hangs = self.steps.iter().any(|step| matches!(step, Step::Hangs));
        let timed = matches!(self.shape, Shape::Timed | Shape::LastUntimed | Shape::Hedged);
        !hangs && !timed && self.dropped_after.is_none()
    }
}
