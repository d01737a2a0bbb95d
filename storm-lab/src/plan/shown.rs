//! A plan as a page of text: what was assumed, a table, a plot of the delays, and what follows from it.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::{
    attribute::{shortened, visible},
    output::{
        Style,
        grid::{Cell, Column, Grid, Group},
        style::Paint,
    },
};

use super::figures::{number, percent, time};
use super::{DRAWS, Plan, ROWS, Row, SEED, Spread};

/// Characters of a bar, where there is room.
const WIDTH: usize = 40;
/// Characters of a policy's text.
const POLICY: usize = 1_000;
/// Labels are so wide, with the space behind them.
const LABEL: usize = 15;

/// Reads one length of time of a row.
type Of = fn(&Row) -> Duration;

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(Style::PLAIN))
    }
}

impl Plan {
    /// For people: what was assumed, the schedule as a table and as bars, the worst case, what the budget promises,
    /// and what to think about. Ends in a newline.
    pub fn shown(&self, style: Style) -> String {
        let mut page = Page { style, lines: Vec::new() };
        self.heading(&mut page);
        if !self.rows.is_empty() {
            page.lines.push(String::new());
            self.schedule(&mut page);
            self.bars(&mut page);
        }
        page.lines.push(String::new());
        self.times(&mut page);
        self.load(&mut page);
        if !self.warnings.is_empty() || !self.notes.is_empty() {
            page.lines.push(String::new());
        }
        for text in &self.warnings {
            page.said("warning: ", Paint::Yellow, text);
        }
        for text in &self.notes {
            page.said("note: ", Paint::Dim, text);
        }
        page.lines.join("\n") + "\n"
    }

    fn heading(&self, page: &mut Page) {
        let policy = if self.policy.trim().is_empty() { "(all defaults)" } else { &self.policy };
        page.labelled("policy", &shortened(policy, POLICY));
        page.labelled("budget", self.budget.as_deref().unwrap_or("none: nothing pays for retries"));
        page.labelled("assumed", &self.assumed());
    }

    fn assumed(&self) -> String {
        let around = &self.around;
        let rate = if around.rps > 0.0 {
            format!("{} calls a second", number(around.rps))
        } else {
            "an unknown number of calls".to_owned()
        };
        let processes = match around.processes {
            0 | 1 => "in one process".to_owned(),
            many => format!("in each of {} processes", number(many.into())),
        };
        let mut parts = vec![format!("{rate} {processes}")];
        parts.push(if self.attempt.is_zero() {
            "attempts fail at once".to_owned()
        } else {
            format!("attempts fail after {}", time(self.attempt))
        });
        parts.extend(around.deadline.map(|it| format!("callers' deadline of {}", time(it))));
        parts.extend(
            around.capacity.map(|it| format!("capacity of {} requests a second", number(it))),
        );
        parts.extend(around.blackout.map(|it| format!("blackout of {}", time(it))));
        parts.join(", ")
    }

    fn schedule(&self, page: &mut Page) {
        let drawn = number(f64::from(u32::try_from(DRAWS).unwrap_or(u32::MAX)));
        page.text(
            &format!(
                "schedule of a call whose attempts all fail ({drawn} drawn, seed {SEED}; least and most are exact)"
            ),
            Paint::Bold,
        );
        let column = |heading: &str, of: Of| Column {
            heading: heading.to_owned(),
            cells: self.rows.iter().map(|row| Cell::new(time(of(row)), Paint::Plain)).collect(),
        };
        let group = |heading: &str, columns| Group { heading: heading.to_owned(), columns };
        let mut groups = vec![
            group("", vec![column("cap", |row| row.cap)]),
            group(
                "delay before it",
                vec![
                    column("least", |row| row.delay.least),
                    column("p5", |row| row.delay.p5),
                    column("p50", |row| row.delay.p50),
                    column("p95", |row| row.delay.p95),
                    column("most", |row| row.delay.most),
                ],
            ),
            group(
                "starts at",
                vec![
                    column("p5", |row| row.start.p5),
                    column("p50", |row| row.start.p50),
                    column("p95", |row| row.start.p95),
                    column("most", |row| row.start.most),
                ],
            ),
        ];
        if self.deadline.is_some() {
            let cell =
                |row: &Row| Cell::new(row.in_time.map_or_else(String::new, percent), Paint::Plain);
            let cells = self.rows.iter().map(cell).collect();
            groups.push(group("", vec![Column { heading: "in time".to_owned(), cells }]));
        }
        let labels = self.rows.iter().map(|row| Cell::new(row.attempt.to_string(), Paint::Plain));
        let grid = Grid { corner: "attempt".to_owned(), labels: labels.collect(), groups };
        page.lines.extend(grid.lines(page.style));
        if self.attempts.is_none_or(|attempts| attempts - 1 > ROWS) {
            page.lines.push("and so on".to_owned());
        }
    }

