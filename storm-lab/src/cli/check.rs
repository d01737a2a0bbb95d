//! `storm-lab check`: whether the built-in scenarios show what they are there to show.

use std::{num::NonZero, sync::Arc, time::Instant};

use clap::Args;

use super::{CliError, QUICK, interrupt, progress, stdout, threads::Threads};
use crate::{
    check::{self, Verdict},
    runner::{self, Job, Silent},
    scenario::{self, Builtin, Scenario},
    sim::Watch,
};

/// Runs the built-in scenarios and holds their figures against what is expected of them.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Only these, such as `L2` or `L8-280` [default: all]
    #[arg(value_name = "SCENARIO")]
    scenarios: Vec<String>,
    /// Only the first two seeds
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    threads: Threads,
}

impl Check {
    pub(super) fn run(self) -> Result<(), CliError> {
        let parts = self.parts()?;
        let mut scenarios = Vec::new();
        for part in &parts {
            let mut scenario = part.scenario()?;
            if self.quick {
                scenario.seeds.truncate(QUICK);
            }
            scenarios.push(scenario);
        }
        scenario::affordable(&scenarios).map_err(CliError::Usage)?;
        let watch = Arc::new(Watch::default());
        interrupt::stops(&watch);
        let jobs: Vec<Job<'_>> = scenarios.iter().flat_map(Job::all).collect();
        let results =
            runner::run(&jobs, self.threads.count(), &watch, progress::on_stderr().as_ref());
        if watch.is_stopped() {
            return Err(CliError::Stopped("a check of a part of the figures would say nothing"));
        }
        let simulations: usize = results.iter().map(|result| result.failures.len()).sum();
        if simulations > 0 {
            return Err(CliError::Failed(simulations));
        }
        let mut failed = 0;
        let mut rules = 0;
        for result in &results {
            let verdicts = check::verdicts(&result.scenario, &result.outcomes);
            failed += verdicts.iter().filter(|verdict| !verdict.passes()).count();
            rules += verdicts.len();
            show(&result.scenario, &verdicts)?;
        }
        stdout::write(|out| writeln!(out, "{} of {rules} rules hold", rules - failed))?;
        if let Some(scenario) = scenarios.iter().find(|scenario| scenario.name == "L2") {
            speed(scenario, &watch)?;
        }
        if failed > 0 { Err(CliError::Rules(failed)) } else { Ok(()) }
    }

    fn parts(&self) -> Result<Vec<&'static Builtin>, CliError> {
        if self.scenarios.is_empty() {
            return Ok(scenario::builtins()
                .iter()
                .filter(|part| part.lab.starts_with('L'))
                .collect());
        }
        let mut parts = Vec::new();
        for name in &self.scenarios {
            let found = scenario::find(name);
            if found.is_empty() {
                return Err(CliError::Usage(scenario::unknown_builtin(name)));
            }
            parts.extend(found);
        }
        Ok(parts)
    }
}

fn show(scenario: &Scenario, verdicts: &[Verdict]) -> Result<(), CliError> {
    stdout::write(|out| {
        let seeds = match scenario.seeds.len() {
            1 => "1 seed".to_owned(),
            many => format!("{many} seeds"),
        };
        writeln!(out, "{}: {} ({seeds})", scenario.name, scenario.title)?;
        let widest = verdicts.iter().map(|verdict| verdict.what.chars().count()).max().unwrap_or(0);
        for verdict in verdicts {
            writeln!(
                out,
                "  {}  {:widest$}  {:>15}  observed {}",
                if verdict.passes() { "pass" } else { "FAIL" },
                verdict.what,
                verdict.bound.to_string(),
                verdict.range(),
            )?;
        }
        writeln!(out)
    })
}

/// How fast one core is, on one seed of each policy.
fn speed(scenario: &Scenario, watch: &Watch) -> Result<(), CliError> {
    let mut scenario = scenario.clone();
    scenario.seeds.truncate(1);
    let began = Instant::now();
    let results = runner::run(&Job::all(&scenario), NonZero::<usize>::MIN, watch, &Silent);
    let elapsed = began.elapsed().as_secs_f64();
    let events: u64 =
        results.iter().flat_map(|result| &result.outcomes).map(|outcome| outcome.events).sum();
    #[expect(clippy::cast_precision_loss, reason = "millions")]
    let millions = events as f64 / 1e6;
    stdout::write(|out| {
        writeln!(
            out,
            "speed: {}, all policies, one core: {millions:.1} million events in {elapsed:.1} s, {:.1} million a second",
            scenario.name,
            millions / elapsed.max(1e-9)
        )
    })
}
