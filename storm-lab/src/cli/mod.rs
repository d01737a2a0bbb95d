//! The command line.

mod check;
mod error;
mod files;
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

/// What `--help` ends in.
const EXAMPLES: &str = "\
Examples:
  storm-lab list                           what there is to run
  storm-lab run L2                         a collapse, naive and protected side by side
  storm-lab run L2 --out l2 --plots        the same, with files, plots and a report in `l2`
  storm-lab run L1 L2 L4 --report all.html one page about all three, to be mailed
  storm-lab list --show L2 > mine.toml     a scenario to begin one's own from
  storm-lab load                           real clients, a real server and a storm, in one minute
  storm-lab plan 'base = \"50ms\", attempts = 3, idempotent' --rps 300 --processes 20
                                           a policy on paper: delays, worst case, what the budget promises
  storm-lab check                          all built-in scenarios against what they are expected to show
  storm-lab run mine.toml --json - | jq .  figures and series of one's own
";

const EXIT_CODES: &str = "\
Exit codes:
  0    everything was done
  1    something failed: a simulation, or writing a file
  2    an argument or a scenario is wrong; the message says what to write instead
  130  stopped with Ctrl-C; what was finished is shown and written as partial";

const COLUMNS: &str = "\
Columns of the table:
  peak retries/s   the most retries that began in any 10 ms, as a rate, and in any second:
                   waves show in the former, floods in the latter
  attempts         attempts at the last tier for each logical call: the amplification
  success          the share of logical calls that succeeded
  latency          of the calls that succeeded, their retries and waits included
  utilisation      the share of its time in which the last tier's server was busy
  recovery         from the trigger's end to the first of five seconds in a row that are
                   nearly as good as before it
  granted, refused retries that budgets have paid for, and those that they have not
  P/N              each seed's figure divided by the first policy's with the same seed
  –                no such figure: nothing succeeded, or it would be divided by zero";

/// What a retry policy does to a system, before it is shipped.
///
/// A simulator that drives the very code that services run: policies, backoff, budgets, breakers and nesting.
/// A scenario says who calls what, what goes wrong, and which policies are compared.
#[derive(Debug, Parser)]
#[command(name = "storm-lab", version, max_term_width = 100, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n{EXIT_CODES}"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate scenarios, and compare their policies.
    #[command(after_long_help = format!("{COLUMNS}\n\n{EXAMPLES}\n{EXIT_CODES}"))]
    Run(run::Run),
    /// Show the built-in scenarios.
    List(list::List),
    /// Work out what a policy comes to: schedule, worst case, and what its budget promises.
    Plan(plan::PlanOf),
    /// Hold the built-in scenarios against what is expected of them.
    #[command(after_long_help = EXIT_CODES)]
    Check(check::Check),
    /// Real clients against a real server, on loopback.
    #[command(long_about = crate::load::ABOUT, after_long_help = EXIT_CODES)]
    Load(crate::load::Arguments),
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
        Command::Load(arguments) => load::run(arguments),
        Command::LoadChild { parent: _ } => return crate::load::child(),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    if !matches!(error, CliError::Closed) {
        let _ = writeln!(io::stderr(), "error: {error}");
    }
    error.code()
}
