//! `storm-lab run`: simulates scenarios and compares their policies.

use std::{num::NonZero, path::PathBuf, sync::Arc, thread};

use clap::Args;

use super::{
    CliError,
    files::{Files, Target, Wanted},
    interrupt, progress, select, stdout,
};
use crate::{
    output::{self, Finished},
    report::quoted,
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
    /// Write the plots of each scenario as SVG and PNG into the directory of `--out`
    #[arg(long, requires = "out")]
    plots: bool,
    /// Write one HTML page with figures and plots that can be mailed
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
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
        let command = self.command();
        let Self { out, plots, json, csv, report, .. } = self;
        let files = Files::check(Wanted { out, plots, json, csv, report, command })?;
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

    /// What gives the same figures again. On how many threads, and what is written where, changes none.
    fn command(&self) -> String {
        let mut words = vec!["storm-lab".to_owned(), "run".to_owned()];
        words.extend(self.scenarios.iter().map(|name| quoted(name)));
        if let Some(Seeds(seeds)) = &self.seeds {
            let seeds: Vec<_> = seeds.iter().map(u64::to_string).collect();
            words.extend(["--seeds".to_owned(), seeds.join(",")]);
        }
        for policy in &self.policies {
            words.extend(["--policy".to_owned(), quoted(policy)]);
        }
        if self.quick {
            words.push("--quick".to_owned());
        }
        words.join(" ")
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
