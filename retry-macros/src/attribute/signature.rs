//! What the function must be like, alone and together with the settings.

use proc_macro2::{Ident, Span};
use syn::{ReceiverKind, ReturnType, Signature, Type};

use super::arguments::{Binding, is_exclusive};
use super::borrows;
use super::generic::Parameters;
use super::item::{Function, fn_span, is_blocked_on, is_retried, second_retry};
use super::model::Settings;
use super::output::{Output, ungroup};
use crate::diagnostics::{Errors, list};

/// Reports every reason why the function cannot be retried. `output` is what its return type says,
/// where that was understood.
pub(super) fn check(
    function: &Function,
    settings: &Settings,
    bindings: &[Binding],
    output: Option<&Output>,
    errors: &mut Errors,
) {
    kind(function, errors);
    timeout_of_one_type(function, settings, errors);
    clones(settings, bindings, errors);
    // One attempt leaves nothing behind for a second one.
    if !settings.is_single() {
        changed_between_attempts(function, settings, bindings, errors);
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
    let signature = &function.sig;
    if let Some(constness) = &signature.constness {
        errors.push(constness, "`#[retry]` cannot retry a `const fn`: it needs an `async fn`");
    } else if signature.asyncness.is_none() {
        let remedy = if is_blocked_on(function) {
            ": the attribute above has taken the `async` away, put `#[retry]` above it"
        } else if returns_boxed_future(signature) {
            ": this function returns a boxed future, as methods under `#[async_trait]` do; let it call an `async fn` and put `#[retry]` there"
        } else {
            ": write `async fn`, or move the call that can fail into one"
        };
        errors.push_at(fn_span(function), format!("`#[retry]` needs an `async fn`{remedy}"));
    }
}

fn returns_boxed_future(signature: &Signature) -> bool {
    let ReturnType::Type(_, ty) = &signature.output else { return false };
    matches!(ungroup(ty), Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "Pin"))
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

/// The timeout stands in the site's static, which is one for all types.
fn timeout_of_one_type(function: &Function, settings: &Settings, errors: &mut Errors) {
    if let Some(timeout) = &settings.attempt_timeout {
        if Parameters::of(&function.sig.generics).are_in(timeout.tokens.clone()) {
            errors.push(
                &timeout.tokens,
                "`attempt_timeout` is the same for all types and cannot name `Self` or a parameter: write a literal such as \"1s\", or the path of a const outside",
            );
        }
    }
}

fn clones(settings: &Settings, bindings: &[Binding], errors: &mut Errors) {
    let Some(clone) = &settings.clone else { return };
    for (index, name) in clone.value.iter().enumerate() {
        if clone.value[..index].contains(name) {
            errors.push(name, format!("`{name}` is cloned twice: name it once"));
        } else if name == "self" {
            errors.push(
                name,
                "`self` cannot be cloned for an attempt, since no variable can be called `self`: take `&self`, or clone it in the body",
            );
        } else if bindings.iter().any(|binding| binding.ident == *name && binding.exclusive) {
            errors.push(
                name,
                format!("`{name}` is a `&mut`, which all attempts share and which cannot be cloned: leave it out, or clone `*{name}` in the body"),
            );
        } else if !bindings.iter().any(|binding| binding.ident == *name) {
            let message = if bindings.is_empty() {
                format!("`{name}` is no argument: this function has none that could be cloned")
            } else {
                let names: Vec<_> =
                    bindings.iter().map(|binding| binding.ident.to_string()).collect();
                format!(
                    "`{name}` is no argument of this function, which has {}",
                    list(names.iter().map(String::as_str))
                )
            };
            errors.push(name, message);
        }
    }
}

/// R163: a `mut` argument would carry the changes of one attempt into the next.
fn changed_between_attempts(
    function: &Function,
    settings: &Settings,
    bindings: &[Binding],
    errors: &mut Errors,
) {
    let cloned =
        |name: &Ident| settings.clone.as_ref().is_some_and(|clone| clone.value.contains(name));
    for binding in bindings {
        let name = &binding.ident;
        if let Some(mutability) = binding.mutability.filter(|_| !binding.exclusive && !cloned(name))
        {
            errors.push(
                quote::quote!(#mutability #name),
                format!(
                    "changes of `{name}` in one attempt would be seen by the next: add `clone({name})` to the attribute"
                ),
            );
        }
    }
    for Binding { ident, lent, .. } in bindings {
        if let Some(lent) = lent {
            errors.push(
                quote::quote!(#lent #ident),
                format!(
                    "changes of `{ident}` in one attempt would be seen by the next: bind it as `mut {ident}` and add `clone({ident})` to the attribute"
                ),
            );
        }
    }
    if let Some(receiver) = function.sig.receiver() {
        let shared = matches!(&receiver.kind, ReceiverKind::Typed(_, ty) if is_exclusive(ty));
        if let Some(mutability) = receiver.mutability.filter(|_| !shared) {
            let self_token = receiver.self_token;
            errors.push(
                quote::quote!(#mutability #self_token),
                "changes of `self` in one attempt would be seen by the next: take `&self`, or take `self` and clone it in the body",
            );
        }
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
