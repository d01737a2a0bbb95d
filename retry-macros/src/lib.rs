//! The attribute and the derive of `stormless`. Depend on that crate.

#![forbid(unsafe_code)]

mod attribute;
mod derive;
mod diagnostics;
mod duration;

use proc_macro::TokenStream;

/// Retries an async function.
#[proc_macro_attribute]
pub fn retry(args: TokenStream, item: TokenStream) -> TokenStream {
    attribute::retry(args.into(), item.into()).into()
}

/// Retryable docs
#[proc_macro_derive(Retryable, attributes(retryable))]
pub fn derive_retryable(input: TokenStream) -> TokenStream {
    derive::expand(input.into()).into()
}
