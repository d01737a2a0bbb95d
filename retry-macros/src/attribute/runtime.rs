//! How generated code is written, and how it names the runtime.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

/// `quote!` whose names cannot meet the user's: they resolve where the macro is defined.
macro_rules! generated {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}
pub(super) use generated;

/// How the runtime's hidden module is reached.
pub(super) struct Runtime {
    path: TokenStream,
    import: TokenStream,
}

impl Runtime {
    /// Under the path that the user gave with `crate = path`, or under the crate's own name.
    ///
    /// The user's path is written once and given a name, so that a wrong one is one error.
    ///
    /// ```text
    /// Output: use crate::kit::__private as __stormless;
    /// ```
    pub(super) fn under(krate: Option<&Path>) -> Self {
        match krate {
            None => Self { path: generated!(::stormless::__private), import: TokenStream::new() },
            Some(krate) => Self {
                path: generated!(__stormless),
                import: generated!(use #krate::__private as __stormless;),
            },
        }
    }

    /// What must stand before everything that names it.
    pub(super) fn import(&self) -> &TokenStream {
        &self.import
    }

    /// One of its items, located where an error about it belongs.
    pub(super) fn item_at(&self, name: &str, place: Span) -> TokenStream {
        let name = Ident::new(name, at(place));
        let path = self.path.clone().into_iter().map(|mut token| {
            token.set_span(token.span().located_at(place));
            token
        });
        let path: TokenStream = path.collect();
        let separator = quote_spanned!(at(place)=> ::);
        quote!(#path #separator #name)
    }
}

impl Runtime {
    /// A call of one of its functions, located where the user's value lies: a fault that the compiler
    /// finds in the whole call is then shown there.
    pub(super) fn call_at(
        &self,
        function: &str,
        value: &impl ToTokens,
        arguments: &TokenStream,
    ) -> TokenStream {
        let place = first(value);
        let function = self.item_at(function, place);
        across(quote_spanned!(at(place)=> #function(#arguments)), value)
    }

    /// The same for a function of one of its types.
    pub(super) fn method_at(
        &self,
        (ty, function): (&str, &str),
        value: &impl ToTokens,
        arguments: &TokenStream,
    ) -> TokenStream {
        let place = first(value);
        let ty = self.item_at(ty, place);
        let function = Ident::new(function, at(place));
        across(quote_spanned!(at(place)=> #ty::#function(#arguments)), value)
    }
}

/// Where the user's tokens begin.
pub(super) fn first(user: &impl ToTokens) -> Span {
    user.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// Lets generated tokens that begin where the user's do also end where those end. Not every compiler
/// can join two spans, but each joins those of an expression's first and last token.
pub(super) fn across(generated: TokenStream, user: &impl ToTokens) -> TokenStream {
    let Some(last) = user.to_token_stream().into_iter().last() else { return generated };
    let mut generated: Vec<TokenTree> = generated.into_iter().collect();
    if let Some(end) = generated.last_mut() {
        end.set_span(at(last.span()));
    }
    generated.into_iter().collect()
}

/// `&value`, located at the value.
pub(super) fn borrowed(value: &impl ToTokens) -> TokenStream {
    quote_spanned!(at(first(value))=> &#value)
}

/// `&(value)`, located at the value: an expression that is only looked at takes nothing from its owner.
pub(super) fn lent(value: &impl ToTokens) -> TokenStream {
    across(quote_spanned!(at(first(value))=> &(#value)), value)
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.path.to_tokens(tokens);
    }
}

/// Resolves like generated code, lies where the user's token lies.
pub(super) fn at(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}
