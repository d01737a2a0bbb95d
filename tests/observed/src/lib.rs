//! Scripted scenarios, and all that is told of them: the sequence of events, the spans and records, and what
//! metrics have changed. What is compared is everything that was told, and not a selection.

#![forbid(unsafe_code)]

mod journal;
#[path = "../../support/spans.rs"]
mod spans;
mod sums;
mod words;

use measured::Board;
use stormless::{
    control, metrics,
    testing::{self, isolated},
};

/// What is expected of a scenario. Lines may be indented; empty ones say nothing.
#[derive(Clone, Copy, Debug)]
pub struct Scenario<'a> {
    /// How many calls begin.
    pub calls: u64,
    /// When, of which attempt and what: `  20 #1-2 attempt succeeds after 20ms`.
    pub events: &'a str,
    /// The spans of calls (`#1`) and attempts (`#1-2`), and the records in them: `+` opens, `-` closes, `~` is
    /// polled, `=` gets fields, `#1-2 DEBUG` is a record.
    pub spans: &'a str,
    /// Each series that has changed, by its name without `stormless_` and its labels: what was counted, what a
    /// histogram has got, and what a gauge was and is.
    pub metrics: &'a str,
}

/// What was told of a scenario, a line each.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    /// As [`Scenario::events`].
    pub events: Vec<String>,
    /// As [`Scenario::spans`].
    pub spans: Vec<String>,
    /// As [`Scenario::metrics`].
    pub metrics: Vec<String>,
}

/// Runs a scenario in a test of its own, with the shortest delays where they are drawn, and writes down all that
/// is told of its calls. Looks at what must add up, and that a refresh finds no metric that events have left
/// behind.
///
/// # Panics
///
/// If anything does not add up.
pub async fn told_of<F: Future>(calls: u64, scenario: F) -> Told {
    isolated(async {
        testing::jitter(testing::Jitter::Lowest);
        control::count_successes(true);
        let (_installed, board) = Board::install();
        let before = board.read();
        let events = testing::events();
        let (log, subscribed) = spans::subscribed();
        scenario.await;
        drop(subscribed);
        let (events, after) = (events.take(), board.read());
        sums::assert_add_up(calls, &events, &after);
        metrics::refresh();
        let stale = board.read().changes_since(&after);
        assert!(stale.is_empty(), "only a refresh has told: {stale:#?}");
        let calls = words::Calls::of(&events);
        Told {
            events: calls.tell(&events),
            spans: journal::tell(&log, &calls),
            metrics: after.changes_since(&before),
        }
    })
    .await
}

impl Scenario<'_> {
    /// Runs it, and compares all of it.
    ///
    /// # Panics
    ///
    /// If anything else was told, with all of that.
    pub async fn is_told_of<F: Future>(self, scenario: F) {
        let Told { events, spans, metrics } = told_of(self.calls, scenario).await;
        let parts = [
            ("events", self.events, events),
            ("spans", self.spans, spans),
            ("metrics", self.metrics, metrics),
        ];
        let wrong: Vec<String> = parts
            .into_iter()
            .filter(|(_, expected, told)| !is_same(expected, told))
            .map(|(part, _, told)| format!("\n{part}:\n{}\n", told.join("\n")))
            .collect();
        assert!(wrong.is_empty(), "this is what was told instead:\n{}", wrong.concat());
    }
}

fn is_same(expected: &str, told: &[String]) -> bool {
    let expected = expected.lines().map(str::trim).filter(|line| !line.is_empty());
    expected.eq(told.iter().map(|line| line.trim()))
}
