//! Comma-separated values of an experiment: a row for each policy and phase.

use std::io::{self, Write};

use super::{
    Finished,
    csv::{cell, row},
};
use crate::{
    measured::PhaseFigures,
    summary::{Unit, Value},
};

const HEADING: [&str; 13] = [
    "scenario",
    "policy",
    "phase",
    "from_s",
    "to_s",
    "calls",
    "success_percent",
    "attempts_per_call",
    "peak_1s_retries_per_s",
    "served_in_time_per_s",
    "server_cpu_percent",
    "clients_cpu_percent",
    "complete",
];

/// Writes one heading, then a row for each policy and phase, as [`csv`](super::csv()) does. CPU time is in percent of
/// one core; what is undefined or not known is empty. Results that were simulated have no phases.
///
/// # Errors
/// Those of the writer.
pub fn phases(finished: &[&Finished], to: &mut dyn Write) -> io::Result<()> {
    row(&HEADING.map(str::to_owned), to)?;
    for Finished { results, measured, .. } in finished {
        for cost in measured.iter().flat_map(|measured| &measured.costs) {
            for phase in &cost.phases {
                let mut cells = vec![results.scenario.name.clone(), cost.policy.clone()];
                cells.push(phase.name.clone());
                cells.extend(figures(phase));
                cells.push(results.complete.to_string());
                row(&cells, to)?;
            }
        }
    }
    Ok(())
}

fn figures(phase: &PhaseFigures) -> [String; 9] {
    let known = |value, unit| cell(Value::known(value), unit);
    let second = |time: std::time::Duration| cell(Value::number(time.as_secs_f64()), Unit::Seconds);
    [
        second(phase.window.from),
        second(phase.window.to),
        phase.calls.to_string(),
        known(phase.success, Unit::Share),
        known(phase.attempts_per_call, Unit::PerCall),
        cell(Value::number(phase.peak_1s), Unit::PerSecond),
        cell(Value::number(phase.goodput), Unit::PerSecond),
        known(phase.server_cores, Unit::Share),
        known(phase.clients_cores, Unit::Share),
    ]
}
