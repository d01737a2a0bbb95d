//! `storm-lab`: what a retry policy does to a system, before it is shipped.

use std::process::ExitCode;

fn main() -> ExitCode {
    storm_lab::cli::main()
}
