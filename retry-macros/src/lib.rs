//! The attribute and the derive of `stormless`. Depend on that crate.

mod derive;
mod diagnostics;
mod duration;

use proc_macro::TokenStream;

/// Retryable docs
#[proc_macro_derive(Retryable, attributes(retryable))]
pub fn derive_retryable(input: TokenStream) -> TokenStream {
    derive::expand(input.into()).into()
}
