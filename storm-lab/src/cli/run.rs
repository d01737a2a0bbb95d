//! `storm-lab run`: simulates scenarios and compares their policies.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    sync::Arc,
};

use clap::Args;

use super::{
    CliError, QUICK,
    files::{Again, Checked, Files, Shown},
    interrupt, progress,
    select::{self, Chosen},
    stdout,
    threads::Threads,
};
use crate::{
    output::{self, Finished},
    report::quoted,
    runner::{self, Job},
    scenario,
    sim::Watch,
};

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
    /// Seeds instead of the scenario's own, such as `1-6` or `1,4,9`; `6` is the seed 6 alone, where `seeds = 6` in a
    /// file is six seeds
    #[arg(long, value_parser = seeds, value_name = "SEEDS")]
    seeds: Option<Seeds>,
    /// Only this policy; may be given several times, and the others are divided by the first
    #[arg(long = "policy", value_name = "NAME")]
    policies: Vec<String>,
    #[command(flatten)]
    threads: Threads,
    /// Only the first two seeds: a first impression
    #[arg(long, conflicts_with = "seeds")]
    quick: bool,
    #[command(flatten)]
    files: Files,
}

impl Run {
    pub(super) fn run(self) -> Result<(), CliError> {
        let mut chosen = select::scenarios(&self.scenarios)?;
        select::policies(&mut chosen, &self.policies)?;
        for Chosen { scenario, .. } in &mut chosen {
            if let Some(Seeds(seeds)) = &self.seeds {
                scenario.seeds.clone_from(seeds);
            }
            if self.quick {
                scenario.seeds.truncate(QUICK);
            }
        }
        scenario::affordable(chosen.iter().map(|chosen| &chosen.scenario))
            .map_err(CliError::Usage)?;
        let options = self.options();
        let names: Vec<&str> = chosen.iter().map(|one| one.scenario.name.as_str()).collect();
        let files = self.files.check(&names, false)?;
        let jobs: Vec<Job<'_>> =
            chosen.iter().flat_map(|chosen| Job::all(&chosen.scenario)).collect();
        let watch = Arc::new(Watch::default());
        interrupt::stops(&watch);
        let results =
            runner::run(&jobs, self.threads.count(), &watch, progress::on_stderr().as_ref());
        // Each of them has at least one policy and one seed, and so its results, in the same order.
        let shown: Vec<Shown> = results
            .into_iter()
            .map(Finished::from)
            .zip(chosen)
            .map(|(finished, Chosen { argument, .. })| Shown { finished, argument: Some(argument) })
            .collect();
        show(&shown, &options, files, watch.is_stopped())
    }

    /// What gives the same figures again, beside the scenarios.
    fn options(&self) -> String {
        let mut options = String::new();
        if let Some(Seeds(seeds)) = &self.seeds {
            let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
            let _ = write!(options, " --seeds {}", seeds.join(","));
        }
        if self.quick {
            options.push_str(" --quick");
        }
        for policy in &self.policies {
            let _ = write!(options, " --policy {}", quoted(policy));
        }
        options
    }
}

/// Writes what was finished, and says what was not.
fn show(shown: &[Shown], options: &str, files: Checked, stopped: bool) -> Result<(), CliError> {
    let results = || shown.iter().map(|shown| &shown.finished.results);
    let complete = results().all(|results| results.complete);
    let failures: usize = results().map(|results| results.failures.len()).sum();
    // Once all was done, it is too late to stop it.
    let stopped = stopped && !complete;
    if stopped && results().all(|results| results.outcomes.is_empty()) {
        return Err(CliError::Stopped("nothing was finished, and nothing is written"));
    }
    for one in shown.iter().filter(|one| !one.says_something()) {
        // Who has closed standard error does not want to know.
        let _ = writeln!(
            io::stderr(),
            "nothing of `{}` was finished: it has no table and no files of its own",
            one.finished.results.scenario.name
        );
    }
    let written = files.write(shown, Again { subcommand: "run", options });
    let written = written.and_then(|on_stdout| if on_stdout { Ok(()) } else { tables(shown) });
    match written {
        Err(CliError::Closed) | Ok(()) if failures > 0 => Err(CliError::Failed(failures)),
        Err(CliError::Closed) | Ok(()) if stopped => {
            Err(CliError::Stopped("the figures are of what was finished, and marked as partial"))
        }
        written => written,
    }
}

fn tables(shown: &[Shown]) -> Result<(), CliError> {
    let style = stdout::style();
    stdout::write(|out| {
        for (at, one) in shown.iter().filter(|one| one.says_something()).enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            out.write_all(output::table(&one.finished, style).as_bytes())?;
        }
        Ok(())
    })
}
