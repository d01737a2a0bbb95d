//! What the arguments must be like, of which each attempt uses the same.

use proc_macro2::Ident;
use retry_grammar::diagnostics::{Errors, list};
use retry_grammar::model::Settings;
use syn::ReceiverKind;

use super::Parts;
use crate::attribute::arguments::{Binding, is_exclusive};
use crate::attribute::form::Form;

/// What is cloned for each attempt must be an argument that can be.
pub(super) fn clones(
    parts: &Parts<'_>,
    settings: &Settings,
    bindings: &[Binding],
    errors: &mut Errors,
) {
    // What stands before the future may bind variables too; the compiler knows them.
    let others = matches!(parts.form, Form::Future(tail) if !tail.is_all());
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
        } else if !others && !bindings.iter().any(|binding| binding.ident == *name) {
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
pub(super) fn changed_between_attempts(
    parts: &Parts<'_>,
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
            let remedy = if binding.holds_exclusive {
                "take it by `&mut`, since a `&mut` inside it cannot be cloned".to_owned()
            } else {
                format!("add `clone({name})` to the attribute")
            };
            errors.push(
                quote::quote!(#mutability #name),
                format!("changes of `{name}` in one attempt would be seen by the next: {remedy}"),
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
    if let Some(receiver) = parts.function.sig.receiver() {
        let shared = match &receiver.kind {
            ReceiverKind::Typed(_, ty) => is_exclusive(ty),
            ReceiverKind::Reference(..) => true,
            _ => false,
        };
        let moved = parts.prelude.renamed_self().and_then(|renamed| renamed.mutability);
        if let Some(mutability) = receiver.mutability.or(moved).filter(|_| !shared) {
            let self_token = receiver.self_token;
            errors.push(
                quote::quote!(#mutability #self_token),
                "changes of `self` in one attempt would be seen by the next: take `&self`, or take `self` and clone it in the body",
            );
        }
    }
}
