//! Which files a run writes.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    slice,
    str::FromStr,
};

use super::{CliError, stdout};
use crate::{
    output::{self, Finished, Style, Whole},
    plots,
    report::{self, Section},
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
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) out: Option<PathBuf>,
    /// Into `out`.
    pub(super) plots: bool,
    pub(super) json: Option<Target>,
    pub(super) csv: Option<Target>,
    pub(super) report: Option<PathBuf>,
    /// What gives the same figures again.
    pub(super) command: String,
}

/// The same, known to be possible before anything is simulated.
#[derive(Debug)]
pub(super) struct Files {
    whole: Whole,
    wanted: Wanted,
}

impl FromStr for Target {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == "-" { Self::Stdout } else { Self::File(text.into()) })
    }
}

impl Files {
    /// Makes sure that all of it can be written.
    pub(super) fn check(wanted: Wanted) -> Result<Self, CliError> {
        let Wanted { out, json, csv, report, .. } = &wanted;
        if (json, csv) == (&Some(Target::Stdout), &Some(Target::Stdout)) {
            return Err(CliError::Usage(
                "JSON and CSV cannot both go to standard output; name a file for one of them"
                    .to_owned(),
            ));
        }
        let mut whole = Whole::new();
        if let Some(out) = out {
            whole.directory(out)?;
        }
        if let Some(report) = report {
            whole.file(report)?;
        }
        for target in [json, csv].into_iter().flatten() {
            if let Target::File(path) = target {
                whole.file(path)?;
            }
        }
        Ok(Self { whole, wanted })
    }

    /// Writes all files or none, then what goes to standard output; whether anything went there.
    pub(super) fn write(self, finished: &[Finished]) -> Result<bool, CliError> {
        let Self { mut whole, wanted: Wanted { out, plots, json, csv, report, command } } = self;
        for (directory, scenario) in
            out.iter().flat_map(|out| finished.iter().map(move |one| (out, one)))
        {
            let one = slice::from_ref(scenario);
            let path = |extension: &str| {
                let name = format!("{}.{extension}", file_name(&scenario.results.scenario.name));
                marked(&directory.join(name), scenario.results.complete)
            };
            whole.add(&path("txt"), output::table(scenario, Style::PLAIN).as_bytes())?;
            whole.write(&path("json"), |file| output::json(one, file))?;
            whole.write(&path("csv"), |file| output::csv(one, file))?;
            let drawn = if plots { self::plots(scenario) } else { Vec::new() };
            for plot in drawn {
                whole.add(&path(&format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
                whole.add(&path(&format!("{}.png", plot.name)), &plot.png()?)?;
            }
        }
        let complete = finished.iter().all(|scenario| scenario.results.complete);
        if let Some(Target::File(path)) = &json {
            whole.write(&marked(path, complete), |file| output::json(finished, file))?;
        }
        if let Some(Target::File(path)) = &csv {
            whole.write(&marked(path, complete), |file| output::csv(finished, file))?;
        }
        if let Some(report) = &report {
            let sections: Vec<Section<'_>> = finished.iter().map(Section::from).collect();
            let page = report::html(&sections, Some(&command));
            whole.add(&marked(report, complete), page.as_bytes())?;
        }
        whole.commit()?;
        if json == Some(Target::Stdout) {
            stdout::write(|out| output::json(finished, out)).map(|()| true)
        } else if csv == Some(Target::Stdout) {
            stdout::write(|out| output::csv(finished, out)).map(|()| true)
        } else {
            Ok(false)
        }
    }
}

fn plots(finished: &Finished) -> Vec<plots::Plot> {
    plots::all(&finished.results.scenario, &finished.results.outcomes)
}

/// The path; with `.partial` before its extension where not all is done. What is no file keeps its name.
fn marked(path: &Path, complete: bool) -> PathBuf {
    if complete || path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
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
