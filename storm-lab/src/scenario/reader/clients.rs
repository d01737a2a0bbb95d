//! Who calls.

use std::time::Duration;

use super::{table::Table, value::Value};
use crate::scenario::{
    Clients, Distribution, Wave,
    keys::{CLIENTS, WAVE},
};

/// More calls a second than any process makes.
const MOST_RATE: f64 = 1e9;

pub(super) fn read(value: &Value<'_>, duration: Option<Duration>) -> Option<Clients> {
    let table = value.table(&CLIENTS)?;
    let waves = table.get("wave").map_or_else(Vec::new, |waves| waves.tables(&WAVE));
    let clients = Clients {
        processes: table.get("processes").map_or(Some(1), |count| count.count(1)).unwrap_or(1),
        rate: table
            .get("rate")
            .map_or(Some(0.0), |rate| rate.number(0.0, MOST_RATE))
            .unwrap_or(0.0),
        callers: table.get("callers").map_or(Some(0), |count| count.count(0)).unwrap_or(0),
        think: table.get("think").and_then(Value::time).unwrap_or(Distribution::ZERO),
        waves: waves.iter().filter_map(|wave| read_wave(wave, duration)).collect(),
    };
    // What was refused is not missing as well.
    let said = |key| table.get(key).is_some_and(|value| !matches!(value.given(), "0" | "0.0"));
    if !said("rate") && !said("callers") && table.get("wave").is_none() {
        table.wrong(
            "rate",
            "clients make no calls: write `rate = …` (calls a second of each process), `callers = …`, or \
             [[clients.wave]]",
        );
    }
    if let Some(think) = table.get("think")
        && table.get("callers").is_none()
    {
        think.wrong(
            "`think` is about callers, of which there are none: write `callers = …`, or remove it",
        );
    }
    Some(clients)
}

fn read_wave(table: &Table<'_>, duration: Option<Duration>) -> Option<Wave> {
    let at = table.get("at").map_or(Some(Duration::ZERO), Value::duration);
    let calls = table.need("calls").and_then(|calls| calls.count(1));
    let within = table.get("within").map_or(Some(Duration::ZERO), Value::duration);
    let wave = Wave { at: at?, calls: calls?, within: within? };
    if duration.is_some_and(|duration| wave.at.saturating_add(wave.within) > duration) {
        let place = table.get("at").or_else(|| table.get("within"));
        if let Some(place) = place {
            place.wrong("the wave is not over when the scenario ends: let it begin earlier, or write a longer `duration`");
        }
    }
    Some(wave)
}
