//! Reads the value behind a key as what that key wants.

use std::time::Duration;

use quote::ToTokens;
use retry_grammar::duration;
use syn::{Expr, ExprLit, ExprPath, ExprUnary, Lit, Path, UnOp};

use super::parse::Entry;

/// The value without the invisible group that a `macro_rules!` variable puts around it.
fn plain(mut value: &Expr) -> &Expr {
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    value
}

pub(super) fn error(at: impl ToTokens, message: impl std::fmt::Display) -> syn::Error {
    syn::Error::new_spanned(at, message)
}

pub(super) fn required<'e>(entry: &'e Entry, wanted: &str) -> syn::Result<&'e Expr> {
    entry.value.as_ref().map(plain).ok_or_else(|| {
        let name = entry.name();
        error(&entry.key, format!("`{name}` needs a value: write `{name} = {wanted}`"))
    })
}

pub(super) fn none(entry: &Entry) -> syn::Result<()> {
    let Some(value) = &entry.value else { return Ok(()) };
    let name = entry.name();
    Err(error(value, format!("`{name}` takes no value: write `{name}` alone")))
}

pub(super) fn path(entry: &Entry, wanted: &str) -> syn::Result<Path> {
    let name = entry.name();
    match required(entry, wanted)? {
        Expr::Path(ExprPath { attrs, qself: None, path }) if attrs.is_empty() => Ok(path.clone()),
        other => Err(error(other, format!("`{name}` needs a path: write `{name} = {wanted}`"))),
    }
}

/// A count of at least 1.
pub(super) fn count(entry: &Entry) -> syn::Result<u32> {
    let name = entry.name();
    let value = required(entry, "3")?;
    if let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = value {
        if let Some(count) = number.base10_parse::<u32>().ok().filter(|count| *count > 0) {
            return Ok(count);
        }
    }
    Err(error(
        value,
        format!("`{name}` needs a whole number from 1 to {}: write `{name} = 3`", u32::MAX),
    ))
}

/// A duration above zero.
pub(super) fn duration(entry: &Entry) -> syn::Result<Duration> {
    let name = entry.name();
    let value = required(entry, "\"500ms\"")?;
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => match duration::parse(&text.value()) {
            Ok(Duration::ZERO) => Err(error(
                text,
                format!(
                    "`{name}` must be above zero, so that retries do not run hot: write `{name} = \"1ms\"`"
                ),
            )),
            Ok(duration) => Ok(duration),
            Err(message) => Err(error(text, message)),
        },
        Expr::Lit(ExprLit { lit: number @ (Lit::Int(_) | Lit::Float(_)), .. }) => {
            let text = number.to_token_stream().to_string();
            let text = [text.clone(), format!("{text}ms"), "500ms".into()]
                .into_iter()
                .find(|text| duration::parse(text).is_ok_and(|duration| !duration.is_zero()))
                .unwrap_or_default();
            Err(error(
                number,
                format!("`{name}` needs a string with a unit: write `{name} = \"{text}\"`"),
            ))
        }
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => {
            Err(error(value, format!("`{name}` cannot be negative: write `{name} = \"500ms\"`")))
        }
        other => Err(error(
            other,
            format!("`{name}` needs a duration in a string: write `{name} = \"500ms\"`"),
        )),
    }
}
