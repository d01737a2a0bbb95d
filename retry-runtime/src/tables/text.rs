//! Text for terminals.

use std::{borrow::Cow, fmt};

use crate::{Warning, control::Effect};

/// Terminals are at least this wide where tables are read.
const COLUMNS: usize = 100;

/// What stands where nothing was counted, which is another thing than 0.
pub(super) const NOT_COUNTED: &str = "-";

/// Names and notes may come from anywhere. What would end a line, steer the terminal or turn around the order
/// of what follows is written as in source code.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => plain.extend(character.escape_default()),
            _ if steers(character) => plain.extend(character.escape_unicode()),
            _ => plain.push(character),
        }
    }
    Cow::Owned(plain)
}

/// Controls, separators of lines, and what Unicode's bidirectional algorithm (UAX #9) takes orders from.
const fn steers(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The warnings of one kind so far, if there are any, each from a line of its own.
pub(super) fn write_warnings(
    f: &mut fmt::Formatter<'_>,
    wanted: fn(&Warning) -> bool,
) -> fmt::Result {
    let warnings = crate::warnings().into_iter().filter(wanted);
    warnings.enumerate().try_for_each(|(number, warning)| {
        f.write_str(if number == 0 { "\n\n" } else { "\n" })?;
        write_wrapped(f, "  ", &warning.to_string())
    })
}

/// A paragraph, broken between words; all lines but the first are indented.
pub(super) fn write_wrapped(f: &mut fmt::Formatter<'_>, indent: &str, text: &str) -> fmt::Result {
    wrap(f, 0, indent, text)
}

/// A paragraph from a line of its own on, of which all lines are indented, the others further.
pub(super) fn write_below(f: &mut fmt::Formatter<'_>, indent: &str, text: &str) -> fmt::Result {
    write!(f, "\n{indent}")?;
    wrap(f, indent.len(), &format!("{indent}  "), text)
}

/// What overrides change, each from a line of its own on.
pub(super) fn write_effects(f: &mut fmt::Formatter<'_>, effects: &[Effect]) -> fmt::Result {
    effects.iter().try_for_each(|effect| write_below(f, "  ", &format!("overridden: {effect}")))
}

fn wrap(f: &mut fmt::Formatter<'_>, start: usize, indent: &str, text: &str) -> fmt::Result {
    let text = plain(text);
    let mut column = start;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column == start {
            column += width;
        } else if column + 1 + width > COLUMNS {
            write!(f, "\n{indent}")?;
            column = indent.len() + width;
        } else {
            f.write_str(" ")?;
            column += 1 + width;
        }
        f.write_str(word)?;
    }
    Ok(())
}

/// A list, broken after the last comma that fits, from this column on.
fn write_list(f: &mut fmt::Formatter<'_>, start: usize, list: &str) -> fmt::Result {
    let mut column = start;
    let mut items = list.split(", ").peekable();
    while let Some(item) = items.next() {
        let comma = usize::from(items.peek().is_some());
        let width = item.chars().count() + comma;
        if column == start {
            column += width;
        } else if column + 1 + width > COLUMNS {
            write!(f, "\n{:start$}", "")?;
            column = start + width;
        } else {
            f.write_str(" ")?;
            column += 1 + width;
        }
        f.write_str(item)?;
        f.write_str(&","[..comma])?;
    }
    Ok(())
}

/// Columns as wide as their widest cell; the last one, which may be a list, goes on in further lines.
pub(crate) struct Table(Vec<Vec<String>>);

impl Table {
    pub(crate) fn new(head: &[&str]) -> Self {
        Self(vec![head.iter().map(|cell| (*cell).to_owned()).collect()])
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.0.push(cells.into_iter().map(|cell| plain(&cell).into_owned()).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.first().map_or(0, Vec::len);
        let width =
            |column: usize| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let start = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        for (number, row) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            let Some((list, cells)) = row.split_last() else { continue };
            for (cell, width) in cells.iter().zip(&widths) {
                write!(f, "{cell:<width$}  ")?;
            }
            write_list(f, start, list)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Wrapped<'a>(&'a str, &'a str);

    impl fmt::Display for Wrapped<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_wrapped(f, self.0, self.1)
        }
    }

    #[test]
    fn a_list_goes_on_under_itself_and_no_line_ends_in_blanks() {
        let long = "x".repeat(COLUMNS - 7);
        let mut table = Table::new(&["name", "list"]);
        table.row(vec!["a".into(), format!("{long}, b, c")]);
        table.row(vec!["bc".into(), "1, 2, 3".into()]);
        let lines = ["name  list", &format!("a     {long},"), "      b, c", "bc    1, 2, 3"];
        assert_eq!(table.to_string(), lines.join("\n"));
    }

    #[test]
    fn no_name_breaks_a_line_or_steers_a_terminal() {
        let evil = "a\nb\0c\u{1b}[31md\u{202e}e\u{2028}f\u{85}g";
        let shown = r"a\nb\u{0}c\u{1b}[31md\u{202e}e\u{2028}f\u{85}g";
        let mut table = Table::new(&["name", "list"]);
        table.row(vec![evil.into(), evil.into()]);
        let wide = shown.len();
        assert_eq!(table.to_string(), format!("{:wide$}  list\n{shown}  {shown}", "name"));
        assert_eq!(Wrapped("", evil).to_string(), shown);
        // What people write is not touched.
        let names = "größe 名前 שם \\ \"quoted\"";
        assert_eq!(Wrapped("", names).to_string(), names);
    }

    #[test]
    fn a_paragraph_below_another_keeps_within_the_columns_from_its_first_line_on() {
        struct Below<'a>(&'a str);
        impl fmt::Display for Below<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_below(f, "  ", self.0)
            }
        }
        let (half, rest) = ("x".repeat(COLUMNS / 2), "y".repeat(COLUMNS / 2 - 3));
        let fits = Below(&format!("{half} {rest}")).to_string();
        assert_eq!(fits, format!("\n  {half} {rest}"));
        let too_long = Below(&format!("{half} {rest}y")).to_string();
        assert_eq!(too_long, format!("\n  {half}\n    {rest}y"));
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
            assert_eq!(Wrapped("", &text).to_string(), wrapped);
        }
        // The indentation counts.
        let (fits, too_long) = (&rest[2..], &rest[1..]);
        for (text, wrapped) in [
            (format!("{half} {rest} {half} {fits}"), format!("{half} {rest}\n  {half} {fits}")),
            (
                format!("{half} {rest} {half} {too_long}"),
                format!("{half} {rest}\n  {half}\n  {too_long}"),
            ),
        ] {
            assert_eq!(Wrapped("  ", &text).to_string(), wrapped);
        }
    }
}
