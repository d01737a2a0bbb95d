//! Where the bytes of a text stand in the file that has it in quotes, escapes and all.

use std::ops::Range;

/// The place in the file of a part of a quoted text. `raw` is what stands in the file from `start` on, quotes
/// included; `text` is what it says. Where the two do not fit, the whole.
pub(super) fn place(raw: &str, start: usize, text: &str, part: &Range<usize>) -> Range<usize> {
    let whole = start..start + raw.len();
    let Some(map) = map(raw, text) else { return whole };
    let at = |byte: usize| map.get(byte.min(text.len())).map(|offset| start + offset);
    match (at(part.start), at(part.end)) {
        (Some(from), Some(to)) if from <= to => from..to,
        _ => whole,
    }
}

/// For each byte of the text, and for its end, where it is in `raw`.
fn map(raw: &str, text: &str) -> Option<Vec<usize>> {
    let (quotes, escapes) = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quotes| raw.starts_with(quotes) && raw.len() >= 2 * quotes.len())
        .map(|quotes| (quotes.len(), quotes.starts_with('"')))?;
    let inner = raw.get(quotes..raw.len() - quotes)?;
    // A line break right behind three quotes is no part of the text.
    let skipped = match quotes {
        3 if inner.starts_with("\r\n") => 2,
        3 if inner.starts_with('\n') => 1,
        _ => 0,
    };
    let mut map = Vec::with_capacity(text.len() + 1);
    let mut at = skipped;
    while let Some(c) = inner.get(at..)?.chars().next() {
        let (length, decoded) =
            if escapes && c == '\\' { escape(&inner[at..])? } else { (c.len_utf8(), c.len_utf8()) };
        map.extend((0..decoded).map(|_| quotes + at));
        at += length;
    }
    map.push(quotes + inner.len());
    (map.len() == text.len() + 1).then_some(map)
}

/// How long an escape is, and how many bytes it stands for.
fn escape(rest: &str) -> Option<(usize, usize)> {
    let digits = match rest[1..].chars().next()? {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        c if c.is_whitespace() => {
            // The end of the line and all blanks after it are left out.
            let blanks =
                rest[1..].len() - rest[1..].trim_start_matches([' ', '\t', '\r', '\n']).len();
            return Some((1 + blanks, 0));
        }
        c => return Some((1 + c.len_utf8(), 1)),
    };
    let code = u32::from_str_radix(rest.get(2..2 + digits)?, 16).ok()?;
    Some((2 + digits, char::from_u32(code)?.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(raw: &str, text: &str, part: &str) -> String {
        let from = text.find(part).unwrap();
        let range = place(raw, 10, text, &(from..from + part.len()));
        raw[range.start - 10..range.end - 10].to_owned()
    }

    #[test]
    fn a_part_is_found_in_every_kind_of_quotes() {
        assert_eq!(found("'a = 1, b'", "a = 1, b", "1"), "1");
        assert_eq!(found(r#""a = \"x\", b""#, "a = \"x\", b", "\"x\""), r#"\"x\""#);
        assert_eq!(found("'''\na = 1'''", "a = 1", "1"), "1");
        assert_eq!(found("\"\"\"\r\na = \\\n   1, b\"\"\"", "a = 1, b", "1"), "1");
        assert_eq!(found(r#""\u00fc\x41\U0001F600 = z""#, "üA😀 = z", "z"), "z");
        assert_eq!(found("'ü = z'", "ü = z", "z"), "z");
    }

    #[test]
    fn the_end_of_a_text_is_before_its_quote() {
        assert_eq!(place("'ab'", 0, "ab", &(2..2)), 3..3);
        assert_eq!(place("''", 5, "", &(0..0)), 6..6);
    }

    #[test]
    fn where_text_and_quotes_do_not_fit_the_whole_is_meant() {
        assert_eq!(place("'abc'", 0, "x", &(0..1)), 0..5);
        assert_eq!(place("abc", 0, "abc", &(0..1)), 0..3);
        assert_eq!(place("\"\\", 0, "abc", &(0..1)), 0..2);
        assert_eq!(place("'ab'", 0, "ab", &(90..99)), 3..3);
    }
}
