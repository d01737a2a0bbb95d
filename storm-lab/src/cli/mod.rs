//! The command line.

mod error;
mod files;
mod interrupt;
mod list;
mod load;
mod progress;
mod run;
mod select;
mod stdout;

pub use error::CliError;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// What every scenario is told about in `--help`.
const EXAMPLES: &str = "\
Examples:
  storm-lab list                           what there is to run
  storm-lab run L2                         the collapse, naive and protected side by side
  storm-lab run L2 --seeds 1-3 --out l2    the same with files for other programs, in the directory `l2`
  storm-lab list --show L2 > mine.toml     a scenario to begin one's own from
  storm-lab load                           real clients, a real server and a storm, in one minute
  storm-lab run mine.toml --json - | jq .  figures and series of one's own
";

const EXIT_CODES: &str = "\
Exit codes:
  0    everything was done
  1    something failed: a simulation, or writing a file
  2    an argument or a scenario is wrong; the message says what to write instead
  130  stopped with Ctrl-C; what was finished is shown and written, marked as partial";

const COLUMNS: &str = "\
Columns of the table:
  peak retries/s   the most retries that began in any 10 ms (as a rate) and in any second; a wave of retries shows
                   in the former, a flood in the latter
  attempts         attempts at the last tier for each logical call: the amplification
  success          the share of logical calls that succeeded
  latency          of the calls that succeeded, their retries and waits included
  utilisation      the share of its time in which the last tier's server was busy
  recovery         from the end of the trigger until five seconds in a row are nearly as good as before it
  granted/refused  retries that budgets have paid for, and that they have not
  P/N              each seed's figure divided by that of the first policy with the same seed
  –                there is no such figure, as without a success or after a division by zero";

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
        Command::Load(arguments) => load::run(arguments),
        Command::LoadChild { parent: _ } => return crate::load::child(),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    if !matches!(error, CliError::Closed) {
        let _ = writeln!(io::stderr(), "error: {error}");
    }
    error.code()
}
