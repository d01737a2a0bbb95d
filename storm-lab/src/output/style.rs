//! How text looks: its width, its colours.

use console::measure_text_width;

/// For what the text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How many columns there are.
    pub width: usize,
    /// Whether escape sequences are understood and wanted.
    pub colour: bool,
}

/// How something stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Paint {
    #[default]
    Plain,
    Bold,
    Dim,
    Red,
    Yellow,
}

impl Style {
    /// Where nobody says how wide it is.
    pub const DEFAULT_WIDTH: usize = 100;

    /// For files and pipes.
    pub const PLAIN: Self = Self { width: Self::DEFAULT_WIDTH, colour: false };

    /// For where the text goes: colours only on a terminal that knows them and without `NO_COLOR` (set to anything
    /// but nothing); the width is `COLUMNS`, the terminal's, or 100.
    pub fn detect(terminal: Option<u16>, env: &dyn Fn(&str) -> Option<String>) -> Self {
        let said = env("COLUMNS").and_then(|columns| columns.trim().parse::<usize>().ok());
        let width = said.or(terminal.map(usize::from)).filter(|width| *width > 0);
        let set = |name| env(name).filter(|value| !value.is_empty());
        let colour = terminal.is_some()
            && set("NO_COLOR").is_none()
            && set("TERM").is_none_or(|term| term != "dumb");
        Self { width: width.unwrap_or(Self::DEFAULT_WIDTH), colour }
    }

    pub(crate) fn paint(self, text: &str, paint: Paint) -> String {
        let code = match paint {
            Paint::Bold => "1",
            Paint::Dim => "2",
            Paint::Red => "31",
            Paint::Yellow => "33",
            Paint::Plain => "",
        };
        if self.colour && !code.is_empty() && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Words in lines of this width at most, all but the first indented; a longer word has a line of its own.
    pub(crate) fn wrap(self, text: &str, indent: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            let empty = line.trim().is_empty();
            if !empty && width(&line) + 1 + width(word) > self.width {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            } else if !empty {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines
    }
}

/// How many columns it takes.
pub(crate) fn width(text: &str) -> usize {
    measure_text_width(text)
}

/// What a terminal may show of a text of somebody else's: no control characters, and at most so many columns.
pub(crate) fn tame(text: &str, most: usize) -> String {
    let clean = |character: char| if character.is_control() { '\u{fffd}' } else { character };
    let text: String = text.chars().map(clean).collect();
    if width(&text) <= most {
        return text;
    }
    let mut short = String::new();
    for character in text.chars() {
        short.push(character);
        if width(&short) >= most {
            short.pop();
            break;
        }
    }
    short.push('…');
    short
}
