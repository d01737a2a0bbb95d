//! Everything that can stop a retry but its breaker and its budget.

use std::time::Duration;

use super::{Nesting, RESOLUTION, Situation};
use crate::{Classification, Execution, Hint, Kind, Moment, Policy, StopReason, time::nanos};

/// Whether another attempt can mend this.
pub(crate) fn classify(classification: &Classification, policy: &Policy) -> Result<(), StopReason> {
    match classification.kind() {
        Kind::Permanent => return Err(StopReason::Permanent),
        Kind::Cancelled => return Err(StopReason::Cancelled),
        Kind::Transient | Kind::Throttled | Kind::Timeout | Kind::Conflict => {}
    }
    if classification.hint() == Some(Hint::DoNotRetry) {
        return Err(StopReason::ServerRefusedRetry);
    }
    if classification.execution() != Execution::NotExecuted && !policy.is_idempotent() {
        return Err(StopReason::MaybeExecuted);
    }
    Ok(())
}

/// Whether attempts are left, those of single classes aside.
pub(crate) fn attempts_left(situation: &Situation<'_>) -> Result<(), StopReason> {
    let limit = situation.policy.max_attempts().unwrap_or(u32::MAX).min(situation.allowed);
    let left = limit == u32::MAX || situation.attempt < limit;
    if left { Ok(()) } else { Err(StopReason::AttemptsExhausted) }
}

/// Whether nobody and nothing keeps this call from retrying.
pub(crate) fn switches(
    classification: &Classification,
    situation: &Situation<'_>,
) -> Result<(), StopReason> {
    if situation.off || situation.policy.check().is_err() {
        return Err(StopReason::Disabled);
    }
    match situation.nesting {
        Nesting::Free => Ok(()),
        // Nobody outside can repeat this failure: what may have been executed is retried by
        // `idempotent` calls alone, and this one is the outermost of them.
        Nesting::Suppressed { outer_idempotent: false }
            if classification.execution() != Execution::NotExecuted
                && situation.policy.is_idempotent() =>
        {
            Ok(())
        }
        Nesting::Suppressed { .. } => Err(StopReason::Nested),
    }
}

/// The longest delay, in nanoseconds and in whole steps of the timer, after which an attempt may still
/// start before the deadline.
pub(super) fn room(situation: &Situation<'_>) -> u64 {
    if situation.deadline == Moment::NEVER {
        return u64::MAX;
    }
    let left = nanos(situation.now.until(situation.deadline));
    let before = left.saturating_sub(situation.least_remaining()).saturating_sub(1);
    before / RESOLUTION * RESOLUTION
}

/// Whether an attempt may start after `delay`.
pub(crate) fn fits(delay: Duration, situation: &Situation<'_>) -> Result<(), StopReason> {
    if situation.deadline == Moment::NEVER {
        return Ok(());
    }
    let left = nanos(situation.now.until(situation.deadline));
    let needed = nanos(delay).saturating_add(situation.least_remaining());
    if left == 0 {
        return Err(StopReason::DeadlineExceeded);
    }
    // Strictly less than the time left: the attempt must start before the deadline, not at it.
    if needed < left { Ok(()) } else { Err(StopReason::DeadlineTooClose) }
}
