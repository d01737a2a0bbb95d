//! Borrows of `&mut` arguments: by an attempt, and by its result.

use proc_macro2::{Ident, Span, TokenStream};
use retry_grammar::diagnostics::Errors;
use syn::{
    FnArg, Lifetime, Receiver, ReceiverKind, Signature, Type, spanned::Spanned, visit_mut::VisitMut,
};

use super::Checked;
use super::arguments::is_exclusive;
use super::item::Function;
use super::output::{Output, ungroup};
use super::runtime::generated;
use super::tokens::find;

/// A borrow that is returned must outlive the attempt, and so cannot be had again by the next.
pub(super) fn check(function: &Function, output: Option<&Output>, errors: &mut Errors) {
    let Some(output) = output else { return };
    let mut returned = Lifetimes::default();
    let mut ty = output.body.clone();
    returned.visit_type_mut(&mut ty);
    let place = returned
        .elided
        .filter(|_| elision_is_exclusive(&function.sig))
        .or_else(|| exclusive_only(&function.sig, &returned.named));
    let Some(place) = place else { return };
    errors.push_at(place, "a borrow from a `&mut` argument cannot be returned, since the next attempt needs the argument again: return an owned value, or borrow from `&`");
}

/// Whether a result may hold a borrow, as far as its type tells.
fn may_borrow(output: &Output) -> bool {
    let mut returned = Lifetimes::default();
    let mut ty = output.body.clone();
    returned.visit_type_mut(&mut ty);
    returned.elided.is_some() || !returned.named.is_empty() || matches!(ty, Type::Infer(_))
}

/// Makes the attempt borrow a `&mut self` as such even where the body only reads it: a shared borrow
/// would ask for `Sync`, which the plain function does not.
pub(super) fn lend_self(checked: &Checked) -> Option<TokenStream> {
    let receiver = checked.function.sig.receiver()?;
    let exclusive = match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        ReceiverKind::Typed(_, ty) => {
            matches!(ungroup(ty), Type::Reference(reference) if reference.mutability.is_some())
        }
        _ => false,
    };
    let name = match checked.prelude.renamed_self() {
        Some(renamed) => renamed.ident.clone(),
        None => Ident::from(receiver.self_token),
    };
    // A result that borrows from it could not come out of such a borrow.
    let lends = exclusive
        && find(&checked.prelude.body, &|word| *word == name).is_some()
        && !may_borrow(&checked.output);
    lends.then(|| generated!(let _ = &mut *#name;))
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
