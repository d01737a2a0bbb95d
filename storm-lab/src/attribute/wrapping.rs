//! A policy that was pasted with what stands around it.

use retry_grammar::text::Mistake;

/// What to leave out: everything up to the parenthesis, and from the other one on.
pub(super) fn mistake(text: &str) -> Option<Mistake> {
    let start = text.len() - text.trim_start().len();
    let all = text.trim();
    let after = |rest: &str| all.len() - rest.trim_start().len();
    let bracket = all.strip_prefix('#').map(|rest| rest.trim_start().trim_start_matches('!'));
    let inside = match bracket {
        Some(rest) => rest.trim_start().strip_prefix('[')?,
        None => all,
    };
    let path = inside.trim_start();
    let name_end = path
        .find(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | ':')))
        .unwrap_or(path.len());
    let (name, rest) = path.split_at(name_end);
    if name.rsplit("::").next() != Some("retry") {
        return None;
    }
    let Some(settings) = rest.trim_start().strip_prefix('(') else {
        // By itself it is a key that there is not, and the grammar says so.
        let alone = bracket.is_some() && matches!(rest.trim(), "]" | "");
        return alone.then(|| Mistake {
            range: start..start + all.len(),
            message: format!(
                "leave out `{}`: without settings nothing is written here",
                all.escape_debug()
            ),
        });
    };
    let opening = all[..after(settings)].trim_end();
    let kept = settings.trim_end_matches([']', ')', ' ', '\t', '\n', '\r']);
    let closing = settings[kept.len()..].trim();
    let closing = match closing {
        "" => String::new(),
        closing => format!(" and `{}`", closing.escape_debug()),
    };
    Some(Mistake {
        range: start..start + opening.len(),
        message: format!(
            "leave out `{}`{closing}: write only what stands between the parentheses",
            opening.escape_debug()
        ),
    })
}
