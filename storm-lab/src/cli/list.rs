//! `storm-lab list`: the built-in scenarios.

use clap::Args;

use super::{CliError, stdout};
use crate::scenario;

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
            None => stdout::write(|out| out.write_all(scenario::list().as_bytes())),
        }
    }
}

fn show(name: &str) -> Result<(), CliError> {
    // `L1` is all that begin with it where scenarios are run, and has a file of its own all the same.
    if let Some(one) = scenario::builtin(name) {
        return stdout::write(|out| out.write_all(one.text.as_bytes()));
    }
    match scenario::find(name).as_slice() {
        [] => Err(CliError::Usage(scenario::unknown_builtin(name))),
        parts => {
            let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
            Err(CliError::Usage(format!(
                "`{name}` has several parts: write one of {}",
                names.join(", ")
            )))
        }
    }
}
