//! What experiments have besides.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{seconds, shape::Number};
use crate::{
    measured::{Cost, Measured, PhaseFigures, Requests, Used},
    summary::{Unit, Value},
};

#[derive(Serialize)]
pub(super) struct MeasuredJson<'a> {
    asked_s: f64,
    seen_s: f64,
    troubles: &'a [String],
    policies: Vec<CostJson<'a>>,
}

#[derive(Serialize)]
struct CostJson<'a> {
    name: &'a str,
    server: UsedJson,
    clients: UsedJson,
    requests: RequestsJson,
    calls_failed: u64,
    calls_unfinished: u64,
    failed_attempts: &'a BTreeMap<String, u64>,
    phases: Vec<PhaseJson<'a>>,
}

#[derive(Serialize)]
struct UsedJson {
    processes: usize,
    cpu_percent: Number,
    memory_mib: Number,
    cpu_percent_by_second: Vec<Number>,
}

#[derive(Serialize)]
struct RequestsJson {
    arrived: u64,
    served: u64,
    wasted: u64,
    lost: u64,
    unanswered: u64,
    failed: u64,
    refused: u64,
}

#[derive(Serialize)]
struct PhaseJson<'a> {
    name: &'a str,
    window_s: [f64; 2],
    calls: u64,
    success_percent: Number,
    attempts_per_call: Number,
    peak_1s_retries_per_s: Number,
    served_in_time_per_s: Number,
    server_cpu_percent: Number,
    clients_cpu_percent: Number,
}

pub(super) fn json(measured: &Measured) -> MeasuredJson<'_> {
    MeasuredJson {
        asked_s: measured.asked.as_secs_f64(),
        seen_s: measured.seen.as_secs_f64(),
        troubles: &measured.troubles,
        policies: measured.costs.iter().map(cost).collect(),
    }
}

fn cost(cost: &Cost) -> CostJson<'_> {
    let Requests { arrived, served, wasted, lost, unanswered, failed, refused } = cost.requests;
    CostJson {
        name: &cost.policy,
        server: used(&cost.server),
        clients: used(&cost.clients),
        requests: RequestsJson { arrived, served, wasted, lost, unanswered, failed, refused },
        calls_failed: cost.failed,
        calls_unfinished: cost.unfinished,
        failed_attempts: &cost.failures,
        phases: cost.phases.iter().map(phase).collect(),
    }
}

fn used(used: &Used) -> UsedJson {
    UsedJson {
        processes: used.processes,
        cpu_percent: known(used.cores, Unit::Share),
        memory_mib: Number::of(Value::mib(used.peak_kib), Unit::Mib),
        cpu_percent_by_second: used
            .by_second
            .iter()
            .map(|cores| known(*cores, Unit::Share))
            .collect(),
    }
}

fn phase(phase: &PhaseFigures) -> PhaseJson<'_> {
    PhaseJson {
        name: &phase.name,
        window_s: seconds(phase.window),
        calls: phase.calls,
        success_percent: known(phase.success, Unit::Share),
        attempts_per_call: known(phase.attempts_per_call, Unit::PerCall),
        peak_1s_retries_per_s: known(Some(phase.peak_1s), Unit::PerSecond),
        served_in_time_per_s: known(Some(phase.goodput), Unit::PerSecond),
        server_cpu_percent: known(phase.server_cores, Unit::Share),
        clients_cpu_percent: known(phase.clients_cores, Unit::Share),
    }
}

fn known(value: Option<f64>, unit: Unit) -> Number {
    Number::of(Value::known(value), unit)
}
