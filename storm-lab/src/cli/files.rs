//! Which files a run or an experiment writes.

use std::{
    path::{Path, PathBuf},
    slice,
    str::FromStr,
};

use clap::Args;

use super::{CliError, interrupt, stdout};
use crate::{
    output::{self, Finished, Style, Whole},
    plots,
    report::{self, Section, quoted},
    runner::Results,
};

/// A file, or standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// `-`.
    Stdout,
    /// A path.
    File(PathBuf),
}

/// What is to be written where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub(super) struct Files {
    /// Write table, JSON, CSV and report into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write plots there too, each as SVG and PNG
    #[arg(long, requires = "out")]
    plots: bool,
    /// Write one page with all figures and plots: HTML that needs no other file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write figures and series as JSON; `-` is standard output, without the table
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
    /// Write a row for each policy and seed as CSV; `-` is standard output, without the table
    #[arg(long, value_name = "FILE")]
    csv: Option<Target>,
}

/// The command that gives the same again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Again<'a> {
    /// Such as `run`.
    pub(super) subcommand: &'static str,
    /// What follows the names of the scenarios, from a space on.
    pub(super) options: &'a str,
}

/// The same, and known to be possible before anything is simulated.
#[derive(Debug)]
pub(super) struct Checked {
    whole: Whole,
    files: Files,
}

/// One scenario's results, and where it came from.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) finished: Finished,
    /// What the command line calls it, where it has to name it.
    pub(super) argument: Option<String>,
}

impl Shown {
    /// Whether it has any figures, or says why it has none. Nothing may be finished when it is stopped.
    pub(super) fn says_something(&self) -> bool {
        let Results { outcomes, failures, complete, .. } = &self.finished.results;
        *complete || !outcomes.is_empty() || !failures.is_empty()
    }
}

impl FromStr for Target {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" => Err("it is empty: name a file, or write `-` for standard output"),
            "-" => Ok(Self::Stdout),
            path => Ok(Self::File(path.into())),
        }
    }
}

impl Files {
    /// Makes sure that all of it can be written, for scenarios of these names, which are simulated or measured.
    pub(super) fn check(self, names: &[&str], measured: bool) -> Result<Checked, CliError> {
        if (&self.json, &self.csv) == (&Some(Target::Stdout), &Some(Target::Stdout)) {
            return Err(CliError::Usage(
                "JSON and CSV cannot both go to standard output; name a file for one of them"
                    .to_owned(),
            ));
        }
        let mut whole = Whole::new();
        if let Some(out) = &self.out {
            whole.directory(out)?;
            for name in names {
                for extension in self.extensions(measured) {
                    whole.expect(&path(out, name, true, &extension))?;
                    whole.expect(&path(out, name, false, &extension))?;
                }
            }
        }
        let file = |target: &Option<Target>| match target {
            Some(Target::File(path)) => Some(path.clone()),
            _ => None,
        };
        for path in [file(&self.json), file(&self.csv), self.report.clone()].into_iter().flatten() {
            whole.file(&path)?;
            // It gets this name if it is stopped before the end.
            let partial = marked(&path, false);
            if partial != path {
                whole.expect(&partial)?;
            }
        }
        Ok(Checked { whole, files: self })
    }
}

impl Files {
    /// What the files of one scenario end in.
    fn extensions(&self, measured: bool) -> Vec<String> {
        let mut all = ["txt", "json", "csv", "html"].map(str::to_owned).to_vec();
        all.extend(measured.then(|| "phases.csv".to_owned()));
        if self.plots {
            let pictures = |name: &str| [format!("{name}.svg"), format!("{name}.png")];
            all.extend(plots::NAMES.into_iter().flat_map(pictures));
        }
        all
    }
}

