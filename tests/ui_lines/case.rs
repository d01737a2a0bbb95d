//! A case against what the compiler said about it.

use super::{
    marks::{Mark, marks},
    said::{Diagnostic, Place, diagnostics},
};

/// Everything that is not as the case says. `file` is its path in the package.
pub(crate) fn offences(file: &str, source: &str, output: &str) -> Vec<String> {
    let marks = match marks(source) {
        Ok(marks) => marks,
        Err(wrong) => return vec![format!("{file}: {wrong}")],
    };
    let mut offences = Vec::new();
    if marks.is_empty() {
        offences.push(format!("{file}: no mark says what should happen"));
    }
    let mut met = vec![0; marks.len()];
    for diagnostic in diagnostics(output) {
        if let Err(wrong) = judge(file, source, &marks, &mut met, &diagnostic) {
            offences.push(format!("{file}: {wrong}: {}", diagnostic.message));
        }
    }
    for (mark, met) in marks.iter().zip(met) {
        let Mark { line, text, .. } = mark;
        match met {
            0 => offences.push(format!("{file}: line {line}: no error `{text}`")),
            1 => {}
            more => offences.push(format!("{file}: line {line}: {more} errors `{text}`")),
        }
    }
    offences
}

fn judge(
    file: &str,
    source: &str,
    marks: &[Mark],
    met: &mut [usize],
    diagnostic: &Diagnostic,
) -> Result<(), String> {
    let Diagnostic { is_error, message, place, labels } = diagnostic;
    if !is_error {
        return Err("a warning".into());
    }
    let Some(place) = place else { return Err("an error without a place".into()) };
    if place.file != file {
        return Err(format!("an error in `{}`", place.file));
    }
    let line = place.line;
    let says = |mark: &Mark| message.contains(&mark.text) || labels.contains(&mark.text);
    let meant: Vec<usize> = (0..marks.len())
        .filter(|&index| marks[index].line == line && says(&marks[index]))
        .collect();
    let [index] = meant[..] else {
        return Err(format!("line {line}: {} marks for an error", meant.len()));
    };
    met[index] += 1;
    match (at_attribute(source, place), marks[index].at_attribute) {
        (true, false) => {
            Err(format!("line {line}: an error at the attribute, not at what is wrong"))
        }
        (false, true) => {
            Err(format!("line {line}: marked `@attribute`, but it is at {}", place.column))
        }
        _ if message.starts_with(char::is_uppercase) || message.ends_with('.') => {
            Err(format!("line {line}: messages begin in lower case and have no full stop"))
        }
        _ => Ok(()),
    }
}

/// Whether a place is a whole `#[retry…]`, its name, or the name of the derive: where the compiler
/// puts what has no token of the user's.
fn at_attribute(source: &str, place: &Place) -> bool {
    let line = source.lines().nth(place.line - 1).unwrap_or_default();
    let (before, after): (String, String) = (
        line.chars().take(place.column - 1).collect(),
        line.chars().skip(place.column - 1).collect(),
    );
    let before = before.trim();
    let mut words = after.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    match words.next() {
        // A whole attribute.
        Some("") => after.starts_with("#[") && words.any(|word| word == "retry"),
        Some("retry" | "stormless") => {
            before.ends_with("#[")
                || before.ends_with("#[stormless::")
                || before.starts_with("#[cfg_attr(") && before.ends_with([',', ':'])
        }
        Some("Retryable") => before.starts_with("#[derive("),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
