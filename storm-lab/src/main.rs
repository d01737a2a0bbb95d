//! `storm-lab`: what a retry policy does to a system, before it is shipped.

use std::{env, process::ExitCode, sync::Arc};

use clap::{Parser, Subcommand};
use storm_lab::{
    load::{self, LoadError},
    sim::Watch,
};

/// What a retry policy does to a system, before it is shipped.
#[derive(Debug, Parser)]
#[command(version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Real clients against a real server on loopback
    Load(load::Arguments),
    /// Started by `load`, and told by it what to do
    #[command(name = load::SUBCOMMAND, hide = true)]
    LoadChild {
        /// Whose child it is
        #[arg(long)]
        parent: u32,
    },
}

fn main() -> ExitCode {
    match CommandLine::parse().command {
        Command::Load(arguments) => match run_load(arguments) {
            Ok(code) => code,
            Err(error) => {
                eprintln!("storm-lab: {error}");
                ExitCode::FAILURE
            }
        },
        Command::LoadChild { parent: _ } => load::child(),
    }
}

fn run_load(arguments: load::Arguments) -> Result<ExitCode, LoadError> {
    let settings = arguments.check(env::current_exe()?)?;
    let watch = Arc::new(Watch::default());
    let stop = Arc::clone(&watch);
    ctrlc::set_handler(move || stop.stop()).map_err(std::io::Error::other)?;
    let report = load::run(&settings, &watch, &mut |second| eprintln!("{second}"))?;
    print!("{}", load::table(&report));
    Ok(match (report.complete, watch.is_stopped()) {
        (true, _) => ExitCode::SUCCESS,
        // What shells say of a program that Ctrl-C has ended.
        (false, true) => ExitCode::from(130),
        (false, false) => ExitCode::FAILURE,
    })
}
