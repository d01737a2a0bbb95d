//! Columns of numbers under headings, in as many blocks as the width asks for.

use super::style::{Paint, Style, width};

/// Between columns.
const GAP: usize = 2;
/// Between groups of columns.
const WIDE_GAP: usize = 3;

/// Lines with a label on the left and numbers in groups of columns.
#[derive(Debug)]
pub(crate) struct Grid {
    /// Above the labels.
    pub(crate) corner: String,
    pub(crate) labels: Vec<Cell>,
    pub(crate) groups: Vec<Group>,
}

/// Columns that stay together.
#[derive(Debug)]
pub(crate) struct Group {
    /// Above all of them; may be empty.
    pub(crate) heading: String,
    pub(crate) columns: Vec<Column>,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) heading: String,
    /// One for each label.
    pub(crate) cells: Vec<Cell>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) paint: Paint,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>, paint: Paint) -> Self {
        Self { text: text.into(), paint }
    }
}

impl Group {
    fn widths(&self) -> Vec<usize> {
        let column = |column: &Column| {
            column
                .cells
                .iter()
                .map(|cell| width(&cell.text))
                .fold(width(&column.heading), usize::max)
        };
        let mut widths: Vec<usize> = self.columns.iter().map(column).collect();
        let all = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        if let Some(first) = widths.first_mut() {
            *first += width(&self.heading).saturating_sub(all);
        }
        widths
    }

    fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
    }
}

impl Grid {
    /// Its lines. Groups that do not fit beside the others begin a block of their own with the labels repeated.
    pub(crate) fn lines(&self, style: Style) -> Vec<String> {
        let labels = self
            .labels
            .iter()
            .map(|label| width(&label.text))
            .fold(width(&self.corner), usize::max);
        let mut blocks: Vec<(usize, Vec<&Group>)> = Vec::new();
        for group in self.groups.iter().filter(|group| !group.columns.is_empty()) {
            let more = WIDE_GAP + group.width();
            match blocks.last_mut() {
                Some((taken, block)) if *taken + more <= style.width => {
                    *taken += more;
                    block.push(group);
                }
                _ => blocks.push((labels + more, vec![group])),
            }
        }
        let mut lines = Vec::new();
        for (at, (_, block)) in blocks.iter().enumerate() {
            if at > 0 {
                lines.push(String::new());
            }
            self.block(block, labels, style, &mut lines);
        }
        lines
    }

    fn block(&self, block: &[&Group], labels: usize, style: Style, lines: &mut Vec<String>) {
        if block.iter().any(|group| !group.heading.is_empty()) {
            let mut line = " ".repeat(labels);
            for group in block {
                line.push_str(&" ".repeat(WIDE_GAP));
                line.push_str(&right(&group.heading, group.width(), Paint::Bold, style));
            }
            lines.push(trimmed(&line));
        }
        let mut line = left(&self.corner, labels, Paint::Bold, style);
        each(block, |gap, width, column| {
            line.push_str(&" ".repeat(gap));
            line.push_str(&right(&column.heading, width, Paint::Bold, style));
        });
        lines.push(trimmed(&line));
        for (at, label) in self.labels.iter().enumerate() {
            let mut line = left(&label.text, labels, label.paint, style);
            each(block, |gap, width, column| {
                let cell = column.cells.get(at).cloned().unwrap_or_default();
                line.push_str(&" ".repeat(gap));
                line.push_str(&right(&cell.text, width, cell.paint, style));
            });
            lines.push(trimmed(&line));
        }
    }
}

/// Every column of these groups with the gap before it and its width.
fn each<'a>(block: &[&'a Group], mut visit: impl FnMut(usize, usize, &'a Column)) {
    for group in block {
        for (at, (column, width)) in group.columns.iter().zip(group.widths()).enumerate() {
            visit(if at == 0 { WIDE_GAP } else { GAP }, width, column);
        }
    }
}

fn left(text: &str, columns: usize, paint: Paint, style: Style) -> String {
    style.paint(text, paint) + &" ".repeat(columns.saturating_sub(width(text)))
}

fn right(text: &str, columns: usize, paint: Paint, style: Style) -> String {
    " ".repeat(columns.saturating_sub(width(text))) + &style.paint(text, paint)
}

fn trimmed(line: &str) -> String {
    line.trim_end().to_owned()
}
