//! What is wrong with a text that is not even made of words, signs and literals.

use super::Mistake;

pub(super) fn mistake(text: &str, place: usize) -> Mistake {
    let start = start(text, place);
    let rest = &text[start..];
    let Some(sign) = rest.chars().next() else {
        return Mistake {
            range: text.len()..text.len(),
            message: "the text ends too early: close what was opened".into(),
        };
    };
    Mistake { range: start..start + sign.len_utf8(), message: message(sign) }
}

/// The beginning of the character at this byte.
fn start(text: &str, mut place: usize) -> usize {
    place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    // The place of a string that is not closed may be the end of what stands before it.
    place + text[place..].len() - text[place..].trim_start().len()
}

fn message(sign: char) -> String {
    match sign {
        '"' => "the string is not closed, or has an escape that there is none of: end it with `\"`"
            .into(),
        '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}'
        | '\u{bb}' => {
            format!("`{sign}` begins no string: write it in plain double quotes, as in \"50ms\"")
        }
        ')' | ']' | '}' => format!("`{sign}` closes what was never opened: take it away"),
        '(' | '[' | '{' => format!("`{sign}` is never closed"),
        '\u{2212}' | '\u{2013}' | '\u{2014}' => {
            format!("`{sign}` is no sign that a setting is written with, nor would `-` be")
        }
        '0'..='9' => "this is no number, nor a word: write it as in `attempts = 3`".into(),
        sign if sign.is_control() => {
            "an invisible control character stands here: take it away".into()
        }
        sign => {
            format!("`{sign}` has no place in a setting, which is written as in `attempts = 3`")
        }
    }
}
