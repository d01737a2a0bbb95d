//! Breakers.

use std::time::Duration;

use crate::{BreakerState, isolation};

use super::{
    super::{BreakerRow, Breakers, rows::in_force},
    html::Html,
    overrides::effects,
    table::{Column, badge, cell, counted, lines, number, row, table, text},
};

const BREAKER: Column = ("breaker", "breaker");
const STATE: Column = ("state", "state");
const OPENS_IN: Column = ("opens_in", "lets through in");
const OPENED: Column = ("opened", "opened");
const SUCCESSES: Column = ("successes", "ok");
const FAILURES: Column = ("failures", "failed");
const TIMEOUTS: Column = ("timeouts", "timeouts");
const SLOW: Column = ("slow", "slow");
const REJECTED: Column = ("rejected", "refused");
const CANCELLED: Column = ("cancelled", "dropped");
const IGNORED: Column = ("ignored", "ignored");
const SITES: Column = ("sites", "used by");

const COLUMNS: &[Column] = &[
    BREAKER, STATE, OPENS_IN, OPENED, SUCCESSES, FAILURES, TIMEOUTS, SLOW, REJECTED, CANCELLED,
    IGNORED, SITES,
];

pub(super) fn write(html: &mut Html, breakers: &Breakers) {
    let mut rows: Vec<(&BreakerRow, bool)> =
        breakers.iter().map(|row| (row, !row.troubles().is_empty())).collect();
    rows.sort_by_key(|(_, wrong)| !wrong);
    table(html, "breakers", "Breakers", COLUMNS, |html| {
        for (breaker, wrong) in rows {
            row(html, &[("data-breaker", &breaker.name())], wrong, |html| write_row(html, breaker));
        }
    });
}

/// How a state is marked, here and beside functions.
pub(super) const fn class_of(state: BreakerState) -> &'static str {
    match state {
        BreakerState::Closed => "good",
        BreakerState::Open | BreakerState::HalfOpen | BreakerState::Isolated => "bad",
    }
}

fn write_row(html: &mut Html, breaker: &BreakerRow) {
    let state = breaker.state();
    let counts = breaker.stats();
    let overrides = breaker.overrides();
    cell(html, BREAKER, |html| {
        html.name(breaker.name());
        if breaker.is_implicit() {
            badge(html, "bad", "implicit");
        }
        if !overrides.is_empty() {
            badge(html, "low", "overridden");
        }
        html.with_text("small", &[], in_force(&breaker.settings(), &breaker.declared_settings()));
        effects(html, &overrides);
    });
    cell(html, STATE, |html| {
        let class = format!("badge {}", class_of(state));
        html.with_text("span", &[("class", &class)], state);
    });
    match breaker.opens_in() {
        Some(Duration::ZERO) => text(html, OPENS_IN, "now"),
        Some(time) if time != Duration::MAX => {
            text(html, OPENS_IN, format_args!("{:.1} s", time.as_secs_f64()));
        }
        _ => text(html, OPENS_IN, "when it is closed by hand"),
    }
    for (column, count) in [
        (OPENED, counts.opened),
        (FAILURES, counts.failures),
        (TIMEOUTS, counts.timeouts),
        (SLOW, counts.slow),
        (REJECTED, counts.rejected),
        (CANCELLED, counts.cancelled),
        (IGNORED, counts.ignored),
    ] {
        if column == FAILURES {
            counted(html, SUCCESSES, isolation::counting(), counts.successes);
        }
        number(html, column, count);
    }
    cell(html, SITES, |html| lines(html, breaker.sites()));
}
