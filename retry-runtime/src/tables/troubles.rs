//! What somebody on call wants to know first: what is off, open, empty, implicit or lost.

use crate::{
    BreakerState, NextRetry,
    control::{Effect, Layer, OverrideRow, OverrideTable, Target},
    isolation,
};

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

const ORDER: [&str; 16] = [
    SHUTDOWN,
    OFF,
    REFUSED,
    UNMATCHED,
    ISOLATED,
    OPEN,
    HALF_OPEN,
    EXHAUSTED,
    IMPLICIT,
    LOST,
    UNCUT,
    BLOCKS,
    CONTRADICTS,
    HOOK,
    MISSED,
    OBSERVING,
];
const SHUTDOWN: &str = "shutting-down";
const OFF: &str = "off";
const REFUSED: &str = "refused";
const UNMATCHED: &str = "unmatched";
const ISOLATED: &str = "isolated";
const OPEN: &str = "open";
const HALF_OPEN: &str = "half-open";
const EXHAUSTED: &str = "exhausted";
const IMPLICIT: &str = "implicit";
const LOST: &str = "lost";
const UNCUT: &str = "uncut";
const BLOCKS: &str = "blocks";
const CONTRADICTS: &str = "contradicts";
const HOOK: &str = "hook";
const MISSED: &str = "missed";
const OBSERVING: &str = "observing";

/// Everything, the worst first.
pub(super) fn all(
    sites: &Sites,
    budgets: &Budgets,
    breakers: &Breakers,
    overrides: &OverrideTable,
) -> Vec<Trouble> {
    let mut troubles: Vec<_> = of_the_process(overrides)
        .into_iter()
        .chain(overrides.refused().map(refused))
        .chain(overrides.iter().flat_map(OverrideRow::troubles))
        .chain(budgets.iter().flat_map(BudgetRow::troubles))
        .chain(breakers.iter().flat_map(BreakerRow::troubles))
        .chain(sites.iter().flat_map(SiteRow::troubles))
        .chain(of_observers())
        .collect();
    troubles.sort_by_key(|trouble| ORDER.iter().position(|what| *what == trouble.what));
    troubles
}

fn of_the_process(overrides: &OverrideTable) -> Vec<Trouble> {
    let trouble = |what, text| Trouble { what, subject: "all functions".to_owned(), text };
    let going = "nothing is retried any more: the process shuts down";
    let shutdown = overrides.is_shutting_down().then(|| trouble(SHUTDOWN, going.to_owned()));
    let said = overrides.iter().rev().filter(|row| *row.target() == Target::All);
    let said = said.filter(|row| row.values().any(|(key, _)| key == "retries"));
    let off = said.take(1).filter(|row| row.switches_off()).map(|row| {
        // A site or a budget may be excepted.
        let text = if isolation::is_off() {
            "retries are switched off everywhere"
        } else {
            "retries are switched off, but for what is excepted"
        };
        trouble(OFF, format!("{text}: {}", row.source()))
    });
    shutdown.into_iter().chain(off).collect()
}

fn refused((layer, why): (Layer, &str)) -> Trouble {
    let text = format!("its document was refused, and what it said before holds: {why}");
    Trouble { what: REFUSED, subject: format!("layer `{layer}`"), text }
}

impl OverrideRow {
    fn troubles(&self) -> Vec<Trouble> {
        let unmatched = self.is_pending().then(|| {
            let meant = self.nearest().map(|near| format!(": did you mean `{near}`?"));
            let meant = meant.unwrap_or_default();
            (UNMATCHED, format!("the layer `{}` overrides what is not there{meant}", self.layer()))
        });
        let ambiguous = self.ambiguous().map(|places| {
            let places = places.join(", ");
            let text = "overrides all of several functions of one name";
            (UNMATCHED, format!("the layer `{}` {text}: {places}", self.layer()))
        });
        let without = self.contradicted().map(|(site, key, why)| {
            Some((CONTRADICTS, format!("`{site}` does without its `{key}`: {why}")))
        });
        about(
            &self.target().to_string(),
            [unmatched, ambiguous].into_iter().chain(without).collect(),
        )
    }
}

/// What those who listen have not heard.
fn of_observers() -> Vec<Trouble> {
    let (lost, panics) = isolation::observers().missed();
    let counted = vec![
        counted(MISSED, lost, "events that they missed, because too many waited for them"),
        counted(HOOK, panics, "panics of theirs"),
    ];
    about("observers", counted)
}

/// That retries are off, and who says so.
fn switched_off(text: &str, overrides: &[Effect]) -> (&'static str, String) {
    let by = overrides.iter().find(|effect| effect.switches_off());
    let by = by.map(|effect| format!(": {}", effect.source())).unwrap_or_default();
    (OFF, format!("{text}{by}"))
}

/// Those that are there, about one subject.
fn about(subject: &str, troubles: Vec<Option<(&'static str, String)>>) -> Vec<Trouble> {
    let troubles = troubles.into_iter().flatten();
    troubles.map(|(what, text)| Trouble { what, subject: subject.to_owned(), text }).collect()
}

fn counted(what: &'static str, count: u64, text: &str) -> Option<(&'static str, String)> {
    (count > 0).then(|| (what, format!("{text}: {count}")))
}

impl SiteRow {
    pub(super) fn troubles(&self) -> Vec<Trouble> {
        let uncut = "attempts that no limit could cut, because the error type cannot express it";
        let blocks = "it waits on its thread, and was called inside an async runtime";
        about(
            &self.name(),
            vec![
                self.is_off()
                    .then(|| switched_off("its retries are switched off", &self.overrides())),
                counted(LOST, self.lost_to_nesting(), "failures that nobody retried"),
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
        let off = "the retries it pays for are switched off";
        let empty = format!("it grants the next retry {next}; refused so far: {}", stats.refused);
        about(
            self.name(),
            vec![
                self.is_off().then(|| switched_off(off, &self.overrides())),
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
            BreakerState::Open => Some((OPEN, format!("it refuses all calls; so far: {rejected}"))),
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
