//! What an enclosing call is told of a failure that it may repeat.

use crate::{
    Cut, StopReason, Warning, What,
    budget::Price,
    context::{self, IDEMPOTENT, SUPPRESS},
    event,
    few::Few,
    machine::Facts,
    side::{self, InnerFailure},
    site::{Count, Site},
    warning::warn,
};

use super::Call;

impl Call {
    /// Whether an enclosing call may repeat what may have been carried out.
    pub(super) const fn outer_repeats(&self) -> bool {
        self.is(SUPPRESS) && self.is(IDEMPOTENT)
    }

    /// Whether this call was refused because of what its budget knows, and not by a breaker, which says
    /// when to come back.
    fn was_shed(&self) -> bool {
        let cut = self.cold.as_ref().and_then(|cold| cold.cut());
        let refused = matches!(cut, Some(Cut::BreakerOpen(open)) if open.retry_after().is_none());
        self.site.is_shedding() && refused
    }

    /// Leaves word with the enclosing call, which may repeat this failure; or counts what nobody
    /// repeats.
    pub(super) fn tell_outer(&self, facts: Facts, reason: StopReason, mut inner: InnerFailure) {
        if !self.is(SUPPRESS) {
            // This call could have repeated what its inner calls did not, and its own rules said no.
            let refused = matches!(
                reason,
                StopReason::Permanent
                    | StopReason::MaybeExecuted
                    | StopReason::ServerRefusedRetry
                    | StopReason::Cancelled
                    | StopReason::Declined
                    | StopReason::Unrepeatable
            );
            if refused {
                lost(&inner.unretried, self.site);
            }
            return;
        }
        // Who repeats it is another process, which pays by its own budgets and tells nobody here whether it does.
        if self.outer == 0 {
            return;
        }
        // A call that was refused or out of time before its first attempt has asked nothing of anybody, so
        // that a repetition of it is no retry for whoever it would have asked. What was shed would have been
        // sent, and is not sent by way of a repetition for nothing.
        let owes = self.was_shed() || !self.cold.as_ref().is_some_and(|cold| cold.unstarted);
        if let Some(budget) = self.budget().filter(|_| owes) {
            inner.debts.push_front((budget, Price::after(&facts.classification)));
        }
        if reason == StopReason::Nested {
            inner.left_to_outer(self.site);
        }
        // A future may be finished elsewhere than where it was begun, and then nobody here repeats it.
        let outer = context::ambient();
        let told = if outer.call_half() == self.outer {
            side::inner_failed(&outer, inner)
        } else {
            Err(inner)
        };
        if let Err(left) = told {
            // Whoever would have repeated it has moved on, so there is no pair to warn about.
            count_lost(&left.unretried);
        }
    }
}

/// Counts failures that suppression kept from being retried by anyone, and warns once for each pair of
/// functions.
pub(super) fn lost(unretried: &Few<(&'static Site, u64)>, outer: &'static Site) {
    count_lost(unretried);
    for (site, failures) in unretried {
        let (site, failures) = (*site, *failures);
        let lost = What::LostToNesting { site: site.name(), outer: outer.name(), failures };
        event::tell(|| lost);
        warn(Warning::LostToNesting { site: site.name(), outer: outer.name() });
    }
}

fn count_lost(unretried: &Few<(&'static Site, u64)>) {
    for (site, failures) in unretried {
        site.state().add_many(Count::LostToNesting, *failures);
    }
}
