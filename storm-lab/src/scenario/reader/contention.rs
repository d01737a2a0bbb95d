//! Clients that change one row.

use super::value::Value;
use crate::scenario::{Contention, Distribution, keys::CONTENTION};

/// Each change is tried about as often as there are clients, so this is a matter of minutes.
const MOST: u32 = 10_000;

pub(super) fn read(value: &Value<'_>) -> Option<Contention> {
    let table = value.table(&CONTENTION)?;
    let clients = table.need("clients").and_then(|clients| clients.count_up_to(1, MOST));
    let latency = table.get("latency").map_or(Some(Distribution::ZERO), Value::time);
    Some(Contention { clients: clients?, latency: latency? })
}
