//! What pays for a site's retries, and why it was not asked, or refused.

use std::sync::{Arc, PoisonError, RwLock};

use ::metrics::{Counter, Recorder, SharedString};

use super::catalogue::{RETRIES_REFUSED, SITE_BUDGET, counter, gauge};
use super::gauges::Level;
use crate::StopReason;

/// So many budgets of one site are told apart; those that it names in its attribute are one, and more come
/// from expressions.
const MOST: usize = 64;

/// The label of all for whom there was no room.
const OTHERS: &str = "(other budgets)";

const REASONS: usize = StopReason::ALL.len();

/// Why a call that panicked was not retried.
const PANICKED: &str = "panicked";

/// The budgets of one site, by their names; `None` for no budget.
#[derive(Default)]
pub(super) struct Payers(RwLock<Vec<(Option<&'static str>, Payer)>>);

/// A budget, as one site uses it.
pub(super) struct Payer {
    stopped: [Counter; REASONS],
    panicked: Counter,
    level: Option<Arc<Level>>,
}

impl Payer {
    /// Registers all that a site may say of a budget, so that each reason is there before it is needed.
    pub(super) fn new(
        recorder: &dyn Recorder,
        site: &SharedString,
        budget: &SharedString,
        level: Option<Arc<Level>>,
    ) -> Self {
        gauge(recorder, &SITE_BUDGET, &[("site", site), ("budget", budget)]).set(1.0);
        let refused = |reason: &'static str| {
            let reason = SharedString::const_str(reason);
            let labels = [("site", site), ("budget", budget), ("reason", &reason)];
            counter(recorder, &RETRIES_REFUSED, &labels)
        };
        let stopped = std::array::from_fn(|at| refused(StopReason::ALL[at].label()));
        Self { stopped, panicked: refused(PANICKED), level }
    }

    /// A call failed; `None` if it panicked.
    pub(super) fn count_failed_call(&self, reason: Option<StopReason>) {
        let counter = match reason {
            Some(reason) => &self.stopped[reason as usize],
            None => &self.panicked,
        };
        counter.increment(1);
    }

    /// How full it is by now.
    pub(super) fn refresh(&self) {
        if let Some(level) = &self.level {
            level.refresh();
        }
    }
}

impl Payers {
    /// Looks at the budget of this name, which is made known first if it is new to the site: `make` is told
    /// by which label.
    pub(super) fn with(
        &self,
        name: Option<&'static str>,
        make: impl FnOnce(Option<&'static str>) -> Payer,
        look: impl FnOnce(&Payer),
    ) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = find(&known, name) {
            return look(found);
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let name =
            if find(&known, name).is_none() && known.len() >= MOST { Some(OTHERS) } else { name };
        if find(&known, name).is_none() {
            known.push((name, make(name)));
        }
        if let Some(found) = find(&known, name) {
            look(found);
        }
    }
}

fn find<'a>(known: &'a [(Option<&'static str>, Payer)], name: Option<&str>) -> Option<&'a Payer> {
    known.iter().find(|(known, _)| *known == name).map(|(_, payer)| payer)
}
