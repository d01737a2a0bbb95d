//! Reads a scenario from its text.

mod budgets;
mod clients;
mod contention;
mod estimate;
mod faults;
mod order;
mod policies;
mod syntax;
mod table;
mod tiers;
mod times;
mod value;
mod within;

use std::time::Duration;

use toml::de::{DeTable, DeValue};

pub use self::estimate::affordable;
use self::{
    table::{Source, Table, quoted},
    value::Value,
};
use super::{
    Fault, Scenario, Tier, Topology, Window, Work,
    keys::TOP,
    mistakes::{Mistakes, Sink},
    model, seeds,
};

/// How long clients of one row are watched where nothing is said: until the last is done, but no longer.
const CONTENTION: Duration = Duration::from_secs(600);
/// Simulations of each policy where nothing is said.
const SEEDS: u64 = 3;

/// Reads a scenario. `label` is what mistakes call the text, `name` what the scenario is called.
pub(super) fn scenario(label: &str, name: &str, text: &str) -> Result<Scenario, Mistakes> {
    let sink = Sink::default();
    let (document, errors) = DeTable::parse_recoverable(text);
    let source = Source { text, sink: &sink };
    // Of a text that is no TOML, what was understood says little: what follows a mistake would be missing.
    if !errors.is_empty() {
        syntax::report(source, &errors);
        return sink.finish(None, label, text);
    }
    let table = Table::open(source, &TOP, "", 0..0, document.get_ref());
    let scenario = read(&table, source, name);
    drop(table);
    sink.finish(scenario, label, text)
}

fn read(table: &Table<'_>, source: Source<'_>, name: &str) -> Option<Scenario> {
    let contention = table.get("contention");
    let duration = match (table.get("duration"), contention) {
        (None, Some(_)) => Some(CONTENTION),
        _ => table.need("duration").and_then(Value::some_time),
    };
    let window = window(table, duration);
    let seeds = table.get("seeds").map_or_else(|| Some((1..=SEEDS).collect()), read_seeds);
    let title = table.get("title").map_or(Some(name), Value::text);
    let about = table.get("about").map_or(Some(""), Value::any_text);

    let topology = if contention.is_none() { topology(table, duration) } else { None };
    let row = contention.and_then(|contention| {
        for key in ["clients", "tier", "fault", "watch"] {
            if let Some(value) = table.get(key) {
                let message =
                    format!("with [contention] there is no `{key}`: remove one of the two");
                value.wrong_at(value.key.clone(), message);
            }
        }
        contention::read(contention)
    });

    let shared = table.get("budgets").map_or_else(Vec::new, budgets::read);
    let tiers = match contention {
        Some(_) => Some(&[][..]),
        None => topology.as_ref().map(|topology| topology.tiers.as_slice()),
    };
    let policies =
        table.need("policy").map_or_else(Vec::new, |value| policies::read(value, &shared, tiers));
    let work = row.map(Work::Row).or_else(|| topology.map(Work::Services))?;
    if source.sink.len() == 0
        && let Work::Services(topology) = &work
    {
        estimate::endless(topology, &policies);
    }
    let scenario = Scenario {
        name: name.to_owned(),
        title: title?.to_owned(),
        about: about?.trim().to_owned(),
        source: String::new(),
        duration: duration?,
        window: window?,
        seeds: seeds?,
        work,
        policies: policies.into_iter().map(|policy| policy.spec).collect(),
    };
    if source.sink.len() == 0 {
        estimate::check(table, &scenario);
    }
    Some(scenario)
}

fn topology(table: &Table<'_>, duration: Option<Duration>) -> Option<Topology> {
    let clients = table.need("clients").and_then(|value| clients::read(value, duration));
    let tiers = table.need("tier").and_then(tiers::read);
    let faults = table.get("fault");
    let faults =
        faults.map_or_else(Vec::new, |value| faults::read(value, tiers.as_deref(), duration));
    let watch = tiers.as_deref().and_then(|tiers| watch(table, tiers, &faults, duration));
    Some(Topology { clients: clients?, tiers: tiers?, faults, watch: watch? })
}

/// Where nothing is said, the tier with which the trouble begins: what lies beside it may never be reached.
fn watch(
    table: &Table<'_>,
    tiers: &[Tier],
    faults: &[Fault],
    duration: Option<Duration>,
) -> Option<usize> {
    if let Some(value) = table.get("watch") {
        let names: Vec<String> = tiers.iter().map(|tier| tier.name.clone()).collect();
        return tiers::find(&names, value.text()?, value);
    }
    let trigger = duration.and_then(|duration| model::trigger(faults, duration));
    let fault = trigger.or(faults.first());
    Some(fault.map_or(tiers.len() - 1, |fault| fault.tier))
}

fn window(table: &Table<'_>, duration: Option<Duration>) -> Option<Window> {
    let Some(value) = table.get("window") else {
        return Some(Window { from: Duration::ZERO, to: duration? });
    };
    let (from, to) = value.span()?;
    if from == to {
        value.wrong("`window` is empty: write a later end");
        return None;
    }
    if duration.is_some_and(|duration| to > duration) {
        value.wrong(
            "`window` ends after the scenario: write an earlier end, or a longer `duration`",
        );
        return None;
    }
    Some(Window { from, to })
}

fn read_seeds(value: &Value<'_>) -> Option<Vec<u64>> {
    let most = u32::try_from(seeds::MOST).unwrap_or(u32::MAX);
    match value.content {
        DeValue::String(text) => seeds::seeds(text).map_err(|message| value.wrong(message)).ok(),
        DeValue::Integer(_) => {
            value.count_up_to(1, most).map(|count| (1..=u64::from(count)).collect())
        }
        DeValue::Array(_) => {
            let members = value.list()?;
            if members.is_empty() || members.len() > seeds::MOST {
                value.wrong(format!(
                    "there are {} seeds: write from 1 to {}",
                    members.len(),
                    seeds::MOST
                ));
                return None;
            }
            let read: Option<Vec<u64>> = members.iter().map(Value::any_count).collect();
            let read = read?;
            if let Some(again) = seeds::repeated(&read) {
                let place = members.iter().zip(&read).rev().find(|(_, seed)| **seed == again);
                let place = place.map_or(value, |(member, _)| member);
                place.wrong(format!(
                    "seed {} comes twice: write it once",
                    quoted(&again.to_string())
                ));
                return None;
            }
            Some(read)
        }
        _ => value.not("a number, a list of numbers or a range", "`6`, `[1, 2, 3]` or \"1-6\""),
    }
}
