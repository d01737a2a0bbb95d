//! What the function must be like, alone and together with the settings.

use proc_macro2::{Ident, Span};
use syn::{
    Error, FnArg, Lifetime, Receiver, ReceiverKind, Signature, spanned::Spanned,
    visit_mut::VisitMut,
};

use super::arguments::{Binding, is_exclusive};
use super::item::{Function, fn_span, is_blocked_on, second_retry};
use super::model::Settings;
use super::output::Output;
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
    clones(settings, bindings, errors);
    // One attempt leaves nothing behind for a second one.
    if !settings.is_single() {
        changed_between_attempts(function, settings, bindings, errors);
        borrowed_twice(function, output, errors);
    }
    if let Some(output) = output.filter(|output| output.wraps) {
        wrapped(settings, output, errors);
    }
}

fn kind(function: &Function, errors: &mut Errors) {
    if let Some(second) = second_retry(&function.attrs) {
        errors.push(second, "a second `#[retry]` would multiply the attempts: keep one of the two");
    }
    let signature = &function.sig;
    if let Some(constness) = &signature.constness {
        errors.push(constness, "`#[retry]` cannot retry a `const fn`: it needs an `async fn`");
    } else if signature.asyncness.is_none() {
        let remedy = if is_blocked_on(function) {
            ": the attribute above has taken the `async` away, put `#[retry]` above it"
        } else {
            ": write `async fn`, or move the call that can fail into one"
        };
        errors
            .add(Error::new(fn_span(function), format!("`#[retry]` needs an `async fn`{remedy}")));
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

/// A borrow that is returned must outlive the attempt, and so cannot be had again by the next.
fn borrowed_twice(function: &Function, output: Option<&Output>, errors: &mut Errors) {
    let Some(output) = output else { return };
    let mut returned = Lifetimes::default();
    let mut ty = output.body.clone();
    returned.visit_type_mut(&mut ty);
    let place = returned
        .elided
        .filter(|_| elision_is_exclusive(&function.sig))
        .or_else(|| exclusive_only(&function.sig, &returned.named));
    let Some(place) = place else { return };
    errors.add(Error::new(
        place,
        "a borrow from a `&mut` argument cannot be returned, since the next attempt needs the argument again: return an owned value, or borrow from `&`",
    ));
}

/// Whether an elided lifetime in the return type is that of a `&mut`.
fn elision_is_exclusive(signature: &Signature) -> bool {
    if let Some(Receiver { kind, .. }) = signature.receiver() {
        return match kind {
            ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
            ReceiverKind::Typed(_, ty) => is_exclusive(ty),
            _ => false,
        };
    }
    signature.inputs.iter().any(|argument| match argument {
        FnArg::Typed(argument) => is_exclusive(&argument.ty),
        FnArg::Receiver(_) => false,
    })
}

/// Where the return type names a lifetime that only `&mut` arguments have.
fn exclusive_only(signature: &Signature, returned: &[Lifetime]) -> Option<Span> {
    returned
        .iter()
        .find(|lifetime| {
            let mut exclusive = false;
            for argument in &signature.inputs {
                let (is_mut, mut ty) = match argument {
                    FnArg::Receiver(Receiver {
                        kind: ReceiverKind::Reference(_, Some(of), mutability),
                        ..
                    }) if of == *lifetime => {
                        exclusive |= mutability.is_some();
                        if mutability.is_none() {
                            return false;
                        }
                        continue;
                    }
                    FnArg::Receiver(Receiver { kind: ReceiverKind::Typed(_, ty), .. }) => {
                        (is_exclusive(ty), (**ty).clone())
                    }
                    FnArg::Receiver(_) => continue,
                    FnArg::Typed(argument) => (is_exclusive(&argument.ty), (*argument.ty).clone()),
                };
                let mut named = Lifetimes::default();
                named.visit_type_mut(&mut ty);
                if named.named.contains(lifetime) {
                    if !is_mut {
                        return false;
                    }
                    exclusive = true;
                }
            }
            exclusive
        })
        .map(Lifetime::span)
}

/// The lifetimes in a type: those named, and the first place where one is left out.
#[derive(Default)]
struct Lifetimes {
    named: Vec<Lifetime>,
    elided: Option<Span>,
}

impl VisitMut for Lifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            self.elided = self.elided.or_else(|| Some(reference.span()));
        }
        syn::visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            self.elided = self.elided.or_else(|| Some(lifetime.span()));
        } else if lifetime.ident != "static" {
            self.named.push(lifetime.clone());
        }
    }

    // References in the signature of a function type have lifetimes of their own.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _: &mut syn::ParenthesizedGenericArguments,
    ) {
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
mod tests {
    use super::*;
    use crate::attribute::{args, arguments::bindings, read};
    use proc_macro2::TokenStream;
    use quote::quote;

    fn messages(settings: TokenStream, function: TokenStream) -> Vec<String> {
        let mut errors = Errors::default();
        let (entries, _) = args::parse(settings);
        let (settings, _) = read::read(&entries, &mut errors);
        let function: Function = syn::parse2(function).unwrap();
        let output = Output::read(&function.sig.output, Span::call_site()).ok();
        check(&function, &settings, &bindings(&function.sig), output.as_ref(), &mut errors);
        match errors.finish(()) {
            Ok(()) => Vec::new(),
            Err(errors) => errors.into_iter().map(|error| error.to_string()).collect(),
        }
    }

    #[track_caller]
    fn refused(settings: TokenStream, function: TokenStream, wanted: &str) {
        let messages = messages(settings, function);
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains(wanted), "{messages:?}");
    }

    #[test]
    fn functions_that_are_not_async_are_told_what_to_do() {
        refused(
            quote!(),
            quote!(
                fn f() -> Result<(), E> {}
            ),
            "needs an `async fn`: write",
        );
        refused(
            quote!(),
            quote!(
                const fn f() -> Result<(), E> {}
            ),
            "`const fn`",
        );
        refused(
            quote!(),
            quote!(
                fn f() -> Result<(), E> {
                    let body = async { Ok(()) };
                    run(body)
                }
            ),
            "put `#[retry]` above it",
        );
    }

    #[test]
    fn what_would_change_between_attempts_asks_for_a_clone() {
        // R163
        refused(
            quote!(),
            quote!(
                async fn f(mut x: Vec<u8>) -> R {}
            ),
            "add `clone(x)`",
        );
        refused(
            quote!(),
            quote!(
                async fn f((a, mut b): P) -> R {}
            ),
            "add `clone(b)`",
        );
        refused(
            quote!(),
            quote!(
                async fn f(mut self) -> R {}
            ),
            "`self`",
        );
        for (settings, function) in [
            (
                quote!(clone(x)),
                quote!(
                    async fn f(mut x: Vec<u8>) -> R {}
                ),
            ),
            (
                quote!(attempts = 1),
                quote!(
                    async fn f(mut x: Vec<u8>) -> R {}
                ),
            ),
            (
                quote!(),
                quote!(
                    async fn f(x: &mut Vec<u8>) -> R {}
                ),
            ),
            (
                quote!(),
                quote!(
                    async fn f(mut x: &mut Vec<u8>) -> R {}
                ),
            ),
            (
                quote!(),
                quote!(
                    async fn f(mut self: Pin<&mut Self>) -> R {}
                ),
            ),
            (
                quote!(),
                quote!(
                    async fn f(&mut self, ref mut x: u8) -> R {}
                ),
            ),
        ] {
            let messages = messages(settings, function.clone());
            assert!(messages.is_empty(), "{function}: {messages:?}");
        }
    }

    #[test]
    fn only_borrows_of_a_mutable_argument_are_kept_from_being_returned() {
        for function in [
            quote!(
                async fn f(&mut self) -> Result<&u8, E> {}
            ),
            quote!(
                async fn f(&mut self) -> Result<Guard<'_>, E> {}
            ),
            quote!(
                async fn f(x: &mut X) -> Result<&mut u8, E> {}
            ),
            quote!(
                async fn f<'a>(&'a mut self) -> Result<&'a u8, E> {}
            ),
            quote!(
                async fn f<'a>(x: &'a mut X, y: u8) -> Result<Y<'a>, E> {}
            ),
        ] {
            refused(quote!(), function.clone(), "from a `&mut` argument");
            assert!(messages(quote!(attempts = 1), function).is_empty());
        }
        for function in [
            quote!(
                async fn f(&self) -> Result<&u8, E> {}
            ),
            quote!(
                async fn f(&self, x: &mut X) -> Result<&u8, E> {}
            ),
            quote!(
                async fn f(&mut self) -> Result<&'static str, E> {}
            ),
            quote!(
                async fn f(&mut self) -> Result<fn(&u8), E> {}
            ),
            quote!(
                async fn f(&mut self) -> Result<Box<dyn Fn(&u8)>, E> {}
            ),
            quote!(
                async fn f<'a>(&mut self, x: &'a X) -> Result<&'a u8, E> {}
            ),
            quote!(
                async fn f<'a>(x: &'a mut X, y: &'a Y) -> Result<&'a u8, E> {}
            ),
        ] {
            let messages = messages(quote!(), function.clone());
            assert!(messages.is_empty(), "{function}: {messages:?}");
        }
    }

    #[test]
    fn clone_takes_arguments_once() {
        let function = quote!(
            async fn f(&self, a: A, (b, c): P) -> R {}
        );
        refused(quote!(clone(a, d)), function.clone(), "which has `a`, `b`, `c`");
        refused(quote!(clone(a, a)), function.clone(), "cloned twice");
        refused(quote!(clone(self)), function.clone(), "no variable can be called `self`");
        refused(
            quote!(clone(a)),
            quote!(
                async fn f(&self) -> R {}
            ),
            "has none",
        );
        assert!(messages(quote!(clone(a, c)), function).is_empty());
    }

    #[test]
    fn a_wrapped_error_needs_no_help_to_express_a_cut() {
        let function = quote!(
            async fn f() -> Result<(), RetryError<E>> {}
        );
        refused(quote!(cut_error = g), function.clone(), "`RetryError<E>` tells of a cut");
        refused(quote!(deadline = "1s", uncut), function, "`RetryError<E>` can always");
    }

    #[test]
    fn a_second_retry_is_refused() {
        refused(
            quote!(),
            quote!(
                #[retry]
                async fn f() -> R {}
            ),
            "multiply",
        );
    }
}
