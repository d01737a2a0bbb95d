//! `storm-lab load`: real clients against a real server.

use std::{
    env,
    fmt::Write as _,
    io::{self, Write as _},
    slice,
    sync::Arc,
};

use clap::{Args, ValueEnum};

use super::{
    CliError,
    files::{Again, Files, Shown},
    interrupt, stdout,
};
use crate::{
    load::{self, Arguments, Faults, LoadError},
    output,
    sim::Watch,
};

/// Real clients against a real server, on loopback.
#[derive(Debug, Args)]
pub(super) struct Load {
    #[command(flatten)]
    arguments: Arguments,
    #[command(flatten)]
    files: Files,
}

impl Load {
    /// Runs it, and shows and writes what came of it.
    pub(super) fn run(self) -> Result<(), CliError> {
        let usage = |refusal: load::Refusal| CliError::Usage(refusal.to_string());
        let options = options(&self.arguments);
        let program = env::current_exe().map_err(LoadError::from)?;
        let settings = self.arguments.check(program).map_err(usage)?;
        let files = self.files.check(&[load::NAME], true)?;
        let watch = Arc::new(Watch::default());
        interrupt::stops(&watch);
        let report = load::run(&settings, &watch, &mut |second| {
            // Whoever has closed standard error does not want to know.
            let _ = writeln!(io::stderr(), "{second}");
        });
        let report = match report {
            Err(LoadError::Stopped) => return Err(CliError::Stopped("no call was made")),
            report => report?,
        };
        let shown = Shown { finished: report.finished()?, argument: None };
        let written = files
            .write(slice::from_ref(&shown), Again { subcommand: "load", options: &options })
            .and_then(|on_stdout| if on_stdout { Ok(()) } else { table(&shown) });
        match written {
            Err(CliError::Closed) | Ok(()) if report.complete => Ok(()),
            Err(CliError::Closed) | Ok(()) if watch.is_stopped() => {
                Err(CliError::Stopped("the figures are of what was seen, and marked as partial"))
            }
            Err(CliError::Closed) | Ok(()) => Err(CliError::Partial(report.troubles.len())),
            written => written,
        }
    }
}

fn table(shown: &Shown) -> Result<(), CliError> {
    let table = output::table(&shown.finished, stdout::style());
    stdout::write(|out| out.write_all(table.as_bytes()))
}

/// What repeats the experiment, with every option: the defaults of another version may differ.
fn options(arguments: &Arguments) -> String {
    let Arguments { seconds, processes, rate, capacity, queue, fault, policy, seed } = arguments;
    let name = |fault: &Faults| {
        fault.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    };
    let policies: Vec<&str> = policy.iter().map(|function| function.name()).collect();
    let mut options =
        format!(" --seconds {seconds} --processes {processes} --rate {rate} --capacity {capacity}");
    if let Some(queue) = queue {
        // Writing to a string does not fail.
        let _ = write!(options, " --queue {queue}");
    }
    let _ =
        write!(options, " --fault {} --policy {} --seed {seed}", name(fault), policies.join(","));
    options
}
