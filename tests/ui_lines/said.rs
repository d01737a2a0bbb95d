//! What the compiler said, as far as it matters here.

/// An error or a warning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    pub(crate) is_error: bool,
    /// Without the level and the code.
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
}

/// Where a diagnostic points.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: String,
    /// Both counted from 1.
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The diagnostics in the order of the output; what belongs to one, such as notes and excerpts, and
/// the closing count of errors, is left out.
pub(crate) fn diagnostics(output: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    // A message may be of several lines; it ends at the first place, or at the first empty line.
    let mut in_message = false;
    for line in output.lines() {
        if let Some((is_error, message)) = headline(line) {
            if message.starts_with("aborting due to") {
                in_message = false;
                continue;
            }
            found.push(Diagnostic { is_error, message: message.into(), place: None });
            in_message = true;
        } else if let Some(current) = found.last_mut().filter(|_| in_message) {
            let text = line.trim_start();
            if let Some(place) = text.strip_prefix("--> ") {
                current.place = self::place(place);
                in_message = false;
            } else if text.is_empty() {
                in_message = false;
            } else {
                current.message.push(' ');
                current.message.push_str(text);
            }
        }
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
fn each_diagnostic_has_its_message_and_its_first_place() {
    let output = "\
error: `attempts` is 0
 --> tests/ui/a/b.rs:6:20
  |
6 | error: no line of its own
  |                    ^

error[E0277]: two
              lines
  --> tests/ui/a/b.rs:7:1
   |
note: elsewhere
  --> src/lib.rs:1:1

warning: unused
 --> tests/ui/a/b.rs:1:2

error: aborting due to 2 previous errors; 1 warning emitted

error: linking with `cc` failed

 --> tests/ui/a/b.rs:9:9
";
    let place = |line, column| Some(Place { file: "tests/ui/a/b.rs".into(), line, column });
    let diagnostic =
        |is_error, message: &str, place| Diagnostic { is_error, message: message.into(), place };
    assert_eq!(
        diagnostics(output),
        [
            diagnostic(true, "`attempts` is 0", place(6, 20)),
            diagnostic(true, "two lines", place(7, 1)),
            diagnostic(false, "unused", place(1, 2)),
            diagnostic(true, "linking with `cc` failed", None),
        ]
    );
}
