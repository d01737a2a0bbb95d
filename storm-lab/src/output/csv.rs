//! Comma-separated values: a row for each policy and seed.

use std::io::{self, Write};

use super::Finished;
use crate::summary::{Measure, Unit, Value};

/// Writes one heading, then a row for each scenario, policy and seed, as RFC 4180 has it but with plain newlines.
///
/// Columns: `scenario`, `policy`, `seed`, each measure under its key (which names the unit), each measure's ratio to
/// that of the first policy with the same seed as `…_ratio`, and `notes` (joined by `; `). What is undefined is
/// empty; a recovery that never came is `never`. Where a scenario is not complete, a line that starts with `#` says
/// so before the heading.
///
/// # Errors
/// Those of the writer.
pub fn csv(finished: &[Finished], to: &mut dyn Write) -> io::Result<()> {
    for scenario in finished.iter().filter(|scenario| !scenario.results.complete) {
        let name = scenario.results.scenario.name.replace(['\r', '\n'], " ");
        writeln!(to, "# partial: {name} was not finished")?;
    }
    let mut heading = vec!["scenario".to_owned(), "policy".to_owned(), "seed".to_owned()];
    heading.extend(Measure::ALL.iter().map(|measure| measure.key().to_owned()));
    heading.extend(Measure::ALL.iter().map(|measure| format!("{}_ratio", measure.key())));
    heading.push("notes".to_owned());
    row(&heading, to)?;
    for Finished { results, summary } in finished {
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
            cells.push(outcome.notes.join("; "));
            row(&cells, to)?;
        }
    }
    Ok(())
}

fn cell(value: Value, unit: Unit) -> String {
    match value {
        Value::Number(number) => unit.shown(number).to_string(),
        Value::Never => "never".to_owned(),
        Value::Undefined => String::new(),
    }
}

fn row(cells: &[String], to: &mut dyn Write) -> io::Result<()> {
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
