//! The variables that a signature binds, for `clone(…)` and for `mut`.

use proc_macro2::Ident;
use syn::{
    Attribute, Expr, FnArg, Meta, Pat, PatIdent, PathArguments, Signature, Token, Type,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

use super::output::ungroup;
use super::prelude::Move;

/// One variable.
pub(super) struct Binding {
    pub(super) ident: Ident,
    /// `mut` of a variable that owns its value; not of `ref mut`.
    pub(super) mutability: Option<Token![mut]>,
    /// A `ref mut` into an argument that the function owns.
    pub(super) lent: Option<Token![mut]>,
    /// What decides whether the argument exists.
    pub(super) cfgs: Vec<Attribute>,
    /// What lints may say about it; a clone takes its place before them.
    pub(super) lints: Vec<Attribute>,
    /// It holds a `&mut` somewhere, and so cannot be cloned.
    pub(super) holds_exclusive: bool,
    /// A `&mut` or pinned `&mut`: shared with the caller, and not to be cloned.
    pub(super) exclusive: bool,
}

/// All variables of all arguments, `self` left out.
pub(super) fn bindings(signature: &Signature) -> Vec<Binding> {
    let mut all = Vec::new();
    for argument in &signature.inputs {
        let FnArg::Typed(argument) = argument else { continue };
        let cfgs: Vec<_> =
            argument.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect();
        let whole = matches!(&*argument.pat, Pat::Ident(_));
        // Of several variables, some may not do what one of them is expected to.
        let lints = argument.attrs.iter().filter(|attr| is_lint(attr)).cloned();
        let lints: Vec<_> = lints.map(|lint| if whole { lint } else { allowed(lint) }).collect();
        let exclusive = is_exclusive(&argument.ty);
        let holds_exclusive = holds_exclusive(&argument.ty);
        // A visitor that only reads is another feature of syn, and a pattern is a few tokens.
        let mut pattern = (*argument.pat).clone();
        Patterns(&mut |found: &mut PatIdent| {
            all.push(Binding {
                ident: found.ident.clone(),
                mutability: found.mutability.filter(|_| found.by_ref.is_none()),
                lent: found.mutability.filter(|_| found.by_ref.is_some() && !exclusive),
                cfgs: cfgs.clone(),
                lints: lints.clone(),
                holds_exclusive,
                exclusive: exclusive && whole,
            });
        })
        .visit_pat_mut(&mut pattern);
    }
    all
}

/// Adds what is bound by the moves before the body: the same variables as in the signature, or those
/// of a pattern that was in the signature once.
pub(super) fn add_moved(all: &mut Vec<Binding>, moves: &[Move]) {
    if !moves.is_empty() {
        // What stands in the signature instead of a pattern.
        all.retain(|binding| !binding.ident.to_string().starts_with("__arg"));
    }
    for Move { attrs, pat, .. } in moves {
        Patterns(&mut |found: &mut PatIdent| {
            if found.ident == "__self" {
                return;
            }
            let mutability = found.mutability.filter(|_| found.by_ref.is_none());
            if let Some(known) = all.iter_mut().find(|known| known.ident == found.ident) {
                known.mutability = mutability;
                return;
            }
            all.push(Binding {
                ident: found.ident.clone(),
                mutability,
                lent: found.mutability.filter(|_| found.by_ref.is_some()),
                cfgs: attrs.clone(),
                lints: Vec::new(),
                holds_exclusive: false,
                exclusive: false,
            });
        })
        .visit_pat_mut(&mut pat.clone());
    }
}

fn is_lint(attr: &Attribute) -> bool {
    ["allow", "warn", "deny", "forbid", "expect"].iter().any(|level| attr.path().is_ident(level))
}

/// The attribute with `allow` in the place of `expect`.
fn allowed(mut attr: Attribute) -> Attribute {
    if let (true, Meta::List(list)) = (attr.path().is_ident("expect"), &mut attr.meta) {
        list.path = Ident::new("allow", list.path.span()).into();
    }
    attr
}

/// Takes from the variables of the signature that are in `names` the `mut`, and what lints are expected
/// to say: it is the clones that they say it of.
pub(super) fn strip_mut(signature: &mut Signature, names: &[Ident]) {
    for argument in &mut signature.inputs {
        if let FnArg::Typed(argument) = argument {
            strip_mut_of(&mut argument.pat, names);
            if binds(&argument.pat, names) {
                argument.attrs = argument.attrs.drain(..).map(allowed).collect();
            }
        }
    }
}

fn binds(pat: &Pat, names: &[Ident]) -> bool {
    let mut found = false;
    Patterns(&mut |variable: &mut PatIdent| found |= names.contains(&variable.ident))
        .visit_pat_mut(&mut pat.clone());
    found
}

/// Takes the `mut` from the variables of a pattern that are in `names`.
pub(super) fn strip_mut_of(pat: &mut Pat, names: &[Ident]) {
    Patterns(&mut |found: &mut PatIdent| {
        if found.by_ref.is_none() && names.contains(&found.ident) {
            found.mutability = None;
        }
    })
    .visit_pat_mut(pat);
}

/// Whether a type is written as `&mut T` or `Pin<&mut T>`.
pub(super) fn is_exclusive(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(reference) => reference.mutability.is_some(),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            last.ident == "Pin"
                && matches!(&last.arguments, PathArguments::AngleBracketed(arguments)
                    if arguments.args.iter().any(|argument| matches!(argument,
                        syn::GenericArgument::Type(ty) if is_exclusive(ty))))
        }),
        _ => false,
    }
}

/// Whether a type is written with a `&mut` anywhere in it.
fn holds_exclusive(ty: &Type) -> bool {
    struct Find(bool);

    impl VisitMut for Find {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            self.0 |= reference.mutability.is_some();
            visit_mut::visit_type_reference_mut(self, reference);
        }

        // What a function takes, it does not hold.
        fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}

        fn visit_parenthesized_generic_arguments_mut(
            &mut self,
            _: &mut syn::ParenthesizedGenericArguments,
        ) {
        }
    }

    let mut find = Find(false);
    find.visit_type_mut(&mut ty.clone());
    find.0
}

struct Patterns<'a>(&'a mut dyn FnMut(&mut PatIdent));

impl VisitMut for Patterns<'_> {
    fn visit_pat_ident_mut(&mut self, found: &mut PatIdent) {
        (self.0)(found);
        visit_mut::visit_pat_ident_mut(self, found);
    }

    // The expressions of a pattern (ranges, consts) bind nothing.
    fn visit_expr_mut(&mut self, _: &mut Expr) {}

    fn visit_type_mut(&mut self, _: &mut Type) {}
}

#[cfg(test)]
mod tests;
