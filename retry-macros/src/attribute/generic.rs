//! Which paths depend on the type that a function is instantiated with.
//!
//! A static can name neither `Self` nor a parameter, so such values go into an inline `const`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics, ext::IdentExt};

/// The parameters in scope, as far as an attribute on a function can see them.
pub(super) struct Parameters(Vec<Ident>);

impl Parameters {
    pub(super) fn of(generics: &Generics) -> Self {
        let names = generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(parameter.ident.clone()),
            GenericParam::Const(parameter) => Some(parameter.ident.clone()),
            GenericParam::Lifetime(_) => None,
        });
        Self(names.collect())
    }

    /// Whether the tokens name `Self` or one of the function's own parameters.
    pub(super) fn are_in(&self, tokens: TokenStream) -> bool {
        any_head(tokens, &|name| name == "Self" || self.0.contains(name))
    }

    /// Whether the tokens name a parameter, or what looks like one of the surrounding impl's: a
    /// single capital letter, maybe with a digit. A const of such a name works as well, its value is
    /// only checked later.
    pub(super) fn may_be_in(&self, tokens: TokenStream) -> bool {
        self.are_in(tokens.clone()) || any_head(tokens, &looks_like_one)
    }

    /// Whether a static can only be reached through a parameter. No parameter is a static by itself,
    /// so a bare name is one of the module's, however short.
    pub(super) fn own(&self, path: &syn::ExprPath) -> bool {
        let tokens = path.to_token_stream();
        path.path.get_ident().is_none() && self.may_be_in(tokens)
    }
}

fn looks_like_one(name: &Ident) -> bool {
    let name = name.unraw().to_string();
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.all(|letter| letter.is_ascii_digit())
}

/// Whether some path's first segment is as wanted; what follows a `::` is no parameter.
fn any_head(tokens: TokenStream, wanted: &dyn Fn(&Ident) -> bool) -> bool {
    let mut after_colon = false;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if !after_colon && wanted(&name) => return true,
            TokenTree::Group(group) if any_head(group.stream(), wanted) => return true,
            TokenTree::Punct(punct) => {
                after_colon = punct.as_char() == ':';
                continue;
            }
            _ => {}
        }
        after_colon = false;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::parse_quote;

    #[test]
    fn parameters_are_found_as_heads_of_paths_only() {
        let signature: syn::Signature = parse_quote!(fn f<'a, Clock: Limits, const TRIES: u32>());
        let parameters = Parameters::of(&signature.generics);
        for tokens in [
            quote!(Self::BASE),
            quote!(Clock::BASE),
            quote!(TRIES),
            quote!(<Clock as Limits>::BASE),
            quote!(Other::<Clock>::BASE),
            quote!(<Self as Limits>::BASE),
        ] {
            assert!(parameters.are_in(tokens.clone()), "{tokens}");
        }
        for tokens in [quote!(BASE), quote!(a::Clock::BASE), quote!(T::BASE), quote!(a::TRIES)] {
            assert!(!parameters.are_in(tokens.clone()), "{tokens}");
        }
    }

    #[test]
    fn single_capitals_may_be_parameters_of_the_impl() {
        let parameters = Parameters(Vec::new());
        for (tokens, wanted) in [
            (quote!(T::BASE), true),
            (quote!(N), true),
            (quote!(T1::BASE), true),
            (quote!(BASE), false),
            (quote!(a::N), false),
        ] {
            assert_eq!(parameters.may_be_in(tokens.clone()), wanted, "{tokens}");
        }
    }
}