    /// Each delay from its least to its most, thicker from p5 to p95, with a mark at p50.
    fn bars(&self, page: &mut Page) {
        let longest = self.rows.iter().map(|row| row.delay.most).max().unwrap_or_default();
        let label = "attempt".len() + 2;
        let width = WIDTH.min(page.style.width.saturating_sub(label));
        if longest.is_zero() || width < 2 {
            return;
        }
        page.lines.push(String::new());
        let legend = "delay: \u{2500} all, \u{2501} p5 to p95, \u{2503} p50";
        page.lines.push(format!("{:label$}{legend}", ""));
        for row in &self.rows {
            let bar = bar(&row.delay, longest, width);
            page.lines.push(format!("{:<label$}{}", row.attempt, bar.trim_end()));
        }
        page.lines.push(format!("{:label$}0{:>rest$}", "", time(longest), rest = width - 1));
    }

    fn times(&self, page: &mut Page) {
        let longest = match (self.worst_total, self.longest_attempt) {
            (None, _) => "without end, as attempts are unlimited".to_owned(),
            (Some(worst), Some(each)) => format!(
                "{}, if no deadline ends it: delays at their longest, attempts of {} each",
                time(worst),
                time(each)
            ),
            (Some(waits), None) => format!(
                "{} of waiting at most, if no deadline ends it, and however long the attempts take",
                time(waits)
            ),
        };
        page.labelled("longest call", &longest);
        let (Some(deadline), Some(cut)) = (self.deadline, self.cut) else { return };
        page.labelled(
            "deadline",
            &format!(
                "{}, which cuts {} of these calls: it keeps them from their last attempt",
                time(deadline),
                percent(cut)
            ),
        );
    }

    fn load(&self, page: &mut Page) {
        let most = number(self.worst_amplification);
        let unpaid = match self.attempts {
            Some(attempts) if f64::from(attempts) > self.worst_amplification => {
                format!(", and {attempts} if nothing limited them")
            }
            _ => String::new(),
        };
        page.labelled(
            "amplification",
            &format!("at most {most} attempts per call in the long run{unpaid}"),
        );
        if let Some(long_run) = self.long_run.filter(|long_run| long_run.is_finite()) {
            let calls = self.around.rps * f64::from(self.around.processes.max(1));
            page.labelled(
                "load",
                &format!(
                    "{} calls a second, and at most {} attempts a second in the long run",
                    number(calls),
                    number(long_run)
                ),
            );
        }
        if let Some(blackout) = self.blackout() {
            page.labelled("blackout", &blackout);
        }
        if let Some(bound) = &self.bound {
            page.labelled("promise", &bound.to_string());
        }
    }
}

impl Plan {
    fn blackout(&self) -> Option<String> {
        let first = |ridden| format!("every retry is paid for during the first {}", time(ridden));
        let Some(blackout) = self.around.blackout else {
            return Some(first(self.ridden_out?) + " without an answer");
        };
        let needed = self.burst_needed?;
        let during = match self.ridden_out {
            _ if needed <= 0.0 => format!("no retry is asked for during {}", time(blackout)),
            Some(ridden) if ridden < blackout => format!(
                "{} of {}; those of all of it would take `burst={needed}` in each process",
                first(ridden),
                time(blackout)
            ),
            Some(_) => format!("every retry is paid for during all of {}", time(blackout)),
            None => return None,
        };
        let later = match self.asked_after {
            Some(later) if later > 0.0 => format!(
                "; attempts that begin in it and fail after it ask each process for {} more",
                number(later)
            ),
            _ => String::new(),
        };
        Some(during + &later)
    }
}

struct Page {
    style: Style,
    lines: Vec<String>,
}

impl Page {
    /// A label and what it is about, whose lines begin below each other.
    fn labelled(&mut self, label: &str, text: &str) {
        let lead = format!("{label:LABEL$}");
        self.wrapped(&lead, Paint::Bold, text, LABEL);
    }

    fn said(&mut self, lead: &str, paint: Paint, text: &str) {
        self.wrapped(lead, paint, text, 2);
    }

    fn wrapped(&mut self, lead: &str, paint: Paint, text: &str, indent: usize) {
        // The lead keeps its own spaces: it stands in for a word of the same width.
        let word = "\u{2588}".repeat(lead.chars().count().saturating_sub(1));
        let lines = self.style.wrap(&format!("{word} {}", visible(text)), indent);
        for (at, line) in lines.into_iter().enumerate() {
            let line = match line.strip_prefix(&word).filter(|_| at == 0) {
                Some(rest) => {
                    self.style.paint(lead.trim_end(), paint)
                        + &" ".repeat(lead.len() - lead.trim_end().len() - 1)
                        + rest
                }
                None => line,
            };
            self.lines.push(line);
        }
    }

    fn text(&mut self, text: &str, paint: Paint) {
        let lines = self.style.wrap(text, 2);
        self.lines.extend(lines.iter().map(|line| self.style.paint(line, paint)));
    }
}

fn bar(delay: &Spread, longest: Duration, width: usize) -> String {
    let place = |at: Duration| column(at, longest, width);
    let sign = |column: usize| match column {
        _ if column == place(delay.p50) => '\u{2503}',
        _ if (place(delay.p5)..=place(delay.p95)).contains(&column) => '\u{2501}',
        _ if (place(delay.least)..=place(delay.most)).contains(&column) => '\u{2500}',
        _ => ' ',
    };
    (0..width).map(sign).collect()
}

fn column(at: Duration, longest: Duration, width: usize) -> usize {
    let (at, longest) = (at.as_nanos(), longest.as_nanos());
    let last = width - 1;
    usize::try_from(at * last as u128 / longest.max(1)).map_or(last, |column| column.min(last))
}
