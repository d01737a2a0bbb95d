//! The variables bound before a future that a function returns, for `clone(…)`.

use proc_macro2::{Ident, Punct, Spacing, TokenStream, TokenTree};
use syn::Token;

use super::arguments::Binding;

/// Adds the variables of these names that are bound before a future, which may hide arguments. Those
/// that no `let` shows are taken to be bound in a pattern, and left to the compiler.
pub(super) fn add(all: &mut Vec<Binding>, before: TokenStream, names: &[Ident]) {
    // Something stands before each word that is looked at.
    let mut tokens = vec![TokenTree::Punct(Punct::new(';', Spacing::Alone))];
    flatten(before, &mut tokens);
    for name in names {
        let bound = tokens.windows(3).rev().find_map(|window| match window {
            [TokenTree::Punct(sign), ..] if sign.as_char() == '&' => None,
            [_, TokenTree::Ident(word), TokenTree::Ident(found)] if found == name => {
                let mutability = (word == "mut").then(|| Token![mut](word.span()));
                (word == "let" || mutability.is_some()).then_some(mutability)
            }
            _ => None,
        });
        let known = all.iter_mut().find(|known| known.ident == *name);
        match (known, bound) {
            (Some(known), Some(mutability)) => known.mutability = mutability,
            (Some(_), None) => {}
            (None, bound) => all.push(Binding {
                ident: name.clone(),
                mutability: bound.flatten(),
                lent: None,
                cfgs: Vec::new(),
                holds_exclusive: false,
                exclusive: false,
            }),
        }
    }
}

/// All tokens, groups opened.
fn flatten(tokens: TokenStream, into: &mut Vec<TokenTree>) {
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let inner = group.stream();
            // Stands for the bracket.
            into.push(token);
            flatten(inner, into);
        } else {
            into.push(token);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::arguments::bindings;
    use quote::quote;
    use syn::parse_quote;

    #[test]
    fn what_is_bound_before_a_future_may_be_mut_or_not() {
        let mut all = bindings(&parse_quote!(
            fn f(mut hidden: u8, mut kept: u8)
        ));
        let before = quote! {
            let hidden = &mut hidden;
            let mut own = 1;
            let (mut pair, other) = (&mut own, 2);
            let lent = &mut plain;
            let plain = 1;
        };
        let names = ["hidden", "kept", "own", "pair", "other", "plain"]
            .map(|name| Ident::new(name, proc_macro2::Span::call_site()));
        add(&mut all, before, &names);
        let known: Vec<_> = all
            .iter()
            .map(|binding| (binding.ident.to_string(), binding.mutability.is_some()))
            .collect();
        let wanted = [
            ("hidden", false),
            ("kept", true),
            ("own", true),
            ("pair", true),
            ("other", false),
            ("plain", false),
        ];
        assert_eq!(known, wanted.map(|(name, is_mut)| (name.to_owned(), is_mut)));
    }
}
