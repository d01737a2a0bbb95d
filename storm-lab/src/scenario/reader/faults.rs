//! What goes wrong.

use std::time::Duration;

use retry_grammar::diagnostics::{did_you_mean, list};
use toml::de::DeValue;

use super::{
    table::{Table, quoted},
    tiers,
    value::Value,
};
use crate::scenario::{
    Distribution, Fault, FaultKind, Tier, Window,
    keys::{FAULTS, Section},
};

/// More faults than anybody can follow; a request remembers the number of its own.
const MOST: usize = 65_534;

/// All of them. `tiers` is `None` where something is wrong with these already.
pub(super) fn read(
    value: &Value<'_>,
    tiers: Option<&[Tier]>,
    duration: Option<Duration>,
) -> Vec<Fault> {
    let members = match value.content {
        DeValue::Table(_) => vec![value.clone()],
        _ => value.list().unwrap_or_default(),
    };
    if members.len() > MOST {
        value.wrong(format!("there are {} faults: write at most {MOST}", members.len()));
        return Vec::new();
    }
    members.iter().filter_map(|member| read_one(member, tiers, duration)).collect()
}

fn read_one(
    value: &Value<'_>,
    tiers: Option<&[Tier]>,
    duration: Option<Duration>,
) -> Option<Fault> {
    let table = value.table(section(value)?)?;
    let window = window(&table, duration);
    let kind = kind(&table);
    let tier = tier(&table, tiers?);
    let fault = Fault { tier: tier?, window: window?, kind: kind? };
    fits(&table, &fault, tiers?);
    Some(fault)
}

/// The keys that a fault of this kind may have.
fn section(value: &Value<'_>) -> Option<&'static Section> {
    let DeValue::Table(members) = value.content else { return value.not("a table", "[[fault]]") };
    let kinds = || FAULTS.iter().map(|(kind, _)| *kind);
    let Some(given) = members.get("kind") else {
        let message = format!("a fault has no `kind`: write one of {}", list(kinds()));
        value.wrong(message);
        return None;
    };
    let word = given.get_ref().as_str().unwrap_or_default();
    let section = FAULTS.iter().find(|(kind, _)| *kind == word);
    if section.is_none() {
        let close = did_you_mean(word, kinds());
        let message =
            format!("{} is no kind of fault{close}: write one of {}", quoted(word), list(kinds()));
        value.wrong_at(given.span(), message);
    }
    section.map(|(_, section)| *section)
}

fn window(table: &Table<'_>, duration: Option<Duration>) -> Option<Window> {
    let from = table.get("at").map_or(Some(Duration::ZERO), Value::duration);
    let length = table.get("for").map(Value::some_time);
    let from = from?;
    if let Some(at) = table.get("at").filter(|_| duration.is_some_and(|duration| from >= duration))
    {
        at.wrong("the fault begins after the scenario has ended: write an earlier `at`, or a longer `duration`");
        return None;
    }
    let to = match length {
        None => Window::NEVER,
        Some(length) => from.saturating_add(length?).min(Window::NEVER),
    };
    Some(Window { from, to })
}

fn kind(table: &Table<'_>) -> Option<FaultKind> {
    let kind = FAULTS.iter().find(|(_, section)| section.heading == table.section().heading)?.0;
    match kind {
        "loss" => loss(table),
        "stall" => Some(FaultKind::Stall),
        "outage" => outage(table),
        "slow" => {
            let factor = table.need("factor")?.number(1e-3, 1e6)?;
            Some(FaultKind::Slow { factor })
        }
        "endpoints" => Some(FaultKind::Endpoints { down: table.need("down")?.count(1)? }),
        "throttle" => {
            let limit = table.need("limit").and_then(|limit| limit.number(0.0, 1e9));
            let retry_after = table.get("retry_after").and_then(Value::duration);
            Some(FaultKind::Throttle { limit: limit?, retry_after })
        }
        _ => Some(FaultKind::Page { number: table.need("number")?.count(1)? }),
    }
}

/// With a share p of failures, half of them on the way there: the request is lost with the chance p/2, and of what
/// arrives an answer with (p − p/2) / (1 − p/2), so that together exactly p fail.
fn loss(table: &Table<'_>) -> Option<FaultKind> {
    let sides = ["request", "response"].map(|key| table.get(key).map_or(Some(0.0), Value::share));
    let Some(share) = table.get("share") else {
        let [request, response] = sides;
        let (request, response) = (request?, response?);
        if request + response <= 0.0 {
            table.wrong("share", "nothing is lost: write `share = 0.15` for 15 % of the requests");
            return None;
        }
        return Some(FaultKind::Loss { request, response });
    };
    if table.get("request").or_else(|| table.get("response")).is_some() {
        share.wrong(
            "`share` is split in half: write it alone, or `request` and `response` without it",
        );
        return None;
    }
    let half = share.share()? / 2.0;
    Some(FaultKind::Loss { request: half, response: half / (1.0 - half) })
}

fn outage(table: &Table<'_>) -> Option<FaultKind> {
    let status = table.get("status").map_or(Some(503), |status| {
        status.count_up_to(400, 599).and_then(|status| u16::try_from(status).ok())
    });
    let after = table.get("after").map_or(Some(Distribution::ZERO), Value::time);
    let retry_after = table.get("retry_after").and_then(Value::duration);
    let share = table.get("share").map_or(Some(1.0), Value::share);
    Some(FaultKind::Outage { status: status?, after: after?, retry_after, share: share? })
}

fn tier(table: &Table<'_>, all: &[Tier]) -> Option<usize> {
    let names: Vec<String> = all.iter().map(|tier| tier.name.clone()).collect();
    match (table.get("tier"), all) {
        (Some(place), _) => tiers::find(&names, place.text()?, place),
        (None, [_]) => Some(0),
        (None, _) => {
            let known = list(names.iter().map(String::as_str));
            table.wrong(
                "tier",
                format!("the fault does not say where: write `tier = …` with one of {known}"),
            );
            None
        }
    }
}

/// Whether this can go wrong with that tier at all.
fn fits(table: &Table<'_>, fault: &Fault, tiers: &[Tier]) {
    let Some(tier) = tiers.get(fault.tier) else { return };
    let name = quoted(&tier.name);
    let place = |key: &'static str, message: String| {
        if let Some(value) = table.get(key) {
            value.wrong(message);
        }
    };
    match (&fault.kind, &tier.server) {
        (FaultKind::Slow { .. } | FaultKind::Endpoints { .. }, None) => {
            place(
                "kind",
                format!(
                    "{name} has no server to which this can happen: write `server = …` in its [[tier]]"
                ),
            );
        }
        (FaultKind::Endpoints { down }, Some(server)) if *down > server.endpoints => {
            let count = server.endpoints;
            place(
                "down",
                format!(
                    "of the endpoints of {name} there are no more than {count}: write `endpoints = …` in its `server`, or a smaller number"
                ),
            );
        }
        (FaultKind::Page { number }, _) => {
            let edges =
                tiers.iter().flat_map(|tier| &tier.calls).filter(|edge| edge.tier == fault.tier);
            let most =
                edges.filter(|edge| !edge.parallel).map(|edge| edge.times).max().unwrap_or(0);
            if *number > most {
                place(
                    "number",
                    format!(
                        "no attempt makes {number} calls of {name} one after the other: write `times = …` in the `calls` of its caller, or a smaller number"
                    ),
                );
            }
        }
        _ => {}
    }
}
