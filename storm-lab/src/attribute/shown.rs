//! How mistakes are shown: as the compiler does it.

use std::fmt::{self, Display, Formatter};

use super::{Mistake, Mistakes};

impl Display for Mistakes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (position, mistake) in self.iter().enumerate() {
            if position > 0 {
                f.write_str("\n")?;
            }
            write_one(f, &self.text, mistake)?;
        }
        Ok(())
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
    let (message, column) = (visible(mistake.message()), mistake.column());
    writeln!(f, "error: {message}")?;
    writeln!(f, "{margin}--> {number}:{column}")?;
    writeln!(f, "{margin} |")?;
    writeln!(f, "{number} | {line}")?;
    writeln!(f, "{margin} | {blank}{marks}")
}

/// Without what a terminal would obey rather than show.
pub(crate) fn visible(text: &str) -> String {
    let shown = |sign: char| if sign.is_control() && sign != '\t' { '\u{fffd}' } else { sign };
    text.chars().map(shown).collect()
}
