//! What is emitted when there are mistakes: the item as it stands, so that nothing that uses it
//! fails as well, and every mistake as an error of its own.

use proc_macro2::TokenStream;

pub(super) fn fallback(item: TokenStream, errors: &syn::Error) -> TokenStream {
    let mut tokens = item;
    tokens.extend(errors.to_compile_error());
    tokens
}
