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
/// More endpoints than an address has ports.
const MOST_ENDPOINTS: u32 = 65_535;
/// More calls of one call at once than any service makes: whoever waits for all looks at each whenever one has ended.
const MOST_AT_ONCE: u64 = 1_000;

/// A call from one tier to another, before it is known where that is.
struct Call<'a> {
    tier: String,
    place: Value<'a>,
    /// Where it says how often.
    times: Option<Value<'a>>,
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
    let tiers = if complete { order::sort(tiers, &places) } else { None }?;
    at_once(&tiers, |name| names.iter().position(|known| known == name).map(|at| &*calls[at]));
    Some(tiers)
}

/// Reports where one call comes to be too many at once, of which those on a way down multiply.
fn at_once<'c, 'a: 'c>(tiers: &[Tier], calls: impl Fn(&str) -> Option<&'c [Call<'a>]>) {
    let mut most = vec![1_u64; tiers.len()];
    // What a tier calls comes after it.
    for (at, tier) in tiers.iter().enumerate() {
        for (edge, call) in tier.calls.iter().zip(calls(&tier.name).unwrap_or_default()) {
            let times = if edge.parallel { u64::from(edge.times) } else { 1 };
            let together = most[at].saturating_mul(times);
            if together > MOST_AT_ONCE {
                let place = call.times.as_ref().unwrap_or(&call.place);
                place.wrong(format!(
                    "one call of a client comes to {together} calls of {} at once, and no more than {MOST_AT_ONCE} are \
                     simulated: write a smaller `times` here or above it, or leave out `parallel`",
                    quoted(&call.tier)
                ));
                // What is below it would only say so again.
                return;
            }
            most[edge.tier] = most[edge.tier].max(together);
        }
    }
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
    let endpoints =
        table.get("endpoints").and_then(|count| count.count_up_to(1, MOST_ENDPOINTS)).unwrap_or(1);
    let workers = workers?;
    if workers % endpoints != 0
        && let Some(place) = table.get("endpoints")
    {
        place.wrong(format!(
            "{workers} workers cannot be shared evenly by {endpoints} endpoints: write a number that divides {workers}"
        ));
    }
    if let Some(queue) = queue.filter(|queue| queue % endpoints != 0)
        && let Some(place) = table.get("queue")
    {
        let below = queue - queue % endpoints;
        let near = match below.checked_add(endpoints) {
            Some(above) => format!("`{below}` or `{above}`"),
            None => format!("`{below}`"),
        };
        place.wrong(format!(
            "a queue of {queue} cannot be shared evenly by {endpoints} endpoints, of which each has its own: write {near}"
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
            Some(Call { tier: value.text()?.to_owned(), place: value.clone(), times: None, edge })
        }
        DeValue::Table(_) => {
            let table = value.table(&CALL)?;
            let place = table.need("tier")?;
            let times = table.get("times");
            let edge = Edge {
                times: times.and_then(|times| times.count_up_to(1, 1_000_000)).unwrap_or(1),
                parallel: table.get("parallel").and_then(Value::flag).unwrap_or(false),
                apart: table.get("apart").and_then(Value::flag).unwrap_or(false),
                ..edge
            };
            let tier = place.text()?.to_owned();
            Some(Call { tier, place: place.clone(), times: times.cloned(), edge })
        }
        _ => value.not("a tier's name or a table", "\"db\" or `{ tier = \"db\", times = 2 }`"),
    }
}
