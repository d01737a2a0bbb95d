//! Text for terminals.

use std::fmt;

/// Terminals are at least this wide where tables are read.
const COLUMNS: usize = 100;

/// A paragraph, broken between words.
pub(super) fn write_wrapped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column == 0 {
            column = width;
        } else if column + 1 + width > COLUMNS {
            f.write_str("\n")?;
            column = width;
        } else {
            f.write_str(" ")?;
            column += 1 + width;
        }
        f.write_str(word)?;
    }
    Ok(())
}

/// Columns as wide as their widest cell.
pub(super) struct Table(Vec<Vec<String>>);

impl Table {
    pub(super) fn new(head: &[&str]) -> Self {
        Self(vec![head.iter().map(|cell| (*cell).to_owned()).collect()])
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.0.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.first().map_or(0, Vec::len);
        let width =
            |column: usize| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.0.iter().enumerate() {
            let line: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            let line = line.join("  ");
            if number > 0 {
                writeln!(f)?;
            }
            f.write_str(line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Wrapped<'a>(&'a str);

    impl fmt::Display for Wrapped<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_wrapped(f, self.0)
        }
    }

    #[test]
    fn paragraphs_break_between_words_at_the_last_that_fits() {
        let half = "x".repeat(COLUMNS / 2);
        let rest = "y".repeat(COLUMNS - half.len() - 1);
        let long = "z".repeat(COLUMNS + 1);
        for (text, wrapped) in [
            (format!("{half} {rest}"), format!("{half} {rest}")),
            (format!("{half} {rest}y"), format!("{half}\n{rest}y")),
            (format!("{half} {rest} a b"), format!("{half} {rest}\na b")),
            (format!("a {long} b"), format!("a\n{long}\nb")),
        ] {
            assert_eq!(Wrapped(&text).to_string(), wrapped);
        }
    }
}
