//! A plan as a table.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::attribute::visible;

use super::figures::{number, percent, time};
use super::{DRAWS, Plan, ROWS, Row, SEED, Spread};

/// Characters of a bar.
const WIDTH: usize = 40;

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let policy = if self.policy.trim().is_empty() { "(all defaults)" } else { &self.policy };
        let words: Vec<&str> = policy.split_whitespace().collect();
        writeln!(f, "policy   {}", visible(&words.join(" ")))?;
        if !self.rows.is_empty() {
            self.write_schedule(f)?;
            self.write_bars(f)?;
        }
        writeln!(f)?;
        self.write_times(f)?;
        self.write_load(f)?;
        for (word, texts) in [("warning", &self.warnings), ("note", &self.notes)] {
            for text in texts {
                writeln!(f, "{word}: {}", visible(text))?;
            }
        }
        Ok(())
    }
}

impl Plan {
    fn write_schedule(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "schedule of calls whose attempts all fail after {} ({DRAWS} draws, seed {SEED}; least and most are exact)",
            time(self.attempt)
        )?;
        let head =
            ["attempt", "cap", "least", "p5", "p50", "p95", "most", "p5", "p50", "p95", "in time"];
        let rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let columns = if self.deadline.is_some() { head.len() } else { head.len() - 1 };
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = rows.iter().map(|row| row[column].chars().count());
                cells.chain([head[column].len()]).max().unwrap_or_default()
            })
            .collect();
        let group =
            |from: usize, to: usize| widths[from..to].iter().sum::<usize>() + 2 * (to - from - 1);
        let (delay, start) = (group(2, 7), group(7, 10));
        writeln!(f)?;
        let title = format!(
            "{:lead$}  {:-^delay$}  {:-^start$}",
            "",
            " delay before it ",
            " starts at ",
            lead = group(0, 2)
        );
        writeln!(f, "{title}")?;
        let line = |f: &mut Formatter<'_>, cells: &mut dyn Iterator<Item = &str>| {
            let padded = cells.zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
            writeln!(f, "{}", padded.collect::<Vec<_>>().join("  "))
        };
        line(f, &mut head.iter().copied())?;
        for row in &rows {
            line(f, &mut row.iter().map(String::as_str))?;
        }
        if self.attempts.is_none_or(|attempts| attempts - 1 > ROWS) {
            writeln!(f, "and so on")?;
        }
        Ok(())
    }

    /// Each delay from its least to its most, thicker from p5 to p95, with a mark at p50.
    fn write_bars(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let longest = self.rows.iter().map(|row| row.delay.most).max().unwrap_or_default();
        if longest.is_zero() {
            return Ok(());
        }
        let width = self.rows.last().map_or(1, |row| row.attempt.to_string().len()).max(7);
        writeln!(f, "\n{:width$}  delay: \u{2500} all, \u{2501} p5 to p95, \u{2503} p50", "")?;
        for row in &self.rows {
            writeln!(f, "{:>width$}  {}", row.attempt, bar(&row.delay, longest).trim_end())?;
        }
        let end = time(longest);
        writeln!(f, "{:width$}  0{end:>rest$}", "", rest = WIDTH - 1)
    }

    fn write_times(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.worst_total {
            Some(worst) => writeln!(f, "longest call   {}, if no deadline ends it", time(worst))?,
            None => writeln!(f, "longest call   without end, as attempts are unlimited")?,
        }
        let (Some(deadline), Some(cut)) = (self.deadline, self.cut) else { return Ok(()) };
        writeln!(
            f,
            "deadline       {}, which keeps {} of these calls from their last attempt",
            time(deadline),
            percent(cut)
        )
    }

    fn write_load(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let most = number(self.worst_amplification);
        writeln!(f, "amplification  at most {most} attempts per call in the long run")?;
        if let Some(ridden) = self.ridden_out {
            writeln!(
                f,
                "blackout       every retry is paid for during the first {}",
                time(ridden)
            )?;
        }
        match &self.bound {
            Some(bound) => writeln!(f, "budget         {bound}"),
            None => writeln!(f, "budget         none"),
        }
    }
}

fn cells(row: &Row) -> Vec<String> {
    let Spread { least, p5, p50, p95, most } = row.delay;
    let times = [row.cap, least, p5, p50, p95, most, row.start.p5, row.start.p50, row.start.p95];
    let mut cells = vec![row.attempt.to_string()];
    cells.extend(times.map(time));
    cells.extend(row.in_time.map(percent));
    cells
}

fn bar(delay: &Spread, longest: Duration) -> String {
    let place = |at: Duration| column(at, longest);
    let sign = |column: usize| match column {
        _ if column == place(delay.p50) => '\u{2503}',
        _ if (place(delay.p5)..=place(delay.p95)).contains(&column) => '\u{2501}',
        _ if (place(delay.least)..=place(delay.most)).contains(&column) => '\u{2500}',
        _ => ' ',
    };
    (0..WIDTH).map(sign).collect()
}

fn column(at: Duration, longest: Duration) -> usize {
    let (at, longest) = (at.as_nanos(), longest.as_nanos());
    let last = WIDTH - 1;
    usize::try_from(at * last as u128 / longest.max(1)).map_or(last, |column| column.min(last))
}
