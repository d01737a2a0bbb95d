//! `storm-lab plan`: what a policy comes to, without a simulation.

use std::time::Duration;

use clap::Args;

use super::{CliError, files::Target, interrupt, stdout};
use crate::{
    attribute,
    budget::{BudgetSpec, PairError},
    output::Whole,
    plan::{Circumstances, Plan},
};

/// Works out what a policy comes to: its schedule, its worst case, and what its budget promises.
#[derive(Debug, Args)]
pub(super) struct PlanOf {
    /// What stands in `#[retry(…)]`, such as 'base = "50ms", attempts = 3'
    #[arg(value_name = "POLICY")]
    policy: String,
    /// What pays: `burst=10,ratio=0.1`, `kind=window,ratio=0.1` [default: the default bucket]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,
    /// Calls a second of one process
    #[arg(long, value_name = "CALLS", default_value_t = 100.0, value_parser = above_zero)]
    rps: f64,
    /// Processes, each with a budget of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    processes: u32,
    /// Requests a second that the dependency can serve
    #[arg(long, value_name = "REQUESTS", value_parser = above_zero)]
    capacity: Option<f64>,
    /// How long an attempt takes to fail, such as `500ms` [default: no time]
    #[arg(long, value_name = "TIME", value_parser = time)]
    attempt: Option<Duration>,
    /// The deadline that callers give, such as `2s`
    #[arg(long, value_name = "TIME", value_parser = time)]
    deadline: Option<Duration>,
    /// A time without any answer that is to be ridden out, such as `500ms`
    #[arg(long, value_name = "TIME", value_parser = time)]
    blackout: Option<Duration>,
    /// Write all figures as JSON; `-` is standard output, without the page
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("write a number above zero, such as 300".to_owned()),
    }
}

/// With its key, which most messages name anyway.
fn of_budget(error: &PairError) -> String {
    let key = format!("`{}`", error.key);
    if error.key.is_empty() || error.message.contains(&key) {
        format!("--budget: {error}")
    } else {
        format!("--budget: {key}: {error}")
    }
}

fn time(text: &str) -> Result<Duration, String> {
    retry_grammar::duration::parse(text)
}

impl PlanOf {
    pub(super) fn run(self) -> Result<(), CliError> {
        let policy = attribute::read(&self.policy).map_err(CliError::Policy)?;
        let budget =
            self.budget.as_deref().map(BudgetSpec::read).transpose().map_err(|errors| {
                let lines: Vec<String> = errors
                    .iter()
                    .map(of_budget)
                    .map(|error| attribute::shortened(&error, 600))
                    .collect();
                CliError::Usage(lines.join("\n"))
            })?;
        let around = Circumstances {
            rps: self.rps,
            processes: self.processes,
            capacity: self.capacity,
            attempt: self.attempt,
            deadline: self.deadline,
            blackout: self.blackout,
        };
        let plan = Plan::of(&policy, budget.as_ref(), &around);
        match &self.json {
            Some(Target::Stdout) => return stdout::write(|out| plan.json(out)),
            Some(Target::File(path)) => {
                interrupt::ends();
                let mut whole = Whole::new();
                whole.write(path, |file| plan.json(file))?;
                whole.commit()?;
            }
            None => {}
        }
        stdout::write(|out| out.write_all(plan.shown(stdout::style()).as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_in_a_budget_names_its_key_once() {
        for (text, wanted) in [
            ("ratio=10%", "--budget: `ratio` is \"10%\": it must be a number, as in `0.1`"),
            ("burst=1,,ratio=0.1", "--budget: nothing stands between two commas: take one away"),
        ] {
            let errors = BudgetSpec::read(text).unwrap_err();
            assert_eq!(errors.iter().map(of_budget).collect::<Vec<_>>(), [wanted]);
        }
        let no_kind = BudgetSpec::read("kind=pail").unwrap_err();
        assert!(of_budget(&no_kind[0]).starts_with("--budget: `kind`: "), "{no_kind:?}");
    }
}
