//! The experiment on loopback: its faults, its server, its processes.

mod arrivals;
mod children;
mod faults;
mod interrupted;
mod processes;
mod refused;
mod run;
mod server;
mod written;

use std::path::PathBuf;

use clap::Parser;
use storm_lab::load::{Arguments, Settings};

/// The arguments as a user writes them.
#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_storm-lab"))
}

fn arguments(line: &str) -> Arguments {
    Line::parse_from(std::iter::once("load").chain(line.split_whitespace())).arguments
}

fn settings(line: &str) -> Settings {
    arguments(line).check(program()).unwrap()
}
