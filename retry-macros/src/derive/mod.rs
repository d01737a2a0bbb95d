//! `#[derive(Retryable)]`: read the keys, check them into a model, write the implementation.

mod bounds;
mod check;
mod classify;
mod draft;
mod expand;
mod fallback;
mod fields;
mod model;
mod parse;
mod table;
mod values;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use retry_grammar::diagnostics::Errors;
use syn::DeriveInput;

/// The implementation for `input`, or every mistake in it beside an implementation that keeps the
/// rest of the crate compiling.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let model = check::model(&input, &mut errors);
    match errors.finish(()) {
        Ok(()) => expand::expand(&model),
        Err(error) => {
            let (fallback, errors) = (fallback::fallback(&model.item), error.into_compile_error());
            quote!(#fallback #errors)
        }
    }
}
