//! The command line.

mod check;
mod error;
mod files;
mod help;
mod interrupt;
mod list;
mod load;
mod plan;
mod progress;
mod run;
mod select;
mod stdout;
mod threads;

pub use error::CliError;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// How many seeds `--quick` leaves.
const QUICK: usize = 2;

/// What a retry policy does to a system, before it is shipped.
///
/// A simulator that drives the very code that services run: policies, backoff, budgets, breakers and nesting.
/// A scenario says who calls what, what goes wrong, and which policies are compared.
#[derive(Debug, Parser)]
#[command(name = "storm-lab", version, max_term_width = 100, after_help = help::ALL, after_long_help = help::with_codes(help::ALL))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate scenarios, and compare their policies.
    #[command(after_help = help::RUN, after_long_help = help::with_codes(&format!("{}\n{}", help::RUN, help::COLUMNS)))]
    Run(run::Run),
    /// Show the built-in scenarios.
    #[command(after_help = help::LIST)]
    List(list::List),
    /// Work out what a policy comes to: schedule, worst case, and what its budget promises.
    #[command(after_help = help::PLAN, after_long_help = help::with_codes(&format!("{}\n{}", help::PLAN, help::READING)))]
    Plan(plan::PlanOf),
    /// Hold the built-in scenarios against what is expected of them.
    #[command(after_help = help::CHECK, after_long_help = help::with_codes(help::CHECK))]
    Check(check::Check),
    /// Real clients against a real server, on loopback.
    #[command(long_about = crate::load::ABOUT, after_help = help::LOAD, after_long_help = help::with_codes(help::LOAD))]
    Load(load::Load),
    /// Started by `load`, and told by it what to do.
    #[command(name = crate::load::SUBCOMMAND, hide = true)]
    LoadChild {
        /// Whose child it is
        #[arg(long)]
        parent: u32,
    },
}

/// Does what the command line says.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to stdout, mistakes to stderr; whoever has closed it does not want to read it.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let result = match cli.command {
        Command::Run(run) => run.run(),
        Command::List(list) => list.run(),
        Command::Plan(plan) => plan.run(),
        Command::Check(check) => check.run(),
        Command::Load(load) => load.run(),
        Command::LoadChild { parent: _ } => return crate::load::child(),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let _ = match &error {
        CliError::Closed => Ok(()),
        CliError::Policy(mistakes) => write!(io::stderr(), "{mistakes}"),
        error => writeln!(io::stderr(), "error: {error}"),
    };
    error.code()
}
