//! One page that can be mailed: what was simulated, the figures, the plots, and how to get them again. It asks for
//! nothing else: no script runs, no font and no picture is loaded.

mod experiment;
mod figures;
mod tables;
mod words;

use std::fmt::Write;

use crate::{
    measured::Measured,
    outcome::Outcome,
    output::Finished,
    plots::{self, DARK, escaped},
    runner::Failure,
    scenario::Scenario,
    summary::Summary,
};

const STYLE: &str = include_str!("page.css");

/// One scenario and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// What was simulated.
    pub scenario: &'a Scenario,
    /// By policy, then by seed.
    pub outcomes: &'a [Outcome],
    /// What they come to.
    pub summary: &'a Summary,
    /// Simulations that ended in a panic.
    pub failures: &'a [Failure],
    /// Whether nothing is missing.
    pub complete: bool,
    /// What is known besides, where they were measured.
    pub measured: Option<&'a Measured>,
}

impl<'a> From<&'a Finished> for Section<'a> {
    fn from(finished: &'a Finished) -> Self {
        let Finished { results, summary, measured } = finished;
        Self {
            scenario: &results.scenario,
            outcomes: &results.outcomes,
            summary,
            failures: &results.failures,
            complete: results.complete,
            measured: measured.as_ref(),
        }
    }
}

impl Section<'_> {
    fn title(&self) -> String {
        let Scenario { name, title, .. } = self.scenario;
        if title.is_empty() { name.clone() } else { format!("{name}: {title}") }
    }
}

/// For addresses within the page.
fn anchor(at: usize) -> String {
    format!("scenario-{}", at + 1)
}

/// The page of one or several scenarios. `command` gives the same figures again; without one, it is the one that runs
/// the scenarios with their seeds.
///
/// Each figure of a table is in an attribute `data-value` of its cell, rounded as it is shown, and all of them once
/// more as JSON in the element `figures`.
pub fn html(sections: &[Section<'_>], command: Option<&str>) -> String {
    let title = match sections {
        [one] => one.title(),
        _ => "Storm lab".to_owned(),
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"storm-lab {version}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n\
         <style>\n{STYLE}@media screen and (prefers-color-scheme: dark) {{\n\
         :root {{ --ink: #e6edf3; --soft: #9da7b1; --paper: #16181d; --line: #2d333b; --tint: #1f2329; --warn: #4d3f0a; --warn-ink: #ffe69c }}\n\
         {DARK}\n}}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        version = env!("CARGO_PKG_VERSION"),
        title = escaped(&title),
    );
    if sections.iter().any(|section| !section.complete) {
        page.push_str(
            "<p class=\"partial\" role=\"status\">Partial: it was stopped before all was finished. The figures are of \
             what was.</p>\n",
        );
    }
    if sections.len() > 1 {
        contents(&mut page, sections);
    }
    for (at, section) in sections.iter().enumerate() {
        show(&mut page, section, at, sections.len() > 1);
    }
    let command = command.map_or_else(|| command_of(sections), str::to_owned);
    let _ = write!(
        page,
        "<footer>\n<h3>How to get the same again</h3>\n<pre><code id=\"command\">{}</code></pre>\n\
         <p>{} Made by storm-lab {}, which drives the retry code that services run.</p>\n</footer>\n{}</body>\n</html>\n",
        escaped(&command),
        if sections.iter().any(|section| section.measured.is_some()) {
            "This was measured: real time adds chance of its own, and other machines have other figures."
        } else {
            "The same scenario, policy and seed give the same figures on every machine."
        },
        env!("CARGO_PKG_VERSION"),
        figures::block(sections),
    );
    page
}

fn contents(page: &mut String, sections: &[Section<'_>]) {
    page.push_str("<nav><ul>\n");
    for (at, section) in sections.iter().enumerate() {
        let (anchor, title) = (anchor(at), escaped(&section.title()));
        let _ = writeln!(page, "<li><a href=\"#{anchor}\">{title}</a></li>");
    }
    page.push_str("</ul></nav>\n");
}

fn show(page: &mut String, section: &Section<'_>, at: usize, several: bool) {
    let (anchor, name) = (anchor(at), escaped(&section.scenario.name));
    let _ = writeln!(
        page,
        "<section id=\"{anchor}\" data-scenario=\"{name}\" data-complete=\"{}\">",
        section.complete
    );
    if several {
        let _ = writeln!(page, "<h2>{}</h2>", escaped(&section.title()));
    }
    let _ = writeln!(page, "<p>{}</p>", escaped(&section.scenario.about));
    if !section.complete {
        let all = section.scenario.seeds.len() * section.scenario.policies.len();
        let done = section.outcomes.len();
        let what = section.measured.map_or_else(
            || format!("{done} of {all} simulations were finished."),
            Measured::partial,
        );
        let _ = writeln!(page, "<p class=\"partial\">{}</p>", escaped(&what));
    }
    for failure in section.failures {
        let _ = writeln!(page, "<p class=\"failed\">{}</p>", escaped(&failure.to_string()));
    }
    page.push_str("<h3>What the policies came to</h3>\n");
    tables::figures(page, section);
    tables::notes(page, section.summary);
    if let Some(measured) = section.measured {
        experiment::tables(page, measured);
    }
    for plot in plots::all(section.scenario, section.outcomes) {
        let _ = write!(
            page,
            "<figure class=\"plot\" data-plot=\"{}\">\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n\
             <figcaption>{}</figcaption>\n</figure>\n",
            plot.name,
            escaped(&plot.title),
            plot.svg,
            escaped(plot.reading)
        );
    }
    let done = if section.measured.is_some() { "measured" } else { "simulated" };
    let _ = writeln!(page, "<h3>What was {done}</h3>");
    words::scenario(page, section.scenario);
    words::policies(page, section.scenario);
    if !section.scenario.source.is_empty() {
        let _ = writeln!(
            page,
            "<details><summary>The scenario’s file</summary>\n<pre><code>{}</code></pre></details>",
            escaped(&section.scenario.source)
        );
    }
    tables::tiers(page, section.summary);
    tables::stops(page, section.summary);
    tables::seeds(page, section);
    page.push_str("</section>\n");
}

fn command_of(sections: &[Section<'_>]) -> String {
    let names = sections.iter().map(|section| quoted(&section.scenario.name));
    let mut command = names.fold("storm-lab run".to_owned(), |command, name| command + " " + &name);
    if let [section] = sections {
        let seeds: Vec<_> = section.scenario.seeds.iter().map(u64::to_string).collect();
        if !seeds.is_empty() {
            command += " --seeds ";
            command += &seeds.join(",");
        }
    }
    command
}

/// As a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
