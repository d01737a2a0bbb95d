//! Which scenarios and policies were meant.

use std::path::Path;

use retry_grammar::diagnostics::did_you_mean;

use super::CliError;
use crate::scenario::{self, Builtin, Scenario};

/// A scenario, and where it comes from.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Its own name, if it is built in; else its file's place.
    origin: String,
    /// What the command line calls it: its own name, or its file as it was given.
    pub(super) argument: String,
    /// What the text says.
    pub(super) scenario: Scenario,
}

/// The scenarios of these names, each once: a built-in scenario (`L2`, `L8-280`), all parts of one (`L8`), or a file.
///
/// # Errors
/// A name that nothing has, with the nearest that something has; a scenario that cannot be read; two of one name.
pub(super) fn scenarios(names: &[String]) -> Result<Vec<Chosen>, CliError> {
    let mut all: Vec<Chosen> = Vec::new();
    for name in names {
        for chosen in one(name)? {
            match all.iter().find(|known| known.scenario.name == chosen.scenario.name) {
                Some(known) if known.origin == chosen.origin => {}
                Some(known) => {
                    return Err(CliError::Usage(format!(
                        "`{}` and `{}` are both called `{}`; rename one of the files, since outputs have the \
                         scenarios' names",
                        chosen.argument, known.argument, chosen.scenario.name
                    )));
                }
                None => all.push(chosen),
            }
        }
    }
    Ok(all)
}

fn one(name: &str) -> Result<Vec<Chosen>, CliError> {
    let parts = scenario::find(name);
    if !parts.is_empty() {
        let read = |part: &Builtin| {
            let [origin, argument] = [part.name.to_owned(), part.name.to_owned()];
            Ok(Chosen { origin, argument, scenario: part.scenario()? })
        };
        return parts.into_iter().map(read).collect();
    }
    let path = Path::new(name);
    let toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if toml || path.exists() || path.components().count() > 1 {
        // Two ways to write one place are one file.
        let origin = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let scenario = scenario::read_file(path)?;
        let origin = origin.display().to_string();
        return Ok(vec![Chosen { origin, argument: name.to_owned(), scenario }]);
    }
    Err(CliError::Usage(scenario::unknown(name)))
}

/// Leaves the scenarios those policies only, in this order: the first is what the others are divided by.
///
/// # Errors
/// A policy that no scenario has, or a scenario that has none of them.
pub(super) fn policies(chosen: &mut [Chosen], names: &[String]) -> Result<(), CliError> {
    if names.is_empty() {
        return Ok(());
    }
    let all: Vec<&str> = chosen
        .iter()
        .flat_map(|chosen| chosen.scenario.policies.iter().map(|policy| policy.name.as_str()))
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
    for Chosen { scenario, .. } in chosen {
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
