//! What is written beside errors, so that uses of the type elsewhere make no second error.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

use super::model::Item;
use super::{expand, table};

/// An implementation that classifies everything as permanent, and the `From` of every marker that was
/// there, whatever its variant looks like. It never runs: errors go with it.
pub(super) fn fallback(item: &Item<'_>) -> TokenStream {
    let (ident, private) = (item.ident, item.private());
    let deadline_exceeded = expand::deadline_exceeded(item);
    let cut = format_ident!("_cut", span = Span::mixed_site());
    let body = quote!(loop {});
    let conversions =
        item.marks.iter().filter_map(|mark| expand::from_cut(item, *mark, &cut, &body));
    let table = table::empty(item);
    let (impl_generics, ty_generics, where_clause) = item.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::Retryable for #ident #ty_generics #where_clause {
            fn classify(&self) -> #private::Classification {
                #private::Classification::permanent()
            }
            #deadline_exceeded
        }
        #(#conversions)*
        #table
    }
}
