//! Budgets.

use crate::control::Effect;

use super::{
    super::{BudgetRow, Budgets, rows::in_force},
    html::Html,
    overrides::effects,
    table::{Column, badge, bar, cell, lines, number, row, table, text},
};

const BUDGET: Column = ("budget", "budget");
const LEVEL: Column = ("level", "level");
const BALANCE: Column = ("balance", "balance");
const CAPACITY: Column = ("capacity", "of");
const NEXT: Column = ("next_retry", "next retry");
const WITHDRAWN: Column = ("withdrawn", "granted");
const REFUSED: Column = ("refused", "refused");
const GIVEN_BACK: Column = ("given_back", "given back");
const WORST: Column = ("worst_amplification", "worst amplification");
const SITES: Column = ("sites", "used by");

const COLUMNS: &[Column] =
    &[BUDGET, LEVEL, BALANCE, CAPACITY, NEXT, WITHDRAWN, REFUSED, GIVEN_BACK, WORST, SITES];

pub(super) fn write(html: &mut Html, budgets: &Budgets) {
    let mut rows: Vec<(&BudgetRow, bool)> =
        budgets.iter().map(|row| (row, !row.troubles().is_empty())).collect();
    rows.sort_by_key(|(_, wrong)| !wrong);
    table(html, "budgets", "Budgets", COLUMNS, |html| {
        for (budget, wrong) in rows {
            row(html, &[("data-budget", &budget.name())], wrong, |html| write_row(html, budget));
        }
    });
}

fn write_row(html: &mut Html, budget: &BudgetRow) {
    let (stats, bound) = (budget.stats(), budget.bound());
    let (balance, capacity) = (budget.balance(), budget.capacity());
    let overrides = budget.overrides();
    cell(html, BUDGET, |html| {
        html.name(budget.name());
        for (shown, class, word) in [
            (budget.is_off(), "bad", "off"),
            (budget.is_implicit(), "bad", "implicit"),
            (budget.is_observing(), "dull", "observing"),
            (overrides.iter().any(Effect::changes_numbers), "low", "overridden"),
        ] {
            if shown {
                badge(html, class, word);
            }
        }
        let kind = budget.settings().kind().replace('_', " ");
        let settings = in_force(&budget.settings(), &budget.declared_settings());
        html.with_text("small", &[], format_args!("{kind}: {settings}"));
        effects(html, &overrides);
        html.element("details", &[], |html| {
            html.with_text("summary", &[], "bound");
            html.text(&bound);
        });
    });
    cell(html, LEVEL, |html| bar(html, balance, capacity));
    number(html, BALANCE, format_args!("{balance:.1}"));
    number(html, CAPACITY, format_args!("{capacity:.1}"));
    text(html, NEXT, budget.next_retry());
    number(html, WITHDRAWN, stats.withdrawn);
    let refused = if budget.is_observing() { stats.would_refuse } else { stats.refused };
    number(html, REFUSED, refused);
    number(html, GIVEN_BACK, stats.given_back);
    match bound.worst_amplification() {
        worst if worst.is_finite() => number(html, WORST, format_args!("{worst:.2}")),
        _ => text(html, WORST, "unbounded"),
    }
    cell(html, SITES, |html| lines(html, budget.sites()));
}
