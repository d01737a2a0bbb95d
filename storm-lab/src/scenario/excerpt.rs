//! The line of a text that a mistake is in, with carets below it.

use std::ops::Range;

/// A place in a text, as editors count: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub column: usize,
}

/// Of a longer line, only the characters around the mistake are shown.
const WIDTH: usize = 100;
/// What is shown of it before the mistake.
const BEFORE: usize = 30;

impl Place {
    /// That of a byte; one within a character counts as its beginning, one behind the end as the end.
    pub(super) fn of(text: &str, byte: usize) -> Self {
        let before = &text[..floor(text, byte)];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        // A mark at the very beginning is no character that anybody sees.
        let column = before[start..].trim_start_matches('\u{feff}').chars().count() + 1;
        Self { line, column }
    }
}

/// The line in which a range begins, with carets under the part of the range that is in it.
pub(crate) fn excerpt(text: &str, range: &Range<usize>) -> String {
    let from = floor(text, range.start);
    let start = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let end = text[from..].find('\n').map_or(text.len(), |at| from + at);
    let line = text[start..end].trim_end_matches('\r').trim_start_matches('\u{feff}');
    let Place { line: number, column } = Place::of(text, from);
    let first = column - 1;
    let to = floor(text, range.end).clamp(from, end);
    let carets = text[from..to].trim_end_matches('\r').chars().count().max(1);

    let length = line.chars().count();
    let skipped = if length > WIDTH { first.saturating_sub(BEFORE) } else { 0 };
    let shown: String = line.chars().skip(skipped).take(WIDTH).map(visible).collect();
    let carets = carets.min((WIDTH + skipped).saturating_sub(first).max(1));
    let (left, right) =
        (if skipped > 0 { "…" } else { "" }, if length > skipped + WIDTH { "…" } else { "" });

    let number = number.to_string();
    let margin = " ".repeat(number.len());
    let indent = " ".repeat(first - skipped + left.chars().count());
    format!(
        "{margin} |\n{number} | {left}{shown}{right}\n{margin} | {indent}{}\n",
        "^".repeat(carets)
    )
}

/// A text without anything that a terminal would obey, in one line.
pub(super) fn harmless(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Nothing that a terminal would obey, and every character as wide as its caret.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        // Marks that turn the direction of what follows.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    }
}

fn floor(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_what_is_wrong() {
        let text = "a = 1\n\tb = 'größe' # ü\r\nc = 2";
        let at = text.find("'gr").unwrap();
        let range = at..at + "'größe'".len();
        assert_eq!(Place::of(text, at), Place { line: 2, column: 6 });
        assert_eq!(excerpt(text, &range), "  |\n2 |  b = 'größe' # ü\n  |      ^^^^^^^\n");
    }

    #[test]
    fn a_range_of_several_lines_is_marked_in_its_first() {
        let text = "x = [\n1,\n2]";
        assert_eq!(excerpt(text, &(4..11)), "  |\n1 | x = [\n  |     ^\n");
    }

    #[test]
    fn a_place_at_the_end_or_behind_it_or_within_a_character_has_a_caret() {
        assert_eq!(excerpt("", &(0..0)), "  |\n1 | \n  | ^\n");
        assert_eq!(excerpt("ab\n", &(3..3)), "  |\n2 | \n  | ^\n");
        assert_eq!(excerpt("ab", &(70..90)), "  |\n1 | ab\n  |   ^\n");
        assert_eq!(Place::of("ü", 1), Place { line: 1, column: 1 });
    }

    #[test]
    fn of_a_long_line_the_part_around_the_mistake_is_shown() {
        let text = format!("{}WRONG{}", "x".repeat(500), "y".repeat(500));
        let shown = excerpt(&text, &(500..505));
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[1].starts_with("1 | …xxx") && lines[1].ends_with("yyy…"), "{shown}");
        assert_eq!(lines[1].find("WRONG").map(|at| lines[1][..at].chars().count()), {
            let carets = lines[2].find('^').unwrap();
            Some(carets)
        });
        assert!(lines.iter().all(|line| line.chars().count() < 120));
    }

    #[test]
    fn nothing_reaches_a_terminal_that_it_would_obey() {
        let shown = excerpt("a = \u{1b}[31m\u{202e}", &(4..5));
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown:?}");
    }
}
