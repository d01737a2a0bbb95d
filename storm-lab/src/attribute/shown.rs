//! How mistakes are shown: as the compiler does it.

use std::fmt::{self, Display, Formatter};

use super::{Mistake, Mistakes};
use crate::scenario::excerpt;

/// Characters of a line that are shown as they are; of a longer one, those around the mistake.
const LINE: usize = 200;
/// Characters of a message.
const MESSAGE: usize = 600;
/// Mistakes that are shown; who has made more sees the others next time.
const MOST: usize = 20;

impl Display for Mistakes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (position, mistake) in self.iter().take(MOST).enumerate() {
            if position > 0 {
                f.write_str("\n")?;
            }
            write_one(f, &self.text, mistake)?;
        }
        match self.iter().len().saturating_sub(MOST) {
            0 => Ok(()),
            more => writeln!(f, "\nand {more} more"),
        }
    }
}

fn write_one(f: &mut Formatter<'_>, text: &str, mistake: &Mistake) -> fmt::Result {
    let range = mistake.range();
    let (before, after) = text.split_at_checked(range.start).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let before = &before[start..];
    let line = visible(before) + &visible(after.lines().next().unwrap_or_default());
    let wrong = text.get(range).and_then(|wrong| wrong.lines().next()).unwrap_or_default();
    // Tabs are as wide here as there.
    let blank: String = before.chars().map(|sign| if sign == '\t' { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(wrong.chars().count().max(1));
    let number = mistake.line().to_string();
    let margin = " ".repeat(number.len());
    let message = shortened(&visible(mistake.message()), MESSAGE);
    let column = mistake.column();
    writeln!(f, "error: {message}")?;
    writeln!(f, "{margin}--> {number}:{column}")?;
    if line.chars().count() > LINE {
        return f.write_str(&excerpt(text, &mistake.range()));
    }
    writeln!(f, "{margin} |")?;
    writeln!(f, "{number} | {line}")?;
    writeln!(f, "{margin} | {blank}{marks}")
}

/// Without what a terminal would obey rather than show.
pub(crate) fn visible(text: &str) -> String {
    let shown = |sign: char| if sign.is_control() && sign != '\t' { '\u{fffd}' } else { sign };
    text.chars().map(shown).collect()
}

/// Its beginning and its end, where it is longer than so many characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let (begin, end) = (most.div_ceil(2), most / 2);
    let first: String = text.chars().take(begin).collect();
    let last: String = text.chars().skip(length - end).collect();
    format!("{first}\u{2026}{last}")
}
