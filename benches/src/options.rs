//! The command lines of the benchmarks.

use std::{env, process::exit};

pub use report::{fail, misused};

/// What a benchmark was asked for.
#[derive(Debug)]
pub enum Asked {
    /// The table; a rough one, in a fraction of the time, if so.
    Table {
        /// Fewer rounds.
        quick: bool,
    },
    /// A subject in a loop, for an instrument that watches from outside.
    Loop {
        /// Which one.
        subject: String,
        /// How often.
        calls: u64,
    },
}

/// Whether a command has a rough table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quick {
    /// It has, for `--quick`.
    Has,
    /// It has one table.
    Not,
}

/// Reads the command line. `about` says what the table shows; asked for help, this prints it and ends
/// the process, as it does for what it does not understand.
pub fn read(about: &str, rough: Quick) -> Asked {
    let mut quick = false;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--help" | "-h" => {
                println!("{about}");
                if rough == Quick::Has {
                    println!("\n    --quick   a rough table, in a fraction of the time");
                }
                exit(0);
            }
            "--quick" if rough == Quick::Has => quick = true,
            "--loop" => {
                let subject = arguments.next();
                let calls = arguments.next().and_then(|calls| calls.parse().ok());
                let (Some(subject), Some(calls)) = (subject, calls) else {
                    misused("`--loop` needs the name of a subject and a number of calls");
                };
                return Asked::Loop { subject, calls };
            }
            unknown => misused(&format!("there is no option `{unknown}`")),
        }
    }
    Asked::Table { quick }
}
