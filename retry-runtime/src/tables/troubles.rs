//! What somebody on call wants to know first: what is off, open, empty, implicit or lost.

use crate::{BreakerState, NextRetry, isolation};

use super::{BreakerRow, Breakers, BudgetRow, Budgets, SiteRow, Sites};

/// Something that is not as it is on a good day.
#[derive(Debug)]
pub(super) struct Trouble {
    /// In one word, the same for all of its kind. What is worst comes first in [`ORDER`].
    pub(super) what: &'static str,
    /// Whom it is about.
    pub(super) subject: String,
    pub(super) text: String,
}

const ORDER: [&str; 11] =
    [OFF, ISOLATED, OPEN, HALF_OPEN, EXHAUSTED, IMPLICIT, LOST, UNCUT, BLOCKS, HOOK, OBSERVING];
const OFF: &str = "off";
const ISOLATED: &str = "isolated";
const OPEN: &str = "open";
const HALF_OPEN: &str = "half-open";
const EXHAUSTED: &str = "exhausted";
const IMPLICIT: &str = "implicit";
const LOST: &str = "lost";
const UNCUT: &str = "uncut";
const BLOCKS: &str = "blocks";
const HOOK: &str = "hook";
const OBSERVING: &str = "observing";

/// Everything, the worst first.
pub(super) fn all(sites: &Sites, budgets: &Budgets, breakers: &Breakers) -> Vec<Trouble> {
    let everywhere = isolation::is_off().then(|| Trouble {
        what: OFF,
        subject: "all functions".to_owned(),
        text: "retries are switched off everywhere".to_owned(),
    });
    let mut troubles: Vec<_> = everywhere
        .into_iter()
        .chain(budgets.iter().flat_map(BudgetRow::troubles))
        .chain(breakers.iter().flat_map(BreakerRow::troubles))
        .chain(sites.iter().flat_map(SiteRow::troubles))
        .collect();
    troubles.sort_by_key(|trouble| ORDER.iter().position(|what| *what == trouble.what));
    troubles
}

/// Those that are there, about one subject.
fn about(subject: &str, troubles: Vec<Option<(&'static str, String)>>) -> Vec<Trouble> {
    let troubles = troubles.into_iter().flatten();
    troubles.map(|(what, text)| Trouble { what, subject: subject.to_owned(), text }).collect()
}

fn counted(what: &'static str, count: u64, text: &str) -> Option<(&'static str, String)> {
    (count > 0).then(|| (what, format!("{count} {text}")))
}

impl SiteRow {
    pub(super) fn troubles(&self) -> Vec<Trouble> {
        let uncut = "attempts could not be cut, because the error type cannot express it";
        let blocks = "it waits on its thread, and was called inside an async runtime";
        about(
            &self.name(),
            vec![
                self.is_off().then(|| (OFF, "its retries are switched off".to_owned())),
                counted(LOST, self.lost_to_nesting(), "failures were retried by nobody"),
                counted(UNCUT, self.uncut(), uncut),
                self.blocks_runtime().then(|| (BLOCKS, blocks.to_owned())),
                counted(HOOK, self.hook_panics(), "panics of its hooks"),
            ],
        )
    }
}

impl BudgetRow {
    pub(super) fn troubles(&self) -> Vec<Trouble> {
        let (next, stats) = (self.next_retry(), self.stats());
        // What nobody asks for a retry misses none.
        let exhausted = next != NextRetry::Now && stats.withdrawn + stats.refused > 0;
        let empty = format!("it grants the next retry {next}; {} were refused", stats.refused);
        about(
            self.name(),
            vec![
                self.is_off().then(|| (OFF, "the retries it pays for are switched off".to_owned())),
                exhausted.then_some((EXHAUSTED, empty)),
                self.is_implicit().then(|| (IMPLICIT, "no declaration has this name".to_owned())),
                self.is_observing().then(|| (OBSERVING, "it refuses nothing".to_owned())),
            ],
        )
    }
}

impl BreakerRow {
    pub(super) fn troubles(&self) -> Vec<Trouble> {
        let rejected = self.stats().rejected;
        let state = match self.state() {
            BreakerState::Closed => None,
            BreakerState::Open => Some((OPEN, format!("it refuses all calls; {rejected} so far"))),
            BreakerState::HalfOpen => Some((HALF_OPEN, "it lets only probes through".to_owned())),
            BreakerState::Isolated => {
                Some((ISOLATED, "it refuses all calls until it is closed by hand".to_owned()))
            }
        };
        let implicit = || (IMPLICIT, "no declaration has this name".to_owned());
        about(self.name(), vec![state, self.is_implicit().then(implicit)])
    }
}

#[cfg(test)]
mod tests {
    use super::ORDER;

    #[test]
    fn each_kind_of_trouble_has_one_place() {
        for (place, what) in ORDER.iter().enumerate() {
            assert_eq!(ORDER.iter().position(|other| other == what), Some(place));
        }
    }
}
