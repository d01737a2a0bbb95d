//! The variables that a signature binds, for `clone(…)` and for `mut`.

use proc_macro2::Ident;
use syn::{
    Attribute, Expr, FnArg, Pat, PatIdent, PathArguments, Signature, Token, Type,
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
        let exclusive = is_exclusive(&argument.ty);
        let holds_exclusive = holds_exclusive(&argument.ty);
        let whole = matches!(&*argument.pat, Pat::Ident(_));
        // A visitor that only reads is another feature of syn, and a pattern is a few tokens.
        let mut pattern = (*argument.pat).clone();
        Patterns(&mut |found: &mut PatIdent| {
            all.push(Binding {
                ident: found.ident.clone(),
                mutability: found.mutability.filter(|_| found.by_ref.is_none()),
                lent: found.mutability.filter(|_| found.by_ref.is_some() && !exclusive),
                cfgs: cfgs.clone(),
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
                holds_exclusive: false,
                exclusive: false,
            });
        })
        .visit_pat_mut(&mut pat.clone());
    }
}

/// Takes the `mut` from the variables of the signature that are in `names`.
pub(super) fn strip_mut(signature: &mut Signature, names: &[Ident]) {
    for argument in &mut signature.inputs {
        if let FnArg::Typed(argument) = argument {
            strip_mut_of(&mut argument.pat, names);
        }
    }
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
mod tests {
    use super::*;
    use quote::{ToTokens, quote};
    use syn::parse_quote;

    fn signature() -> Signature {
        parse_quote! {
            async fn f(
                mut self: Box<Self>,
                plain: u8,
                mut changed: Vec<u8>,
                (mut left, ref mut right): (u8, u8),
                Point { x, mut y, .. }: Point,
                [first, rest @ ..]: [u8; 4],
                _: u8,
                mut shared: &mut u8,
                mut pinned: Pin<&mut u8>,
                #[cfg(unix)] #[allow(unused)] r#type: u8,
            )
        }
    }

    #[test]
    fn every_pattern_shows_its_variables() {
        let all = bindings(&signature());
        let names: Vec<_> = all.iter().map(|binding| binding.ident.to_string()).collect();
        assert_eq!(
            names,
            [
                "plain", "changed", "left", "right", "x", "y", "first", "rest", "shared", "pinned",
                "r#type"
            ]
        );
        let of = |wanted: fn(&Binding) -> bool| -> Vec<String> {
            all.iter().filter(|b| wanted(b)).map(|b| b.ident.to_string()).collect()
        };
        assert_eq!(of(|b| b.mutability.is_some()), ["changed", "left", "y", "shared", "pinned"]);
        assert_eq!(of(|b| b.exclusive), ["shared", "pinned"]);
        assert_eq!(of(|b| b.lent.is_some()), ["right"]);
        assert_eq!(of(|b| b.cfgs.len() == 1), ["r#type"]);
    }

    #[test]
    fn mut_is_taken_from_the_named_variables_only() {
        let mut signature: Signature =
            parse_quote!(async fn f(mut a: u8, (mut b, mut c): (u8, u8), ref mut d: u8));
        strip_mut(&mut signature, &[parse_quote!(a), parse_quote!(c), parse_quote!(d)]);
        assert_eq!(
            signature.to_token_stream().to_string(),
            quote!(async fn f(a: u8, (mut b, c): (u8, u8), ref mut d: u8)).to_string()
        );
    }
}
