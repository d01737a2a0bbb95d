//! Reads the value of a setting, and says what is wanted where it is of another kind.

mod number;

use std::time::Duration;

use quote::ToTokens;
use syn::{Error, Expr, ExprPath, ExprUnary, Lit, LitStr, Path, Result, UnOp, ext::IdentExt};

use super::keys::Key;
use super::model::Value;
use crate::diagnostics::did_you_mean;
use crate::duration;

pub(super) use number::{attempts, factor, hedge_max};

/// A value without the invisible groups that `macro_rules!` puts around its fragments.
pub(super) fn ungroup(mut value: &Expr) -> &Expr {
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    value
}

pub(super) fn literal(value: &Expr) -> Option<&Lit> {
    match ungroup(value) {
        Expr::Lit(literal) => Some(&literal.lit),
        _ => None,
    }
}

/// A number with a minus in front, as text.
fn negative(value: &Expr) -> Option<String> {
    match ungroup(value) {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
            literal(expr).map(|number| format!("-{}", number.to_token_stream()))
        }
        _ => None,
    }
}

pub(super) fn path(value: &Expr) -> Option<&ExprPath> {
    match ungroup(value) {
        Expr::Path(path) => Some(path),
        _ => None,
    }
}

/// Whether the value is the bare word `none`.
pub(super) fn is_none(value: &Expr) -> bool {
    path(value).is_some_and(|path| path.path.is_ident("none"))
}

/// Whether a path names a const or static by the language's convention. A bare variable could not be
/// told from one otherwise.
pub(super) fn is_const(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| {
        let name = last.ident.unraw().to_string();
        name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
    })
}

fn wrong(key: Key, value: &Expr, wanted: &str) -> Error {
    let example = key.example();
    let message = if is_none(value) {
        format!("`none` is no value of `{key}`: it needs {wanted}, as in `{example}`")
    } else {
        match ungroup(value) {
            Expr::Path(path) => format!(
                "`{key}` needs {wanted}, as in `{example}`; `{}` is not named like a const",
                spelled(path)
            ),
            Expr::Lit(_) => format!("`{key}` needs {wanted}, as in `{example}`"),
            _ => format!(
                "`{key}` is fixed at compile time: it needs {wanted}, as in `{example}`, not an expression"
            ),
        }
    };
    Error::new_spanned(value, message)
}

fn spelled(tokens: impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

pub(super) fn duration(key: Key, value: &Expr) -> Result<Value<Duration>> {
    if let Some(path) = path(value).filter(|path| is_const(&path.path)) {
        return Ok(Value::Const(path.clone()));
    }
    duration_literal(key, value).unwrap_or_else(|| {
        Err(wrong(key, value, "a literal with a unit or the path of a const `Duration`"))
    })
}

/// The path of a const or static.
pub(super) fn const_path(key: Key, value: &Expr, wanted: &str) -> Result<ExprPath> {
    match path(value) {
        Some(path) if is_const(&path.path) => Ok(path.clone()),
        _ => Err(wrong(key, value, wanted)),
    }
}

/// A duration that is written out, or `None` for any other kind of value.
pub(super) fn duration_literal(key: Key, value: &Expr) -> Option<Result<Value<Duration>>> {
    let refuse = |message: String| Some(Err(Error::new_spanned(value, message)));
    if let Some(number) = negative(value) {
        return refuse(format!("`{key}` is {number}: a duration cannot be negative"));
    }
    let (digits, suffix) = match literal(value)? {
        Lit::Str(text) if text.value() == "none" && key == Key::Deadline => {
            return refuse("write `none` without quotes: `deadline = none`".into());
        }
        Lit::Str(text) => {
            return Some(match duration::parse(&text.value()) {
                Ok(duration) => Ok(Value::Literal(duration)),
                Err(message) => Err(Error::new_spanned(value, message)),
            });
        }
        Lit::Int(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        Lit::Float(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        _ => return Some(Err(wrong(key, value, "a literal with a unit"))),
    };
    refuse(if suffix.is_empty() {
        format!("`{digits}` has no unit, write it in quotes with one: `{key} = \"{digits}ms\"`")
    } else {
        format!("a duration is written in quotes: `{key} = \"{digits}{suffix}\"`")
    })
}

/// One of a few words in quotes.
pub(super) fn choice<T: Copy, const N: usize>(
    key: Key,
    value: &Expr,
    choices: [(&'static str, T); N],
) -> Result<T> {
    let words = || choices.iter().map(|(word, _)| *word);
    let quoted = || words().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
    let message = match literal(value) {
        Some(Lit::Str(text)) => {
            let word = text.value();
            match choices.iter().find(|(known, _)| *known == word) {
                Some((_, choice)) => return Ok(*choice),
                None => format!(
                    "\"{word}\" is no value of `{key}`, expected one of {}{}",
                    quoted(),
                    did_you_mean(&word, words())
                ),
            }
        }
        _ => match path(value).and_then(|path| path.path.get_ident()) {
            Some(word) if words().any(|known| word == known) => {
                format!("write \"{word}\" in quotes: `{key} = \"{word}\"`")
            }
            _ => format!("`{key}` needs one of {}, as in `{}`", quoted(), key.example()),
        },
    };
    Err(Error::new_spanned(value, message))
}

/// A string that says something.
pub(super) fn text(key: Key, value: &Expr) -> Result<LitStr> {
    let example = key.example();
    let message = match literal(value) {
        Some(Lit::Str(text)) if text.value().trim().is_empty() => {
            format!("`{key}` is empty: give it a name, as in `{example}`")
        }
        Some(Lit::Str(text)) => return Ok(text.clone()),
        _ => format!("`{key}` needs a string literal, as in `{example}`"),
    };
    Err(Error::new_spanned(value, message))
}

/// Something that is called: a path or a closure.
pub(super) fn callable(key: Key, value: &Expr) -> Result<Expr> {
    let callable = ungroup(value);
    match callable {
        Expr::Path(path) if !path.path.is_ident("none") => Ok(value.clone()),
        Expr::Closure(closure) if closure.asyncness.is_none() => Ok(value.clone()),
        Expr::Closure(_) => Err(Error::new_spanned(
            value,
            format!("`{key}` is called between attempts and cannot wait: take the `async` away"),
        )),
        Expr::Paren(inner) => self::callable(key, &inner.expr),
        _ => Err(Error::new_spanned(
            value,
            format!("`{key}` needs the path of a function or a closure, as in `{}`", key.example()),
        )),
    }
}

#[cfg(test)]
mod tests;
