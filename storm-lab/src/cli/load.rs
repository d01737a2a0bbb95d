//! `storm-lab load`: real clients against a real server.

use std::{
    env,
    io::{self, Write},
    sync::Arc,
};

use super::{CliError, interrupt, stdout};
use crate::{
    load::{self, Arguments, LoadError, Report},
    output,
    sim::Watch,
};

/// Runs it, and shows what came of it.
pub(super) fn run(arguments: Arguments) -> Result<(), CliError> {
    let usage = |refusal: load::Refusal| CliError::Usage(refusal.to_string());
    let program = env::current_exe().map_err(LoadError::from)?;
    let settings = arguments.check(program).map_err(usage)?;
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
    show(&report)?;
    match (report.complete, watch.is_stopped()) {
        (true, _) => Ok(()),
        (false, true) => {
            Err(CliError::Stopped("the figures are of what was seen, and marked as partial"))
        }
        (false, false) => Err(CliError::Partial(report.troubles.len())),
    }
}

fn show(report: &Report) -> Result<(), CliError> {
    let finished = report.results()?.into();
    let (table, more) = (output::table(&finished, stdout::style()), load::table(report));
    stdout::write(|out| writeln!(out, "{table}\n{}", more.trim_end()))
}
