//! What the function must be like, alone and together with the settings.

mod arguments;

use proc_macro2::Span;
use retry_grammar::diagnostics::Errors;
use retry_grammar::model::{Breaker, Setting, Settings};
use syn::{ReturnType, Type};

use super::arguments::Binding;
use super::borrows;
use super::early;
use super::form::Form;
use super::generic::Parameters;
use super::hedge;
use super::item::{Function, fn_span, is_blocked_on, is_retried, second_retry};
use super::output::{Output, future_output, ungroup};
use super::prelude::Prelude;

/// An annotated function, taken apart.
pub(super) struct Parts<'a> {
    pub(super) function: &'a Function,
    pub(super) form: &'a Form,
    pub(super) prelude: &'a Prelude,
}

/// Reports every reason why the function cannot be retried. `output` is what its return type says,
/// where that was understood.
pub(super) fn check(
    parts: &Parts<'_>,
    settings: &Settings,
    bindings: &[Binding],
    output: Option<&Output>,
    errors: &mut Errors,
) {
    let function = parts.function;
    kind(function, errors);
    waiting(function, parts.form, settings, errors);
    times_of_one_type(function, settings, errors);
    hedge::check_arguments(function, settings, errors);
    breaker_of_one_type(function, settings, errors);
    arguments::clones(parts, settings, bindings, errors);
    for pattern in &parts.prelude.recorded {
        errors.push(
            pattern,
            "`#[instrument]` records this argument as a whole for each attempt, but it has been taken apart: put `#[retry]` above `#[instrument]`, or add `skip_all`",
        );
    }
    // One attempt leaves nothing behind for a second one.
    if !settings.is_single() {
        early::check(parts.form, errors);
        arguments::changed_between_attempts(parts, settings, bindings, errors);
        borrows::check(function, output, errors);
    }
    if let Some(output) = output {
        returned_parameter(function, output, errors);
    }
    if let Some(output) = output.filter(|output| output.wraps) {
        wrapped(settings, output, errors);
    }
}

fn kind(function: &Function, errors: &mut Errors) {
    const SECOND: &str = "a second `#[retry]` would multiply the attempts: keep one of the two";
    if let Some(second) = second_retry(&function.attrs) {
        errors.push(second, SECOND);
    }
    if is_retried(&function.body) {
        // This is the second: there is no token of it but the attribute itself.
        errors.push_at(Span::call_site(), SECOND);
    }
    if let Some(constness) = &function.sig.constness {
        errors.push(
            constness,
            "`#[retry]` cannot retry a `const fn`, since nothing can wait in one: write `async fn`",
        );
    }
}

/// Refuses a function that neither is nor makes a future, and does not say that it may block.
pub(super) fn refuse_sync(function: &Function, errors: &mut Errors) {
    const ELSEWHERE: &str = "the future is made elsewhere, where no second one can be made: end in `async move { … }` or `Box::pin(async move { … })` with the call inside it, or write `async fn`";
    if function.sig.constness.is_some() {
        return;
    }
    if let ReturnType::Type(_, ty) = &function.sig.output {
        let ty = ungroup(ty);
        if future_output(ty).is_some() {
            return errors.push(ty, format!("`#[retry]` needs the call itself: {ELSEWHERE}"));
        }
        if matches!(ty, Type::ImplTrait(_)) {
            return errors.push(
                ty,
                "`#[retry]` needs a function that returns `Result<_, _>`: what this one returns can fail only later, where no retry sees it",
            );
        }
    }
    let remedy = if is_blocked_on(function) {
        "the attribute above has taken the `async` away, put `#[retry]` above it"
    } else {
        "write `async fn`, or add `blocking` to the attribute of a function that may sleep on its thread"
    };
    errors.push_at(fn_span(function), format!("`#[retry]` needs an `async fn`: {remedy}"));
}

/// How the function waits, and what it can wait for.
fn waiting(function: &Function, form: &Form, settings: &Settings, errors: &mut Errors) {
    let Some(blocking) = &settings.blocking else { return };
    match form {
        Form::Plain => {
            if let Some(timeout) = &settings.attempt_timeout {
                errors.push(
                    &timeout.key,
                    "`attempt_timeout` has no effect: nothing can end a blocking attempt, leave it out and give the client a timeout of its own",
                );
            }
            if let Some(attr) = function.attrs.iter().find(|attr| attr.path().is_ident("track_caller")) {
                errors.push(
                    attr,
                    "`#[track_caller]` does not reach the body that is repeated: leave it out, or take a `&'static Location<'static>` as an argument",
                );
            }
        }
        Form::Async => errors.push(
            &blocking.key,
            "`blocking` is for functions without `async`: leave it out, this one waits without holding up its thread",
        ),
        Form::Future(_) => errors.push(
            &blocking.key,
            "`blocking` is for functions that do not return a future: leave it out, this one waits without holding up its thread",
        ),
    }
}

/// A parameter of the function itself may stand for anything.
fn returned_parameter(function: &Function, output: &Output, errors: &mut Errors) {
    let Type::Path(path) = ungroup(&output.body) else { return };
    let Some(name) = path.path.get_ident() else { return };
    if function.sig.generics.type_params().any(|parameter| parameter.ident == *name) {
        errors.push(
            name,
            format!("`#[retry]` needs a function that returns `Result<_, _>`: `{name}` may be any type; write `Result<{name}, _>`"),
        );
    }
}

/// The timeout and the delay of hedges stand in the site's static, which is one for all types.
fn times_of_one_type(function: &Function, settings: &Settings, errors: &mut Errors) {
    let parameters = Parameters::of(&function.sig.generics);
    let timeout = settings.attempt_timeout.as_ref().map(|timeout| (&timeout.key, &timeout.tokens));
    let hedge = settings.hedge.as_ref().map(|hedge| (&hedge.key, &hedge.tokens));
    for (key, value) in timeout.into_iter().chain(hedge) {
        if parameters.are_in(value.clone()) {
            errors.push(
                value,
                format!("`{key}` is the same for all types and cannot name `Self` or a parameter: write a literal such as \"1s\", or the path of a const outside"),
            );
        }
    }
}

/// So does the breaker.
fn breaker_of_one_type(function: &Function, settings: &Settings, errors: &mut Errors) {
    let Some(Setting { value: Breaker::Static(path), tokens, .. }) = &settings.breaker else {
        return;
    };
    if path.path.get_ident().is_none()
        && Parameters::of(&function.sig.generics).are_in(tokens.clone())
    {
        errors.push(
            tokens,
            "`breaker` is the same for all types and cannot name `Self` or a parameter: write a name, or the path of a static outside",
        );
    }
}

fn wrapped(settings: &Settings, output: &Output, errors: &mut Errors) {
    let error = output.error.to_string().replace(' ', "");
    if let Some(cut_error) = &settings.cut_error {
        errors.push(
            &cut_error.key,
            format!("`cut_error` has no effect: `RetryError<{error}>` tells of a cut by itself, leave it out"),
        );
    }
    if let Some(uncut) = &settings.uncut {
        errors.push(
            &uncut.key,
            format!("`uncut` has no effect: `RetryError<{error}>` can always tell of a cut, leave it out or return `{error}` itself"),
        );
    }
}

#[cfg(test)]
mod tests;
