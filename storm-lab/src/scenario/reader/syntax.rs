//! What is wrong with a text that is no TOML, in words for whoever wrote it.

use super::table::{Source, quoted};

/// Reports what the parser has found, up to where the form itself is broken: what it finds behind that may be right.
pub(super) fn report(source: Source<'_>, errors: &[toml::de::Error]) {
    let mut errors: Vec<_> =
        errors.iter().map(|error| (error.span().unwrap_or(0..0), error.message())).collect();
    errors.sort_by_key(|(range, _)| range.start);
    for (range, said) in errors {
        let given = source.text.get(range.clone()).unwrap_or_default();
        let known = message(said, given);
        let broken = known.is_none();
        let message = known.unwrap_or_else(|| {
            format!("this is no TOML ({}): <https://toml.io> shows how it is written", said.trim())
        });
        source.sink.add(range, "", message);
        if broken {
            return;
        }
    }
}

/// `None` where the form itself is broken, and nothing better can be said than what the parser says.
fn message(said: &str, given: &str) -> Option<String> {
    let said = said.trim();
    // A word that begins as `nan`, `inf`, `true` or `false` is taken for one of these.
    let is_word =
        given.chars().next().is_some_and(char::is_alphabetic) && !given.contains(['"', '\'', '=']);
    if said.starts_with("string values must be quoted") && given.is_empty() {
        return Some("there is no value: write one behind the `=`".into());
    }
    if said.starts_with("string values must be quoted")
        || (said.starts_with("invalid") && is_word && !said.contains("key"))
    {
        return Some(format!(
            "{} is no number: texts, names and durations go in quotes",
            quoted(given)
        ));
    }
    if said == "duplicate key" {
        return Some(format!(
            "{} comes twice: write it once, or in double brackets, as in [[tier]], where there may be several",
            quoted(given)
        ));
    }
    said.contains("recurs").then(|| {
        "tables and lists are nested too deeply: no scenario needs more than a few levels".into()
    })
}
