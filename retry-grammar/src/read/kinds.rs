//! Settings that take values of several kinds: a word, a literal, a path or an expression.

use proc_macro2::{Ident, TokenStream};
use syn::{
    Error, Expr, ExprPath, ExprReference, Lit, Result, Token, ext::IdentExt, parse::Parser,
    punctuated::Punctuated,
};

use super::Source;
use crate::args::Syntax;
use crate::keys::Key;
use crate::model::{
    Backoff, Breaker, Budget, Deadline, Hedge, Idempotent, Policy, Quantile, Strategy, Value,
};
use crate::value;

pub(super) fn backoff(value: &Expr) -> Result<Backoff> {
    match value::path(value) {
        Some(_) if value::is_none(value) => {
            Err(Error::new_spanned(value, "write \"none\" in quotes: `backoff = \"none\"`"))
        }
        Some(path) if value::is_const(&path.path) => Ok(Backoff::Const(path.clone())),
        Some(path) => Ok(Backoff::Function(path.clone())),
        None if value::literal(value).is_some() => {
            value::choice(Key::Backoff, value, Strategy::ALL).map(Backoff::BuiltIn)
        }
        None => Err(Error::new_spanned(
            value,
            "`backoff` is fixed at compile time: it needs a string, as in \
             `backoff = \"full_jitter\"`, or the path of a `fn(&BackoffContext<'_>) -> Duration`",
        )),
    }
}

pub(super) fn budget(value: &Expr) -> Result<Budget> {
    if value::is_none(value) {
        return Ok(Budget::Off);
    }
    match value::ungroup(value) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) if text.value() == "none" => Err(Error::new_spanned(
                value,
                "this names a budget \"none\": write `budget = none` for no budget",
            )),
            Lit::Str(_) => value::text(Key::Budget, value).map(Budget::Named),
            _ => Err(Error::new_spanned(
                value,
                "`budget` needs a name as in `budget = \"orders\"`, the path of a static, `none`, \
                 or an expression that yields `&'static Budget`",
            )),
        },
        Expr::Path(path) if value::is_const(&path.path) => Ok(Budget::Static(path.clone())),
        // `&ORDERS` is `ORDERS`: the table of budgets can then show this site under it.
        Expr::Reference(ExprReference { mutability: None, expr, .. }) => match value::path(expr) {
            Some(path) if value::is_const(&path.path) => Ok(Budget::Static(path.clone())),
            _ => Ok(Budget::Expression(value.clone())),
        },
        _ => Ok(Budget::Expression(value.clone())),
    }
}

pub(super) fn budget_key(value: &Expr) -> Result<Expr> {
    if value::literal(value).is_some() || value::is_none(value) {
        return Err(Error::new_spanned(
            value,
            "`budget_key` needs an expression that tells one destination from another, as in \
             `budget_key = host`; without it all share the budget itself",
        ));
    }
    Ok(value.clone())
}

pub(super) fn breaker(value: &Expr) -> Result<Breaker> {
    if value::is_none(value) {
        return Ok(Breaker::Off);
    }
    let message = match (value::literal(value), breaker_path(value)) {
        (Some(Lit::Str(text)), _) if text.value() == "none" => {
            "this names a breaker \"none\": write `breaker = none` for no breaker"
        }
        (Some(Lit::Str(_)), _) => return value::text(Key::Breaker, value).map(Breaker::Named),
        (_, Some(path)) => return Ok(Breaker::Static(path.clone())),
        _ => {
            "`breaker` is fixed at compile time: it needs a name as in `breaker = \"orders\"`, \
             the path of a static, or `none`"
        }
    };
    Err(Error::new_spanned(value, message))
}

/// The path of a static, which `&ORDERS` is as well as `ORDERS`.
fn breaker_path(value: &Expr) -> Option<&ExprPath> {
    let path = match value::ungroup(value) {
        Expr::Reference(ExprReference { mutability: None, expr, .. }) => value::path(expr),
        value => value::path(value),
    };
    path.filter(|path| value::is_const(&path.path))
}

pub(super) fn deadline(value: &Expr) -> Result<Deadline> {
    if value::is_none(value) {
        return Ok(Deadline::Off);
    }
    if let Some(literal) = value::duration_literal(Key::Deadline, value) {
        return literal.map(Deadline::After);
    }
    Ok(match value::path(value) {
        Some(path) if value::is_const(&path.path) => Deadline::After(Value::Const(path.clone())),
        _ => Deadline::Expression(value.clone()),
    })
}

pub(super) fn hedge(value: &Expr) -> Result<Hedge> {
    match value::literal(value) {
        Some(Lit::Str(text)) if text.value().starts_with(['p', 'P']) => {
            value::choice(Key::Hedge, value, Quantile::ALL).map(Hedge::Quantile)
        }
        _ => value::duration(Key::Hedge, value).map(Hedge::After),
    }
}

pub(super) fn idempotent(source: &Source<'_>) -> Result<Idempotent> {
    let wrong = || {
        Err(Error::new_spanned(
            source.entry.value_tokens(),
            "`idempotent` needs no value, or a `bool` as in `idempotent = order.is_read()`",
        ))
    };
    let value = match &source.entry.syntax {
        Syntax::Flag => return Ok(Idempotent::Flag),
        Syntax::Value(value) => value,
        Syntax::List(_) => return wrong(),
    };
    match value::literal(value) {
        Some(Lit::Bool(_)) => Ok(Idempotent::Const(value.clone())),
        Some(_) => wrong(),
        None => Ok(match value::path(value) {
            Some(path) if value::is_const(&path.path) => Idempotent::Const(value.clone()),
            _ => Idempotent::Expression(value.clone()),
        }),
    }
}

pub(super) fn idempotency_key(value: &Expr) -> Result<Expr> {
    if value::literal(value).is_some() || value::is_none(value) {
        return Err(Error::new_spanned(
            value,
            "`idempotency_key` needs an expression that tells one call from another, as in \
             `idempotency_key = order.id`; without it each call gets a key of its own",
        ));
    }
    Ok(value.clone())
}

pub(super) fn clone(source: &Source<'_>) -> Result<Vec<Ident>> {
    let wrong = |tokens: TokenStream| {
        Err(Error::new_spanned(
            tokens,
            "`clone` needs the names of arguments in parentheses, as in `clone(request)`",
        ))
    };
    let Syntax::List(list) = &source.entry.syntax else {
        return wrong(source.entry.value_tokens());
    };
    let names = Punctuated::<Ident, Token![,]>::parse_terminated_with;
    match (|input: syn::parse::ParseStream<'_>| names(input, Ident::parse_any)).parse2(list.clone())
    {
        Ok(names) if !names.is_empty() => Ok(names.into_iter().collect()),
        _ => wrong(source.entry.value_tokens()),
    }
}

pub(super) fn policy(value: &Expr) -> Result<Policy> {
    match value::path(value) {
        Some(path) if value::is_const(&path.path) => Ok(Policy::Const(path.clone())),
        _ if value::literal(value).is_some() || value::is_none(value) => Err(Error::new_spanned(
            value,
            "`policy` needs the path of a const or static `Policy`, or an expression such as \
             `self.policy`",
        )),
        _ => Ok(Policy::Expression(value.clone())),
    }
}

pub(super) fn krate(value: &Expr) -> Result<syn::Path> {
    match value::path(value) {
        Some(path) if path.qself.is_none() => Ok(path.path.clone()),
        _ => Err(Error::new_spanned(
            value,
            format!("`crate` needs a path without quotes, as in `{}`", Key::Crate.example()),
        )),
    }
}
