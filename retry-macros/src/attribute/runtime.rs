//! How generated code is written, and how it names the runtime.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

/// `quote!` whose names cannot meet the user's: they resolve where the macro is defined.
macro_rules! generated {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}
pub(super) use generated;

/// The path of the runtime's hidden module.
pub(super) struct Runtime(TokenStream);

impl Runtime {
    /// Under the path that the user gave with `crate = path`, or under the crate's own name.
    pub(super) fn under(krate: Option<&Path>) -> Self {
        let krate = krate.map_or_else(|| generated!(::stormless), Path::to_token_stream);
        let private = generated!(::__private);
        Self(quote!(#krate #private))
    }

    /// One of its items, located where an error about it belongs.
    pub(super) fn item_at(&self, name: &str, place: Span) -> TokenStream {
        let name = Ident::new(name, at(place));
        let path = self.0.clone().into_iter().map(|mut token| {
            token.set_span(token.span().located_at(place));
            token
        });
        let path: TokenStream = path.collect();
        let separator = quote::quote_spanned!(at(place)=> ::);
        quote!(#path #separator #name)
    }
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// Resolves like generated code, lies where the user's token lies.
pub(super) fn at(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}
