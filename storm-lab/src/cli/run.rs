//! `storm-lab run`: simulates scenarios and compares their policies.

use std::{num::NonZero, path::PathBuf, sync::Arc, thread};

use clap::Args;

use super::{
    CliError,
    files::{Files, Target},
    interrupt, progress, select, stdout,
};
use crate::{
    output::{self, Finished},
    runner::{self, Job},
    scenario,
    sim::Watch,
};

/// How many seeds `--quick` leaves.
const QUICK: usize = 2;
/// More threads than any machine has.
const MOST_THREADS: u16 = 1_024;

/// Read as a whole, where clap would take several values for several arguments.
#[derive(Clone, Debug)]
struct Seeds(Vec<u64>);

fn seeds(text: &str) -> Result<Seeds, String> {
    scenario::seeds(text).map(Seeds)
}

/// Simulates scenarios, and compares their policies.
#[derive(Debug, Args)]
pub(super) struct Run {
    /// Built-in scenarios (`L2`, `L8` with all its parts, `L8-280`) or files (`mine.toml`)
    #[arg(required = true, value_name = "SCENARIO")]
    scenarios: Vec<String>,
    /// Seeds instead of the scenario's own, such as `1-6` or `1,4,9`
    #[arg(long, value_parser = seeds, value_name = "SEEDS")]
    seeds: Option<Seeds>,
    /// Only this policy; may be given several times, and the others are divided by the first
    #[arg(long = "policy", value_name = "NAME")]
    policies: Vec<String>,
    /// How many simulations run at once [default: one on each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_THREADS)))]
    threads: Option<u16>,
    /// Only the first two seeds: a first impression
    #[arg(long, conflicts_with = "seeds")]
    quick: bool,
    /// Write the table, JSON and CSV of each scenario into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write figures and series of all scenarios as JSON; `-` is standard output, without the table
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
    /// Write a row for each policy and seed as CSV; `-` is standard output, without the table
    #[arg(long, value_name = "FILE")]
    csv: Option<Target>,
}

impl Run {
    pub(super) fn run(self) -> Result<(), CliError> {
        let mut scenarios = select::scenarios(&self.scenarios)?;
        select::policies(&mut scenarios, &self.policies)?;
        for scenario in &mut scenarios {
            if let Some(Seeds(seeds)) = &self.seeds {
                scenario.seeds.clone_from(seeds);
            }
            if self.quick {
                scenario.seeds.truncate(QUICK);
            }
        }
        let files = Files::check(self.out, self.json, self.csv)?;
        let jobs: Vec<Job<'_>> = scenarios.iter().flat_map(Job::all).collect();
        let threads = self
            .threads
            .and_then(|threads| NonZero::new(usize::from(threads)))
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN);
        let watch = Arc::new(Watch::default());
        interrupt::stops(&watch);
        let results = runner::run(&jobs, threads, &watch, progress::on_stderr().as_ref());
        let finished: Vec<Finished> = results.into_iter().map(Finished::from).collect();
        show(&finished, files, watch.is_stopped())
    }
}

/// Writes what was finished, and says what was not.
fn show(finished: &[Finished], files: Files, stopped: bool) -> Result<(), CliError> {
    let complete = finished.iter().all(|scenario| scenario.results.complete);
    let failures: usize = finished.iter().map(|scenario| scenario.results.failures.len()).sum();
    // Once all was done, it is too late to stop it.
    let stopped = stopped && !complete;
    if stopped && finished.iter().all(|scenario| scenario.results.outcomes.is_empty()) {
        return Err(CliError::Stopped("nothing was finished, and nothing is written"));
    }
    let shown = files.write(finished);
    let shown = shown.and_then(|on_stdout| if on_stdout { Ok(()) } else { tables(finished) });
    match shown {
        Err(CliError::Closed) | Ok(()) if failures > 0 => Err(CliError::Failed(failures)),
        Err(CliError::Closed) | Ok(()) if stopped => {
            Err(CliError::Stopped("the figures are of what was finished, and marked as partial"))
        }
        shown => shown,
    }
}

fn tables(finished: &[Finished]) -> Result<(), CliError> {
    let style = stdout::style();
    stdout::write(|out| {
        for (at, scenario) in finished.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            out.write_all(output::table(scenario, style).as_bytes())?;
        }
        Ok(())
    })
}
