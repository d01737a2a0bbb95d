//! Whom a `DELETE` is about.

use crate::control::Target;

/// Whom the query names: nobody in particular, or several. Nothing else may stand in it: a key that is misspelt
/// would take away everything.
pub(super) fn targets(query: Option<&str>) -> Result<Vec<Target>, String> {
    let parts = query.unwrap_or_default().split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let Some(name) = part.strip_prefix("target=") else {
                return Err(format!(
                    "there is no `{part}`: write `?target=…`, or nothing to take back everything"
                ));
            };
            let name = decoded(name)
                .ok_or_else(|| format!("`{name}` is not percent-encoded UTF-8: encode it"))?;
            target(&name).ok_or_else(|| {
                format!(
                    "`{name}` is no target: write `all`, `site.NAME`, `budget.NAME`, `budget.NAME.sites` or `breaker.NAME`"
                )
            })
        })
        .collect()
}

/// As the name of a table, with or without quotes.
fn target(text: &str) -> Option<Target> {
    if text == "all" {
        return Some(Target::All);
    }
    let (kind, name) = text.split_once('.')?;
    let (kind, name): (fn(String) -> Target, _) = match (kind, name.strip_suffix(".sites")) {
        ("budget", Some(name)) => (Target::SitesOf, name),
        ("budget", None) => (Target::Budget, name),
        ("site", _) => (Target::Site, name),
        ("breaker", _) => (Target::Breaker, name),
        _ => return None,
    };
    let bare = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    (!bare.is_empty()).then(|| kind(bare.to_owned()))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = rest else { return None };
        let digit =
            |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        bytes.push(digit(*high)? * 16 + digit(*low)?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}
