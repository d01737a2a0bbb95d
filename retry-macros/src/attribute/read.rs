//! From entries to settings: each key takes its own kind of value.

use proc_macro2::{Ident, TokenStream};
use syn::{
    Error, Expr, ExprReference, Lit, Result, Token, ext::IdentExt, parse::Parser,
    punctuated::Punctuated,
};

use super::args::{Entry, Form};
use super::keys::Key;
use super::model::{
    Backoff, Budget, Deadline, Idempotent, Inner, Nested, Policy, Setting, Settings, Strategy,
    Value,
};
use super::value;
use crate::diagnostics::Errors;

/// All settings that make sense by themselves, and the keys that were given at all: a check across
/// settings does not complain of a missing one whose value was refused already.
pub(super) fn read(entries: &[Entry], errors: &mut Errors) -> (Settings, Vec<Key>) {
    let mut settings = Settings::default();
    let mut given = Vec::new();
    for (position, entry) in entries.iter().enumerate() {
        let Some(key) = Key::from_ident(&entry.key) else {
            errors.push(&entry.key, Key::unknown(&entry.key));
            continue;
        };
        if given.contains(&key) {
            errors.push(&entry.key, format!("`{key}` is given twice: keep one of the two"));
            continue;
        }
        given.push(key);
        if let Err(error) = settings.set(key, &Source { key, entry, position }) {
            errors.add(error);
        }
    }
    (settings, given)
}

struct Source<'a> {
    key: Key,
    entry: &'a Entry,
    position: usize,
}

impl Source<'_> {
    /// The expression after `=`.
    fn value(&self) -> Result<&Expr> {
        let (key, example) = (self.key, self.key.example());
        match &self.entry.form {
            Form::Value(value) => Ok(value),
            Form::Flag => Err(Error::new(
                self.entry.key.span(),
                format!("`{key}` needs a value, write `{example}`"),
            )),
            Form::List(_) => Err(Error::new_spanned(
                self.entry.value_tokens(),
                format!("`{key}` is written with `=`: `{example}`"),
            )),
        }
    }

    fn flag(&self) -> Result<()> {
        match &self.entry.form {
            Form::Flag => Ok(()),
            Form::Value(_) | Form::List(_) => Err(Error::new_spanned(
                self.entry.value_tokens(),
                format!("`{}` takes no value: write the word alone, or leave it out", self.key),
            )),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "the slots that it fills are optional")]
    fn setting<T>(&self, value: T) -> Option<Setting<T>> {
        let key: Ident = self.entry.key.clone();
        let tokens: TokenStream = self.entry.value_tokens();
        Some(Setting { key, value, tokens, position: self.position })
    }
}

impl Settings {
    fn set(&mut self, key: Key, source: &Source<'_>) -> Result<()> {
        let duration = || source.value().and_then(|value| value::duration(key, value));
        let callable = || source.value().and_then(|value| value::callable(key, value));
        match key {
            Key::Attempts => {
                self.attempts = source.setting(value::attempts(source.value()?)?);
            }
            Key::Backoff => self.backoff = source.setting(backoff(source.value()?)?),
            Key::Base => self.base = source.setting(duration()?),
            Key::Max => self.max = source.setting(duration()?),
            Key::Factor => self.factor = source.setting(value::factor(source.value()?)?),
            Key::Budget => self.budget = source.setting(budget(source.value()?)?),
            Key::Deadline => self.deadline = source.setting(deadline(source.value()?)?),
            Key::AttemptTimeout => self.attempt_timeout = source.setting(duration()?),
            Key::CutError => self.cut_error = source.setting(callable()?),
            Key::Uncut => self.uncut = source.setting(source.flag()?),
            Key::MinRemaining => self.min_remaining = source.setting(duration()?),
            Key::TimePerAttempt => self.time_per_attempt = source.setting(duration()?),
            Key::MaxRetryAfter => self.max_retry_after = source.setting(duration()?),
            Key::Idempotent => self.idempotent = source.setting(idempotent(source)?),
            Key::IdempotencyKey => {
                self.idempotency_key = source.setting(idempotency_key(source.value()?)?);
            }
            Key::Classify => self.classify = source.setting(callable()?),
            Key::ClassifyResult => self.classify_result = source.setting(callable()?),
            Key::Nested => {
                self.nested = source.setting(value::choice(key, source.value()?, Nested::ALL)?);
            }
            Key::Inner => {
                self.inner = source.setting(value::choice(key, source.value()?, Inner::ALL)?);
            }
            Key::Clone => self.clone = source.setting(clone(source)?),
            Key::OnRetry => self.on_retry = source.setting(callable()?),
            Key::Policy => self.policy = source.setting(policy(source.value()?)?),
            Key::Name => self.name = source.setting(value::text(key, source.value()?)?),
            Key::Blocking => self.blocking = source.setting(source.flag()?),
            Key::Crate => self.krate = source.setting(krate(source.value()?)?),
        }
        Ok(())
    }
}

fn backoff(value: &Expr) -> Result<Backoff> {
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

fn budget(value: &Expr) -> Result<Budget> {
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

fn deadline(value: &Expr) -> Result<Deadline> {
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

fn idempotent(source: &Source<'_>) -> Result<Idempotent> {
    let wrong = || {
        Err(Error::new_spanned(
            source.entry.value_tokens(),
            "`idempotent` needs no value, or a `bool` as in `idempotent = order.is_read()`",
        ))
    };
    let value = match &source.entry.form {
        Form::Flag => return Ok(Idempotent::Flag),
        Form::Value(value) => value,
        Form::List(_) => return wrong(),
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

fn idempotency_key(value: &Expr) -> Result<Expr> {
    if value::literal(value).is_some() || value::is_none(value) {
        return Err(Error::new_spanned(
            value,
            "`idempotency_key` needs an expression that tells one call from another, as in \
             `idempotency_key = order.id`; without it each call gets a key of its own",
        ));
    }
    Ok(value.clone())
}

fn clone(source: &Source<'_>) -> Result<Vec<Ident>> {
    let wrong = |tokens: TokenStream| {
        Err(Error::new_spanned(
            tokens,
            "`clone` needs the names of arguments in parentheses, as in `clone(request)`",
        ))
    };
    let Form::List(list) = &source.entry.form else { return wrong(source.entry.value_tokens()) };
    let names = Punctuated::<Ident, Token![,]>::parse_terminated_with;
    match (|input: syn::parse::ParseStream<'_>| names(input, Ident::parse_any)).parse2(list.clone())
    {
        Ok(names) if !names.is_empty() => Ok(names.into_iter().collect()),
        _ => wrong(source.entry.value_tokens()),
    }
}

fn policy(value: &Expr) -> Result<Policy> {
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

fn krate(value: &Expr) -> Result<syn::Path> {
    match value::path(value) {
        Some(path) if path.qself.is_none() => Ok(path.path.clone()),
        _ => Err(Error::new_spanned(
            value,
            format!("`crate` needs a path without quotes, as in `{}`", Key::Crate.example()),
        )),
    }
}
