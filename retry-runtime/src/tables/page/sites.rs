//! Functions.

use crate::{control::Effect, isolation};

use super::{
    super::{BreakerRow, Breakers, BudgetRow, Budgets, SiteRow, Sites},
    breakers::class_of,
    html::Html,
    overrides::effects,
    table::{Column, badge, bar, cell, counted, lines, number, row, table, text},
};

const SITE: Column = ("site", "function");
const BUDGET: Column = ("budget", "budget");
const BREAKER: Column = ("breaker", "breaker");
const CALLS: Column = ("calls", "calls");
const SUCCESS: Column = ("success", "ok at once");
const SUCCESS_AFTER_RETRY: Column = ("success_after_retry", "ok after retry");
const FAILURE: Column = ("failure", "failed at once");
const FAILURE_AFTER_RETRY: Column = ("failure_after_retry", "failed after retry");
const ATTEMPTS: Column = ("attempts", "attempts");
const FAILURES: Column = ("failures", "failures");
const RETRIES: Column = ("retries", "retries");
const ERRORS: Column = ("errors", "what failed, and why calls stopped then");
const STOPS: Column = ("stops", "why calls stopped");
const LOST: Column = ("lost_to_nesting", "lost to nesting");
const UNCUT: Column = ("uncut", "not cut");
const LONGEST: Column = ("longest_call", "longest call");

const COLUMNS: &[Column] = &[
    SITE,
    BUDGET,
    BREAKER,
    CALLS,
    SUCCESS,
    SUCCESS_AFTER_RETRY,
    FAILURE,
    FAILURE_AFTER_RETRY,
    ATTEMPTS,
    FAILURES,
    RETRIES,
    ERRORS,
    STOPS,
    LOST,
    UNCUT,
    LONGEST,
];

/// So many kinds of errors are shown of one function; JSON has all of them.
const MOST_ERRORS: usize = 5;

pub(super) fn write(html: &mut Html, sites: &Sites, budgets: &Budgets, breakers: &Breakers) {
    let mut rows: Vec<(&SiteRow, bool)> =
        sites.iter().map(|row| (row, !row.troubles().is_empty())).collect();
    // Then what fails, by name.
    rows.sort_by_key(|(row, wrong)| (!wrong, row.failures() == 0));
    table(html, "sites", "Functions", COLUMNS, |html| {
        for (site, wrong) in rows {
            row(html, &[("data-site", &site.name())], wrong, |html| {
                write_name(html, site);
                write_budget(html, site, budgets);
                write_breaker(html, site, breakers);
                write_counts(html, site);
            });
        }
    });
    if !isolation::counting() {
        let note = "Calls that succeed at once are not counted: `control::count_successes(true)` \
                    has them counted.";
        html.with_text("p", &[("id", &"not-counting")], note);
    }
}

fn write_name(html: &mut Html, site: &SiteRow) {
    let ((file, line), overrides) = (site.place(), site.overrides());
    cell(html, SITE, |html| {
        html.name(&site.name());
        if site.is_off() {
            badge(html, "bad", "off");
        }
        if site.blocks_runtime() {
            badge(html, "bad", "blocks a runtime");
        }
        if overrides.iter().any(Effect::changes_numbers) {
            badge(html, "low", "overridden");
        }
        html.element("small", &[], |html| write_policy(html, site));
        effects(html, &overrides);
        html.with_text("small", &[], format_args!("{file}:{line}"));
    });
}

/// What is in force, with a mark where that is not what was declared.
fn write_policy(html: &mut Html, site: &SiteRow) {
    for (number, word) in site.words().iter().enumerate() {
        html.text(if number == 0 { "" } else { ", " });
        match &word.declared {
            Some(declared) => {
                html.with_text("mark", &[], &word.text);
                html.text(&format_args!(" (declared: {declared})"));
            }
            None => html.text(&word.text),
        }
    }
}

fn write_budget(html: &mut Html, site: &SiteRow, budgets: &Budgets) {
    cell(html, BUDGET, |html| {
        html.with_text("bdi", &[], site.budget().unwrap_or("-"));
        let named: Option<&BudgetRow> = site.budget().and_then(|name| budgets.get(name));
        if let Some(balance) = site.own_balance() {
            bar(html, balance, site.own_capacity());
        } else if let Some(budget) = named {
            bar(html, budget.balance(), budget.capacity());
            if budget.is_off() {
                badge(html, "bad", "off");
            }
        }
    });
}

fn write_breaker(html: &mut Html, site: &SiteRow, breakers: &Breakers) {
    cell(html, BREAKER, |html| {
        html.with_text("bdi", &[], site.breaker().unwrap_or("-"));
        let named: Option<&BreakerRow> = site.breaker().and_then(|name| breakers.get(name));
        if let Some(state) = named.map(BreakerRow::state) {
            badge(html, class_of(state), &state.to_string());
        }
    });
}

fn write_counts(html: &mut Html, site: &SiteRow) {
    let outcomes = site.outcomes();
    let all = site.counts_successes();
    for (column, is_known, count) in [
        (CALLS, all, outcomes.calls()),
        (SUCCESS, all, outcomes.success),
        (SUCCESS_AFTER_RETRY, true, outcomes.success_after_retry),
        (FAILURE, true, outcomes.failure),
        (FAILURE_AFTER_RETRY, true, outcomes.failure_after_retry),
        (ATTEMPTS, all, site.attempts()),
        (FAILURES, true, site.failures()),
        (RETRIES, true, site.retries()),
    ] {
        counted(html, column, is_known, count);
    }
    cell(html, ERRORS, |html| {
        let errors = site.errors();
        lines(html, errors.iter().take(MOST_ERRORS));
        if let more @ 1.. = errors.len().saturating_sub(MOST_ERRORS) {
            lines(html, [format_args!("and {more} more")]);
        }
    });
    cell(html, STOPS, |html| lines(html, site.stopped()));
    number(html, LOST, site.lost_to_nesting());
    number(html, UNCUT, site.uncut());
    text(html, LONGEST, site.longest_call());
}
