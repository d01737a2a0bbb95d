//! `storm-lab list`: the built-in scenarios.

use clap::Args;

use super::{CliError, select, stdout};
use crate::scenario::{self, Scenario};

/// Shows the built-in scenarios.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Print this scenario's file, to begin one's own from
    #[arg(long, value_name = "NAME")]
    show: Option<String>,
}

impl List {
    pub(super) fn run(self) -> Result<(), CliError> {
        match self.show {
            Some(name) => show(&name),
            None => list(),
        }
    }
}

fn list() -> Result<(), CliError> {
    let read = |part: &scenario::Builtin| scenario::read(part.name, part.text);
    let scenarios = scenario::builtins().iter().map(read).collect::<Result<Vec<Scenario>, _>>()?;
    let longest =
        scenarios.iter().map(|scenario| scenario.name.len()).max().unwrap_or(0).max("name".len());
    stdout::write(|out| {
        writeln!(out, "{:longest$}  policies  seeds  simulated s  what it is", "name")?;
        for scenario in &scenarios {
            writeln!(
                out,
                "{:longest$}  {:>8}  {:>5}  {:>11}  {}",
                scenario.name,
                scenario.policies.len(),
                scenario.seeds.len(),
                scenario.duration.as_secs_f64(),
                scenario.title,
            )?;
        }
        writeln!(
            out,
            "\n`storm-lab run NAME` runs one; `storm-lab list --show NAME` prints its file."
        )
    })
}

fn show(name: &str) -> Result<(), CliError> {
    let same = |known: &str| known.eq_ignore_ascii_case(name);
    if let Some(part) = scenario::builtins().iter().find(|part| same(part.name)) {
        return stdout::write(|out| out.write_all(part.text.as_bytes()));
    }
    let parts: Vec<&str> =
        scenario::builtins().iter().filter(|part| same(part.lab)).map(|part| part.name).collect();
    if !parts.is_empty() {
        return Err(CliError::Usage(format!(
            "`{name}` has several parts; name one of {}",
            parts.join(", ")
        )));
    }
    let known = scenario::builtins().iter().map(|part| part.name);
    let meant = select::nearest(name, known)
        .map_or_else(String::new, |meant| format!(" did you mean `{meant}`?"));
    Err(CliError::Usage(format!(
        "there is no built-in scenario `{name}`;{meant} `storm-lab list` shows all"
    )))
}
