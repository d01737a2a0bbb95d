//! What the compiler said, as far as it matters here.

/// An error or a warning.
#[derive(Debug)]
pub(crate) struct Diagnostic {
    pub(crate) is_error: bool,
    /// Without the level and the code.
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
    /// What is written into the excerpt of the source at that place, one label after the other.
    pub(crate) labels: String,
}

/// Where a diagnostic points.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: String,
    /// Both counted from 1.
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Which part of a diagnostic a line belongs to.
#[derive(Clone, Copy)]
enum Part {
    /// It may be of several lines, and ends at the first place, or at the first empty line.
    Message,
    /// It ends at the first line without a margin.
    Excerpt,
    /// Notes, helps, and their excerpts.
    Rest,
}

/// The diagnostics in the order of the output, without their notes and without the closing count.
pub(crate) fn diagnostics(output: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut part = Part::Rest;
    for line in output.lines() {
        let text = line.trim_start();
        if let Some((is_error, message)) = headline(line) {
            part = Part::Rest;
            if !message.starts_with("aborting due to") {
                part = Part::Message;
                let (message, labels) = (message.into(), String::new());
                found.push(Diagnostic { is_error, message, place: None, labels });
            }
            continue;
        }
        let Some(current) = found.last_mut() else { continue };
        part = match (part, text.strip_prefix("--> ")) {
            (Part::Message, Some(place)) => {
                current.place = self::place(place);
                Part::Excerpt
            }
            (Part::Message, None) if !text.is_empty() => {
                current.message.push(' ');
                current.message.push_str(text);
                Part::Message
            }
            // Lines of the source have their number before the margin.
            (Part::Excerpt, None) if text.starts_with(|letter: char| letter.is_ascii_digit()) => {
                Part::Excerpt
            }
            (Part::Excerpt, None) if text.starts_with('|') || text.starts_with("...") => {
                current.labels.push_str(text.trim_start_matches(['|', ' ', '-', '^', '_', '.']));
                current.labels.push('\n');
                Part::Excerpt
            }
            _ => Part::Rest,
        };
    }
    found
}

/// The level and the message of a line that begins a diagnostic: `error[E0277]: …`, `warning: …`.
fn headline(line: &str) -> Option<(bool, &str)> {
    let (is_error, rest) = match line.strip_prefix("error") {
        Some(rest) => (true, rest),
        None => (false, line.strip_prefix("warning")?),
    };
    let rest = match rest.strip_prefix('[') {
        Some(code) => code.split_once(']')?.1,
        None => rest,
    };
    rest.strip_prefix(": ").map(|message| (is_error, message))
}

/// `file:line:column`.
fn place(text: &str) -> Option<Place> {
    let mut parts = text.rsplitn(3, ':');
    let column = parts.next()?.trim().parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(Place { file: parts.next()?.into(), line, column })
}

#[test]
fn each_diagnostic_has_its_message_its_first_place_and_its_labels() {
    let output = "\
error: `attempts` is 0
 --> tests/ui/a/b.rs:6:20
  |
6 | error: no line of its own
  |                    ^
...
9 | }
  | - help: remove it

error[E0277]: two
              lines
  --> tests/ui/a/b.rs:7:1
   |
12 | the source
   | ----^^^^^^
   | |   |
   | |   expected `u8`
   | wrong argument
   |
   = note: not at this place
note: elsewhere
  --> src/lib.rs:1:1
   |
12 | other source
   | ^^^^^ not a label

warning: unused
 --> tests/ui/a/b.rs:1:2

error: aborting due to 2 previous errors; 1 warning emitted

error: linking with `cc` failed

 --> tests/ui/a/b.rs:9:9
";
    let place = |line, column| Some(Place { file: "tests/ui/a/b.rs".into(), line, column });
    let labels = |all: &str| -> Vec<String> {
        all.lines().filter(|label| !label.is_empty()).map(Into::into).collect()
    };
    let found = diagnostics(output);
    let all: Vec<_> = found
        .iter()
        .map(|one| (one.is_error, &*one.message, &one.place, labels(&one.labels)))
        .collect();
    assert_eq!(
        all,
        [
            (true, "`attempts` is 0", &place(6, 20), vec!["help: remove it".into()]),
            (
                true,
                "two lines",
                &place(7, 1),
                vec!["expected `u8`".into(), "wrong argument".into()]
            ),
            (false, "unused", &place(1, 2), vec![]),
            (true, "linking with `cc` failed", &None, vec![]),
        ]
    );
}
