//! Tables that are aligned on a terminal and are Markdown as they stand.

use std::fmt;

/// Rows under a head; the first column is text, the others are figures.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this head.
    pub fn new(head: &[&str]) -> Self {
        Self { rows: vec![head.iter().map(|&title| title.to_owned()).collect()] }
    }

    /// Adds a row. What is missing at its end stays empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows[0].len();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..columns).map(width).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", |cell| cell);
                if column == 0 {
                    write!(f, "| {cell:<width$} |")?;
                } else {
                    write!(f, " {cell:>width$} |")?;
                }
            }
            writeln!(f)?;
            if number == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width + 1);
                    if column == 0 { write!(f, "|{dashes}-|")? } else { write!(f, "{dashes}:|")? }
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// One target: what it asks, what was measured, and whether that is enough.
pub fn verdict(target: &str, measured: &str, met: bool) -> String {
    format!("{} {target}: {measured}", if met { "met   " } else { "MISSED" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_short_rows_are_filled() {
        let mut table = Table::new(&["subject", "ns"]);
        table.row(["a".to_owned(), "12.5".to_owned()]);
        table.row(["b".to_owned()]);
        assert_eq!(
            table.to_string(),
            "| subject |   ns |\n|---------|-----:|\n| a       | 12.5 |\n| b       |      |\n"
        );
    }
}
