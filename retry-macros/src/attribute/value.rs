//! Reads the value of a setting, and says what is wanted where it is of another kind.

use std::time::Duration;

use quote::ToTokens;
use syn::{Error, Expr, ExprPath, ExprUnary, Lit, LitStr, Path, Result, UnOp, ext::IdentExt};

use super::keys::Key;
use super::model::{Attempts, Value};
use crate::diagnostics::did_you_mean;
use crate::duration;

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

pub(super) fn attempts(value: &Expr) -> Result<Value<Attempts>> {
    const WANTED: &str = "a whole number of at least 1, \"unlimited\" or the path of a const";
    let refuse = |message: String| Err(Error::new_spanned(value, message));
    if let Some(number) = negative(value) {
        return refuse(format!(
            "`attempts` is {number}: it counts the first call, so the smallest value is 1"
        ));
    }
    match literal(value) {
        Some(Lit::Int(number)) if number.suffix().is_empty() || number.suffix() == "u32" => {
            match number.base10_parse() {
                Ok(0) => refuse(
                    "`attempts` is 0: it counts the first call, so the smallest value is 1".into(),
                ),
                Ok(count) => Ok(Value::Literal(Attempts::Count(count))),
                _ => refuse(format!(
                    "`attempts` is above {}: write \"unlimited\" for no limit",
                    u32::MAX
                )),
            }
        }
        Some(Lit::Str(text)) if text.value() == "unlimited" => {
            Ok(Value::Literal(Attempts::Unlimited))
        }
        Some(Lit::Str(text)) if text.value().parse::<f64>().is_ok() => refuse(format!(
            "`attempts` is a number, write it without quotes: `attempts = {}`",
            text.value()
        )),
        Some(Lit::Str(text)) => refuse(format!(
            "\"{}\" is no number of attempts: `attempts` needs {WANTED}{}",
            text.value(),
            did_you_mean(&text.value(), ["unlimited"])
        )),
        Some(Lit::Float(number)) => refuse(format!(
            "`attempts` is {number}: it needs a whole number of at least 1, as in `attempts = 3`"
        )),
        _ => match path(value) {
            Some(path) if is_const(&path.path) => Ok(Value::Const(path.clone())),
            Some(path) if path.path.is_ident("unlimited") => {
                refuse("write \"unlimited\" in quotes: `attempts = \"unlimited\"`".into())
            }
            _ => Err(wrong(Key::Attempts, value, WANTED)),
        },
    }
}

pub(super) fn duration(key: Key, value: &Expr) -> Result<Value<Duration>> {
    if let Some(path) = path(value).filter(|path| is_const(&path.path)) {
        return Ok(Value::Const(path.clone()));
    }
    duration_literal(key, value).unwrap_or_else(|| {
        Err(wrong(key, value, "a literal with a unit or the path of a const `Duration`"))
    })
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

pub(super) fn factor(value: &Expr) -> Result<Value<f64>> {
    const WANTED: &str = "a number of at least 1 or the path of a const `f64`";
    let refuse = |message: String| Err(Error::new_spanned(value, message));
    let too_small = |shown: String| {
        refuse(format!("`factor` is {shown}: below 1 the delays would shrink, write at least 1"))
    };
    if let Some(number) = negative(value) {
        return too_small(number);
    }
    let digits = match literal(value) {
        Some(Lit::Int(number)) => number.base10_digits().to_owned(),
        Some(Lit::Float(number)) => number.base10_digits().to_owned(),
        Some(Lit::Str(text)) if text.value().parse::<f64>().is_ok() => {
            return refuse(format!(
                "`factor` is a number, write it without quotes: `factor = {}`",
                text.value()
            ));
        }
        _ => match path(value) {
            Some(path) if is_const(&path.path) => return Ok(Value::Const(path.clone())),
            _ => return Err(wrong(Key::Factor, value, WANTED)),
        },
    };
    match digits.parse::<f64>() {
        Ok(factor) if factor.is_finite() && factor >= 1.0 => Ok(Value::Literal(factor)),
        Ok(factor) if factor < 1.0 => too_small(digits),
        _ => refuse("`factor` is too large for a number: it must be finite".into()),
    }
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
