//! The scenarios that come with the program.

use std::fmt::Write as _;

use retry_grammar::diagnostics::did_you_mean;

use super::{Scenario, ScenarioError, file};

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// What it belongs to: `L8` has several parts.
    pub lab: &'static str,
    /// Its own name: `L8-280`.
    pub name: &'static str,
    /// Its file, from which one's own may start.
    pub text: &'static str,
}

macro_rules! builtins {
    ($($lab:literal: $($name:literal)+;)+) => {
        &[$($(Builtin {
            lab: $lab,
            name: $name,
            text: include_str!(concat!("../../scenarios/", $name, ".toml")),
        },)+)+]
    };
}

const ALL: &[Builtin] = builtins! {
    "L1": "L1" "L1-many";
    "L2": "L2";
    "L3": "L3";
    "L4": "L4";
    "L5": "L5" "L5-onset";
    "L6": "L6";
    "L7": "L7";
    "L8": "L8-280" "L8-240" "L8-140" "L8-shed";
    "L9": "L9";
    "L10": "L10-outage" "L10-page";
    "large": "large";
};

impl Builtin {
    /// What its file says.
    ///
    /// # Errors
    ///
    /// None: a test reads each of them.
    pub fn scenario(&self) -> Result<Scenario, ScenarioError> {
        file::read_as(&format!("{}.toml", self.name), self.name, self.text)
    }
}

/// All of them, in order.
pub const fn builtins() -> &'static [Builtin] {
    ALL
}

/// The one of this name, in upper or lower case.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name.eq_ignore_ascii_case(name))
}

/// The one of this name, or all parts of the one that is called so: `L8` is four scenarios, `L8-280` is one. Empty
/// where there is none.
pub fn find(name: &str) -> Vec<&'static Builtin> {
    let parts: Vec<_> =
        ALL.iter().filter(|builtin| builtin.lab.eq_ignore_ascii_case(name)).collect();
    if parts.is_empty() { builtin(name).into_iter().collect() } else { parts }
}

/// That there is no scenario of this name, where files are taken too: with the nearest one, and where to find them
/// all.
pub fn unknown(name: &str) -> String {
    format!(
        "{}: write the path of a file, or a name that `storm-lab list` shows",
        there_is_none(name)
    )
}

/// The same where only built-in scenarios are taken, and no files.
pub fn unknown_builtin(name: &str) -> String {
    format!(
        "{}: write a name that `storm-lab list` shows; files are taken by `storm-lab run` alone",
        there_is_none(name)
    )
}

fn there_is_none(name: &str) -> String {
    let shown: String = name.chars().take(60).flat_map(char::escape_debug).collect();
    let names = || ALL.iter().flat_map(|builtin| [builtin.lab, builtin.name]);
    // Suggestions are by typing mistakes in lower case.
    let lower: Vec<String> = names().map(str::to_lowercase).collect();
    let close = did_you_mean(name, lower.iter().map(String::as_str));
    let close = names().find(|known| close.contains(&format!("`{}`", known.to_lowercase())));
    let close = close.map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
    format!("there is no scenario `{shown}`{close}")
}

/// A table of all: name, title, policies and seeds. Each name is one that [`find`] takes; so is the part before a
/// dash, which means all that begin with it.
pub fn list() -> String {
    let mut table = String::new();
    let rows: Vec<[String; 4]> = ALL.iter().filter_map(row).collect();
    let heading = ["name", "policies", "seeds", "title"].map(str::to_owned);
    let all: Vec<&[String; 4]> = std::iter::once(&heading).chain(&rows).collect();
    let width =
        |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [name, policies, seeds] = [width(0), width(1), width(2)];
    for row in &all {
        let [a, b, c, d] = row;
        let _ = writeln!(table, "{a:<name$}  {b:>policies$}  {c:>seeds$}  {d}");
    }
    table
}

fn row(builtin: &Builtin) -> Option<[String; 4]> {
    let scenario = builtin.scenario().ok()?;
    let seeds = match scenario.seeds.as_slice() {
        [first, .., last] if is_range(&scenario.seeds) => format!("{first}-{last}"),
        seeds => seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
    };
    Some([builtin.name.to_owned(), scenario.policies.len().to_string(), seeds, scenario.title])
}

fn is_range(seeds: &[u64]) -> bool {
    seeds.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]))
}
