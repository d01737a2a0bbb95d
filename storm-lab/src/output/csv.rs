//! Comma-separated values: a row for each policy and seed.

use std::io::{self, Write};

use super::Finished;
use crate::{
    measured::Cost,
    summary::{Measure, Unit, Value},
};

/// What processes used.
const COSTS: [&str; 4] =
    ["server_cpu_percent", "clients_cpu_percent", "server_memory_mib", "client_memory_mib"];

/// Writes one heading, then a row for each scenario, policy and seed, as RFC 4180 has it but with plain newlines.
///
/// Columns: `scenario`, `policy`, `seed`, each measure under its key (which names the unit), each measure's ratio to
/// that of the first policy with the same seed as `…_ratio`, and `notes` (joined by `; `). What is undefined is
/// empty; a recovery that never came is `never`. Where anything was measured rather than simulated, the columns
/// `server_cpu_percent` and `clients_cpu_percent` (100 is one core), `server_memory_mib` and `client_memory_mib` (the
/// most that a process had resident) come before `notes`. Where a scenario is not complete, a line that starts with `#` says
/// so before the heading.
///
/// # Errors
/// Those of the writer.
pub fn csv(finished: &[&Finished], to: &mut dyn Write) -> io::Result<()> {
    for scenario in finished.iter().filter(|scenario| !scenario.results.complete) {
        let name = scenario.results.scenario.name.replace(['\r', '\n'], " ");
        writeln!(to, "# partial: {name} was not finished")?;
    }
    let mut heading = vec!["scenario".to_owned(), "policy".to_owned(), "seed".to_owned()];
    heading.extend(Measure::ALL.iter().map(|measure| measure.key().to_owned()));
    heading.extend(Measure::ALL.iter().map(|measure| format!("{}_ratio", measure.key())));
    let measures = finished.iter().any(|scenario| scenario.measured.is_some());
    if measures {
        heading.extend(COSTS.map(str::to_owned));
    }
    heading.push("notes".to_owned());
    row(&heading, to)?;
    for Finished { results, summary, measured } in finished {
        let scenario = &results.scenario;
        for outcome in &results.outcomes {
            let base = results
                .outcomes
                .iter()
                .find(|base| base.policy == summary.first && base.seed == outcome.seed);
            let mut cells =
                vec![outcome.scenario.clone(), outcome.policy.clone(), outcome.seed.to_string()];
            cells.extend(
                Measure::ALL
                    .iter()
                    .map(|measure| cell(measure.of(scenario, outcome), measure.unit())),
            );
            cells.extend(Measure::ALL.iter().map(|measure| {
                let value = measure.of(scenario, outcome);
                let ratio =
                    base.map_or(Value::Undefined, |base| value.over(measure.of(scenario, base)));
                cell(ratio, Unit::Ratio)
            }));
            if measures {
                let cost = measured.as_ref().and_then(|measured| measured.cost(&outcome.policy));
                cells.extend(cost.map_or_else(Default::default, costs));
            }
            cells.push(outcome.notes.join("; "));
            row(&cells, to)?;
        }
    }
    Ok(())
}

fn costs(cost: &Cost) -> [String; 4] {
    let share = |cores| cell(Value::known(cores), Unit::Share);
    let memory = |kib| cell(Value::mib(kib), Unit::Mib);
    let (server, clients) = (&cost.server, &cost.clients);
    [share(server.cores), share(clients.cores), memory(server.peak_kib), memory(clients.peak_kib)]
}

pub(super) fn cell(value: Value, unit: Unit) -> String {
    match value {
        Value::Number(number) => unit.shown(number).to_string(),
        Value::Never => "never".to_owned(),
        Value::Undefined => String::new(),
    }
}

pub(super) fn row(cells: &[String], to: &mut dyn Write) -> io::Result<()> {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            to.write_all(b",")?;
        }
        // A `#` at the start would be taken for a comment.
        if cell.contains(['"', ',', '\n', '\r'])
            || cell.starts_with(['#', ' '])
            || cell.ends_with(' ')
        {
            write!(to, "\"{}\"", cell.replace('"', "\"\""))?;
        } else {
            to.write_all(cell.as_bytes())?;
        }
    }
    to.write_all(b"\n")
}
