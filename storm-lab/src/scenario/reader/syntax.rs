//! What is wrong with a text that is no TOML, in words for whoever wrote it.

use super::table::{Source, quoted};

/// Reports what the parser has found.
pub(super) fn report(source: Source<'_>, errors: &[toml::de::Error]) {
    for error in errors {
        let range = error.span().unwrap_or(0..0);
        let given = source.text.get(range.clone()).unwrap_or_default();
        source.sink.add(range, "", message(error.message(), given));
    }
}

fn message(said: &str, given: &str) -> String {
    let said = said.trim();
    // A word that begins as `nan`, `inf`, `true` or `false` is taken for one of these.
    let is_word =
        given.chars().next().is_some_and(char::is_alphabetic) && !given.contains(['"', '\'', '=']);
    if said.starts_with("string values must be quoted") && given.is_empty() {
        return "there is no value: write one behind the `=`".into();
    }
    if said.starts_with("string values must be quoted")
        || (said.starts_with("invalid") && is_word && !said.contains("key"))
    {
        return format!("{} is no number: texts, names and durations go in quotes", quoted(given));
    }
    if said == "duplicate key" {
        return format!(
            "{} comes twice: write it once, or in double brackets, as in [[tier]], where there may be several",
            quoted(given)
        );
    }
    if said.contains("recurs") {
        return "tables and lists are nested too deeply: no scenario needs more than a few levels"
            .into();
    }
    format!("this is no TOML ({said}): <https://toml.io> shows how it is written")
}
