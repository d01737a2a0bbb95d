//! What is called.

use toml::de::DeValue;

use super::{
    order,
    table::{Table, quoted},
    value::Value,
};
use crate::scenario::{
    Distribution, Edge, Server, Tier,
    keys::{CALL, SERVER, TIER},
};

/// More tiers than anybody can tell apart.
const MOST: usize = 100;

/// A call from one tier to another, before it is known where that is.
struct Call<'a> {
    tier: String,
    place: Value<'a>,
    edge: Edge,
}

/// All tiers, each before those that it calls. `None` if something about them as a whole is wrong.
pub(super) fn read(value: &Value<'_>) -> Option<Vec<Tier>> {
    let tables = value.tables(&TIER);
    if tables.is_empty() && matches!(value.content, DeValue::Array(_)) {
        value.wrong("there is no tier: write [[tier]] with a `name`");
    }
    if tables.len() > MOST {
        value.wrong(format!("there are {} tiers: write at most {MOST}", tables.len()));
        return None;
    }
    let mut tiers: Vec<Tier> = Vec::new();
    let mut calls: Vec<Vec<Call<'_>>> = Vec::new();
    let mut places = Vec::new();
    for table in &tables {
        let name = table.need("name");
        let text = name.and_then(Value::text).unwrap_or_default();
        if let Some(name) =
            name.filter(|_| tiers.iter().any(|tier| tier.name == text && !text.is_empty()))
        {
            name.wrong(format!(
                "a second tier is called {}: give each a name of its own",
                quoted(text)
            ));
        }
        tiers.push(read_one(table, text));
        calls.push(table.get("calls").map_or_else(Vec::new, read_calls));
        places.push(name.cloned());
    }
    if tiers.is_empty() || tiers.iter().any(|tier| tier.name.is_empty()) {
        return None;
    }
    let names: Vec<String> = tiers.iter().map(|tier| tier.name.clone()).collect();
    let mut complete = true;
    for (tier, calls) in tiers.iter_mut().zip(&calls) {
        for call in calls {
            match find(&names, &call.tier, &call.place) {
                Some(at) => tier.calls.push(Edge { tier: at, ..call.edge }),
                None => complete = false,
            }
        }
    }
    let places: Vec<Value<'_>> = places.into_iter().flatten().collect();
    if complete { order::sort(tiers, &places) } else { None }
}

/// The place of the tier of this name; that there is none is a mistake of `place`.
pub(super) fn find(names: &[String], name: &str, place: &Value<'_>) -> Option<usize> {
    let at = names.iter().position(|known| known == name);
    if at.is_none() {
        let close =
            retry_grammar::diagnostics::did_you_mean(name, names.iter().map(String::as_str));
        let known = retry_grammar::diagnostics::list(names.iter().map(String::as_str));
        place.wrong(format!("there is no tier {}{close}: write one of {known}", quoted(name)));
    }
    at
}

fn read_one(table: &Table<'_>, name: &str) -> Tier {
    Tier {
        name: name.to_owned(),
        sites: table.get("sites").and_then(|sites| sites.count_up_to(1, 100_000)).unwrap_or(1),
        timeout: table.get("timeout").and_then(Value::some_time),
        latency: table.get("latency").and_then(Value::time).unwrap_or(Distribution::ZERO),
        server: table
            .get("server")
            .and_then(|server| server.table(&SERVER))
            .and_then(|table| read_server(&table)),
        calls: Vec::new(),
    }
}

fn read_server(table: &Table<'_>) -> Option<Server> {
    let workers = table.need("workers").and_then(|workers| workers.count(1));
    let service = table.need("service").and_then(Value::time);
    let queue = table.get("queue").and_then(|queue| queue.count(0));
    let shed = table.get("shed").and_then(Value::flag).unwrap_or(false);
    let endpoints = table.get("endpoints").and_then(|count| count.count(1)).unwrap_or(1);
    let workers = workers?;
    if workers % endpoints != 0
        && let Some(place) = table.get("endpoints")
    {
        place.wrong(format!(
            "{workers} workers cannot be shared evenly by {endpoints} endpoints: write a number that divides {workers}"
        ));
    }
    Some(Server { workers, service: service?, queue, shed, endpoints })
}

fn read_calls<'a>(value: &Value<'a>) -> Vec<Call<'a>> {
    let list = match value.content {
        // The calls of a tier that makes one kind of call need no brackets.
        DeValue::String(_) | DeValue::Table(_) => vec![value.clone()],
        _ => value.list().unwrap_or_default(),
    };
    list.iter().filter_map(read_call).collect()
}

fn read_call<'a>(value: &Value<'a>) -> Option<Call<'a>> {
    let edge = Edge { tier: 0, times: 1, parallel: false, apart: false };
    match value.content {
        DeValue::String(_) => {
            Some(Call { tier: value.text()?.to_owned(), place: value.clone(), edge })
        }
        DeValue::Table(_) => {
            let table = value.table(&CALL)?;
            let place = table.need("tier")?;
            let edge = Edge {
                times: table
                    .get("times")
                    .and_then(|times| times.count_up_to(1, 1_000_000))
                    .unwrap_or(1),
                parallel: table.get("parallel").and_then(Value::flag).unwrap_or(false),
                apart: table.get("apart").and_then(Value::flag).unwrap_or(false),
                ..edge
            };
            Some(Call { tier: place.text()?.to_owned(), place: place.clone(), edge })
        }
        _ => value.not("a tier's name or a table", "\"db\" or `{ tier = \"db\", times = 2 }`"),
    }
}