impl Checked {
    /// Writes all files or none, then what goes to standard output; whether anything went there.
    pub(super) fn write(self, shown: &[Shown], again: Again<'_>) -> Result<bool, CliError> {
        let Self { mut whole, files } = self;
        interrupt::writing();
        let finished: Vec<&Finished> = shown.iter().map(|shown| &shown.finished).collect();
        let complete = finished.iter().all(|scenario| scenario.results.complete);
        for one in shown.iter().filter(|one| one.says_something()) {
            if let Some(out) = &files.out {
                directory(&mut whole, out, one, again)?;
                if files.plots {
                    plots(&mut whole, out, one)?;
                }
            }
        }
        if let Some(path) = &files.report {
            whole.add(&marked(path, complete), report(shown, again).as_bytes())?;
        }
        if let Some(Target::File(path)) = &files.json {
            whole.write(&marked(path, complete), |file| output::json(&finished, file))?;
        }
        if let Some(Target::File(path)) = &files.csv {
            whole.write(&marked(path, complete), |file| output::csv(&finished, file))?;
        }
        whole.commit()?;
        if files.json == Some(Target::Stdout) {
            stdout::write(|out| output::json(&finished, out)).map(|()| true)
        } else if files.csv == Some(Target::Stdout) {
            stdout::write(|out| output::csv(&finished, out)).map(|()| true)
        } else {
            Ok(false)
        }
    }
}

/// Adds table, JSON, CSV and report of one scenario; of an experiment, the figures by phase too.
fn directory(
    whole: &mut Whole,
    out: &Path,
    shown: &Shown,
    again: Again<'_>,
) -> Result<(), CliError> {
    let finished = &shown.finished;
    let path = |extension| place(out, finished, extension);
    whole.add(&path("txt"), output::table(finished, Style::PLAIN).as_bytes())?;
    whole.write(&path("json"), |file| output::json(&[finished], file))?;
    whole.write(&path("csv"), |file| output::csv(&[finished], file))?;
    if finished.measured.is_some() {
        whole.write(&path("phases.csv"), |file| output::phases(&[finished], file))?;
    }
    whole.add(&path("html"), report(slice::from_ref(shown), again).as_bytes())?;
    Ok(())
}

fn plots(whole: &mut Whole, out: &Path, shown: &Shown) -> Result<(), CliError> {
    let Finished { results, .. } = &shown.finished;
    for plot in plots::all(&results.scenario, &results.outcomes) {
        let path = |extension| place(out, &shown.finished, &format!("{}.{extension}", plot.name));
        whole.add(&path("svg"), plot.svg.as_bytes())?;
        whole.add(&path("png"), &plot.png()?)?;
    }
    Ok(())
}

/// One page about these scenarios, with the command that gives the same again.
fn report(shown: &[Shown], again: Again<'_>) -> String {
    let sections: Vec<Section<'_>> =
        shown.iter().map(|shown| Section::from(&shown.finished)).collect();
    let names = shown.iter().filter_map(|shown| shown.argument.as_deref().map(quoted));
    let command = format!("storm-lab {}", again.subcommand);
    let command = names.fold(command, |command, name| command + " " + &name);
    report::html(&sections, Some(&(command + again.options)))
}

/// Where a file of these results goes.
fn place(out: &Path, finished: &Finished, extension: &str) -> PathBuf {
    let Results { scenario, complete, .. } = &finished.results;
    path(out, &scenario.name, *complete, extension)
}

/// Where a file of this scenario goes.
fn path(out: &Path, scenario: &str, complete: bool, extension: &str) -> PathBuf {
    let name = file_name(scenario);
    let partial = if complete { "" } else { "partial." };
    out.join(format!("{name}.{partial}{extension}"))
}

/// The path; with `.partial` before its extension where not all is done. What is written to rather than replaced keeps
/// its name.
fn marked(path: &Path, complete: bool) -> PathBuf {
    if complete || output::is_device(path) {
        return path.to_owned();
    }
    match path.extension() {
        Some(extension) => path.with_extension(format!("partial.{}", extension.to_string_lossy())),
        None => path.with_extension("partial"),
    }
}

/// What a file of this scenario can be called everywhere.
fn file_name(scenario: &str) -> String {
    let safe = |character: char| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        character if character.is_control() => '_',
        character => character,
    };
    let name: String = scenario.chars().map(safe).collect();
    if name.is_empty() || name.starts_with('.') { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_partial_says_so_in_its_name() {
        let marked = |path: &str, complete| marked(Path::new(path), complete).display().to_string();
        assert_eq!(marked("out/L2.json", true), "out/L2.json");
        assert_eq!(marked("out/L2.json", false), "out/L2.partial.json");
        assert_eq!(marked("figures", false), "figures.partial");
    }

    #[test]
    fn the_name_of_a_scenario_leads_to_no_other_directory() {
        assert_eq!(file_name("L8-280"), "L8-280");
        assert_eq!(file_name("../../etc/x"), "_.._.._etc_x");
        assert_eq!(file_name(""), "_");
    }
}
