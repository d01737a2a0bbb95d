//! What clients that change one row need: attempts, and time.

use super::{
    Plot,
    bars::{self, Group},
    data::{Compared, Range, by_policy},
    sheet::Sheet,
};
use crate::{
    outcome::Outcome,
    scenario::{Scenario, Work},
};

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn attempts(outcome: &Outcome) -> Option<f64> {
    outcome.watched().map(|tier| tier.attempts as f64)
}

/// All begin together, so that the one that takes longest is the last one.
#[expect(clippy::cast_precision_loss, reason = "microseconds of hours")]
fn seconds(outcome: &Outcome) -> Option<f64> {
    (!outcome.latency_all.is_empty()).then(|| outcome.latency_all.max() as f64 / 1e6)
}

fn group(name: &str, policies: &[Compared<'_>], figure: fn(&Outcome) -> Option<f64>) -> Group {
    let bar = |policy: &Compared<'_>| {
        Range::of(policy.outcomes.iter().filter_map(|outcome| figure(outcome)))
    };
    Group { name: name.to_owned(), bars: policies.iter().map(bar).collect(), reference: None }
}

/// `None` where no row is changed, or nobody has.
pub(super) fn plot(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Plot> {
    let Work::Row(row) = &scenario.work else { return None };
    let policies = by_policy(scenario, outcomes);
    let groups = [
        (group("attempts", &policies, attempts), "attempts of all clients", ""),
        (group("time", &policies, seconds), "time until the last client is done (s)", " s"),
    ];
    if groups.iter().all(|(group, _, _)| group.bars.iter().all(Option::is_none)) {
        return None;
    }
    let title = format!("{}: attempts and time under contention", scenario.name);
    let seeds = policies.iter().map(|policy| policy.outcomes.len()).max().unwrap_or(0);
    let over =
        if seeds > 1 { format!("; median and range of {seeds} seeds") } else { String::new() };
    let how = format!("{} clients that change one row{over}.", row.clients);
    let mut sheet = Sheet::new(&title, &[&scenario.title, &how]);
    for (group, axis, unit) in groups {
        bars::draw(&mut sheet, &policies, &[group], axis, unit);
    }
    Some(Plot {
        name: "contention",
        reading: "Shorter is better in both. Without jitter, those who have lost a race meet again in the next one: \
                  many attempts, and a long time. Longer delays make fewer attempts and can take more time.",
        svg: sheet.finish(&title),
        title,
    })
}
