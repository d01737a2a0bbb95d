//! Which scenarios and policies were meant.

use std::path::Path;

use retry_grammar::diagnostics::did_you_mean;

use super::CliError;
use crate::scenario::{self, Builtin, Scenario};

/// The scenarios of these names, each once: a built-in scenario (`L2`, `L8-280`), all parts of one (`L8`), or a file.
///
/// # Errors
/// A name that nothing has, with the nearest that something has; a scenario that cannot be read; two of one name.
pub(super) fn scenarios(names: &[String]) -> Result<Vec<Scenario>, CliError> {
    let mut scenarios: Vec<(String, Scenario)> = Vec::new();
    for name in names {
        for (origin, scenario) in one(name)? {
            match scenarios.iter().find(|(_, known)| known.name == scenario.name) {
                Some((known, _)) if *known == origin => {}
                Some((known, _)) => {
                    return Err(CliError::Usage(format!(
                        "`{origin}` and `{known}` are both called `{}`; rename one of the files, since outputs have \
                         the scenarios' names",
                        scenario.name
                    )));
                }
                None => scenarios.push((origin, scenario)),
            }
        }
    }
    Ok(scenarios.into_iter().map(|(_, scenario)| scenario).collect())
}

fn one(name: &str) -> Result<Vec<(String, Scenario)>, CliError> {
    let parts = scenario::find(name);
    if !parts.is_empty() {
        let read = |part: &Builtin| Ok((part.name.to_owned(), part.scenario()?));
        return parts.into_iter().map(read).collect();
    }
    let path = Path::new(name);
    let toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if toml || path.exists() || path.components().count() > 1 {
        // Two ways to write one place are one file.
        let origin = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        return Ok(vec![(origin.display().to_string(), scenario::read_file(path)?)]);
    }
    Err(CliError::Usage(scenario::unknown(name)))
}

/// Leaves the scenarios those policies only, in this order: the first is what the others are divided by.
///
/// # Errors
/// A policy that no scenario has, or a scenario that has none of them.
pub(super) fn policies(scenarios: &mut [Scenario], names: &[String]) -> Result<(), CliError> {
    if names.is_empty() {
        return Ok(());
    }
    let all: Vec<&str> = scenarios
        .iter()
        .flat_map(|scenario| scenario.policies.iter().map(|policy| policy.name.as_str()))
        .collect();
    for name in names {
        if !all.contains(&name.as_str()) {
            return Err(CliError::Usage(format!(
                "no scenario here has a policy `{name}`{}: write one of {}",
                did_you_mean(name, all.iter().copied()),
                listed(&all)
            )));
        }
    }
    for scenario in scenarios {
        let kept: Vec<_> = names
            .iter()
            .enumerate()
            .filter(|(at, name)| !names[..*at].contains(*name))
            .filter_map(|(_, name)| {
                scenario.policies.iter().find(|policy| policy.name == *name).cloned()
            })
            .collect();
        if kept.is_empty() {
            let has: Vec<&str> =
                scenario.policies.iter().map(|policy| policy.name.as_str()).collect();
            return Err(CliError::Usage(format!(
                "`{}` has none of these policies; leave it out, or name one of {}",
                scenario.name,
                listed(&has)
            )));
        }
        scenario.policies = kept;
    }
    Ok(())
}

fn listed(names: &[&str]) -> String {
    let mut once: Vec<String> = Vec::new();
    for name in names {
        let name = format!("`{name}`");
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once.join(", ")
}
