//! What is recorded: what happens to single attempts, for whoever debugs, and what somebody on call should see.

use std::time::Duration;

use ::tracing::{
    Level, debug, enabled, info,
    level_filters::{LevelFilter, STATIC_MAX_LEVEL},
    warn,
};

use super::{
    Silence, TARGET, Traced,
    contain::{contained, is_heard, is_telling},
    spans::panicked,
};
use crate::{
    BreakerState, Budget, Moment, RetryId, StopReason, What, config::Remark, control::Change,
    event::Origin, warning,
};

/// Whether a subscriber may want to hear of what somebody on call should see.
pub(crate) fn wants_warnings() -> bool {
    Level::WARN <= STATIC_MAX_LEVEL && Level::WARN <= LevelFilter::current() && !is_telling()
}

/// Whether a subscriber here does.
pub(crate) fn hears_warnings() -> bool {
    wants_warnings()
        && contained(|| is_heard() && enabled!(target: TARGET, Level::WARN)).unwrap_or_default()
}

// Whole numbers have a sign, as those of OpenTelemetry do: others become strings there.

pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Something has happened to a call, in the current span.
pub(super) fn of_call(what: &What) {
    match what {
        What::AttemptStarted { .. } => debug!(target: TARGET, "attempt started"),
        What::AttemptSucceeded { .. } => debug!(target: TARGET, "attempt succeeded"),
        What::AttemptFailed { classification, label, .. } => {
            debug!(
                target: TARGET,
                {
                    error.type = label,
                    stormless.kind = classification.kind().label(),
                },
                "attempt failed",
            );
        }
        What::AttemptDropped { .. } => debug!(target: TARGET, "attempt dropped"),
        What::HintUsed { asked } => {
            debug!(target: TARGET, { stormless.asked_ms = millis(*asked) }, "hint used");
        }
        What::RetryScheduled { delay } => {
            debug!(target: TARGET, { stormless.delay_ms = millis(*delay) }, "retry scheduled");
        }
        What::BudgetRefused => debug!(target: TARGET, "retry refused by the budget"),
        What::NestedSuppressed => debug!(target: TARGET, "retry left to the call around"),
        What::BreakerRefused { retry_after } => {
            debug!(
                target: TARGET,
                {
                    retry_circuit_broken = true,
                    stormless.retry_after_ms = retry_after.map(millis),
                },
                "attempt refused by the breaker",
            );
        }
        What::CallSucceeded { attempts, slept, .. } => {
            debug!(
                target: TARGET,
                {
                    stormless.attempts = i64::from(*attempts),
                    stormless.slept_ms = millis(*slept),
                },
                "call succeeded",
            );
        }
        What::CallStopped { reason, attempts, slept, .. } => {
            debug!(
                target: TARGET,
                {
                    stormless.attempts = i64::from(*attempts),
                    stormless.slept_ms = millis(*slept),
                    stormless.reason = reason.label(),
                },
                "call stopped",
            );
        }
        What::CallPanicked { attempts, .. } => {
            debug!(target: TARGET, { stormless.attempts = i64::from(*attempts) }, "call panicked");
        }
        _ => {}
    }
}

/// A call has given up: how many have in silence before it, if it is to be recorded. While nobody would see the
/// record nothing is counted.
pub(crate) fn due(silence: &Silence, reason: StopReason, now: Moment) -> Option<u64> {
    if !hears_warnings() {
        return None;
    }
    warning::record();
    silence.broken(reason, now)
}

/// A call has given up, as this says, and that is due.
pub(crate) fn gave_up(traced: Option<&mut Traced>, origin: &Origin, what: &What, suppressed: u64) {
    let What::CallStopped { reason, failure, attempts, slept, .. } = what else { return };
    let record = || {
        warn!(
            target: TARGET,
            {
                stormless.site = origin.site.name(),
                stormless.budget = origin.budget.map(Budget::name),
                stormless.retry_id = %RetryId::new(origin.call, origin.attempt),
                stormless.attempts = i64::from(*attempts),
                stormless.slept_ms = millis(*slept),
                stormless.kind = failure.map(|(classification, _)| classification.kind().label()),
                stormless.reason = reason.label(),
                error.type = failure.map(|(_, label)| label),
                retry_circuit_broken = (*reason == StopReason::BreakerOpen).then_some(true),
                suppressed = whole(suppressed),
            },
            "call gave up",
        );
    };
    let told = contained(|| match traced {
        Some(traced) => traced.warn(record),
        None => record(),
    });
    if told.is_none() {
        panicked(origin);
    }
}

/// Something has happened to what calls share.
pub(crate) fn tell(what: &What) {
    let _panicked = contained(|| of_all(what));
}

fn of_all(what: &What) {
    match what {
        What::BreakerChanged { breaker, from, to } => of_breaker(breaker, *from, *to),
        What::Warned(warning) => warn!(target: TARGET, "{warning}"),
        What::Overrides(change) => match **change {
            // Somebody meant something by it that is not in force.
            Change::Refused { .. }
            | Change::DocumentRefused { .. }
            | Change::Pending { .. }
            | Change::Remarked(Remark::UnknownVariable { nearest: Some(_), .. }) => {
                warn!(target: TARGET, "{change}");
            }
            Change::Applied { .. }
            | Change::Set(_)
            | Change::Cleared(_)
            | Change::Expired { .. }
            | Change::DocumentMended { .. }
            | Change::Remarked(
                Remark::UnknownVariable { nearest: None, .. } | Remark::Expired { .. },
            )
            | Change::ShuttingDown => info!(target: TARGET, "{change}"),
        },
        What::LostToNesting { site, outer, failures } => {
            debug!(
                target: TARGET,
                {
                    stormless.site = site,
                    stormless.outer = outer,
                    stormless.failures = whole(*failures),
                },
                "failures lost to nesting",
            );
        }
        _ => {}
    }
}

/// A breaker has changed its state: one record that it is in trouble, and one that it is over. What happens in
/// between, as its probes start and fail, is for whoever looks closer.
fn of_breaker(breaker: &str, from: BreakerState, to: BreakerState) {
    macro_rules! record {
        ($level:ident) => {
            $level!(
                target: TARGET,
                {
                    stormless.breaker = breaker,
                    stormless.from = from.label(),
                    stormless.to = to.label(),
                },
                "breaker changed its state",
            )
        };
    }
    match (from, to) {
        (BreakerState::Closed, BreakerState::Open) | (_, BreakerState::Isolated) => record!(warn),
        (_, BreakerState::Closed) => record!(info),
        (_, BreakerState::Open | BreakerState::HalfOpen) => record!(debug),
    }
}
