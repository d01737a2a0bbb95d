//! The command lines of the benchmarks.

use std::{env, process::exit};

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

/// Reads the command line. `about` says what the table shows; asked for help, this prints it and ends
/// the process, as it does for what it does not understand.
pub fn read(about: &str) -> Asked {
    let mut quick = false;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--help" | "-h" => {
                println!("{about}\n\n    --quick   a rough table, in a fraction of the time");
                exit(0);
            }
            "--quick" => quick = true,
            "--loop" => {
                let subject = arguments.next();
                let calls = arguments.next().and_then(|calls| calls.parse().ok());
                let (Some(subject), Some(calls)) = (subject, calls) else {
                    fail("`--loop` needs the name of a subject and a number of calls");
                };
                return Asked::Loop { subject, calls };
            }
            unknown => fail(&format!("`{unknown}` is not known; `--help` lists what is")),
        }
    }
    Asked::Table { quick }
}

/// Ends the process with a message.
pub fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    exit(2);
}
