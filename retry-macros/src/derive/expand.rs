//! Writes the implementation. Only quoting: everything is checked by now.
//!
//! Paths are absolute and generated names resolve at the macro, so that nothing the user declares is
//! in the way.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::bounds;
use super::classify::{argument, binding, classify, cut_type};
use super::model::{Class, Field, Item, Mark, Model, Variant};
use super::table;

/// ```text
/// Input:  enum E { #[retryable(throttled, retry_after = wait)] Busy { wait: Duration }, … }
/// Output: impl Retryable for E {
///             fn classify(&self) -> Classification {
///                 match self {
///                     Self::Busy { wait: field_0, .. } => with_retry_after(Classification::throttled(), &*field_0),
///                     …
///                 }
///             }
///             fn label(&self) -> &'static str { match self { Self::Busy { .. } => "Busy", … } }
///         }
/// ```
pub(super) fn expand(model: &Model<'_>) -> TokenStream {
    let private = model.item.private();
    let forwarded = model.variants.iter().filter_map(|variant| match &variant.class {
        Class::Forward(field) => Some(field.ty),
        _ => None,
    });
    let mut generics = model.item.generics.clone();
    for bounded in bounds::bounded(model.item.generics, forwarded) {
        generics
            .make_where_clause()
            .predicates
            .push(syn::parse_quote!(#bounded: #private::Retryable));
    }
    let classify = match_self(model, |variant| (pattern(variant), classify(variant, &model.item)));
    let label = match_self(model, |variant| label(variant, &private));
    let deadline_exceeded = deadline_exceeded(&model.item);
    let conversions = model.variants.iter().filter_map(|variant| conversion(variant, &model.item));

    let table = table::table(model, &generics);

    let ident = name(&model.item);
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::Retryable for #ident #ty_generics #where_clause {
            fn classify(&self) -> #private::Classification {
                #classify
            }
            fn label(&self) -> &'static ::core::primitive::str {
                #label
            }
            #deadline_exceeded
        }
        #(#conversions)*
        #table
    }
}

/// The type's name as a derive's own: nobody who keeps an implementation for it is told that it is
/// deprecated.
pub(super) fn name(item: &Item<'_>) -> Ident {
    let mut name = item.ident.clone();
    name.set_span(name.span().resolved_at(Span::call_site()));
    name
}

/// The provided method, where a variant is marked for it.
pub(super) fn deadline_exceeded(item: &Item<'_>) -> Option<TokenStream> {
    item.marks.iter().find(|mark| mark.cut.key == "deadline_exceeded")?;
    let private = item.private();
    Some(quote! {
        fn deadline_exceeded() -> ::core::option::Option<Self> {
            ::core::option::Option::Some(::core::convert::From::from(#private::DeadlineExceeded::new()))
        }
    })
}

/// `impl From<cut> for …`, unless another derive writes it.
pub(super) fn from_cut(
    item: &Item<'_>,
    mark: Mark,
    cut: &Ident,
    body: &TokenStream,
) -> Option<TokenStream> {
    if mark.has_from {
        return None;
    }
    let (ident, private) = (name(item), item.private());
    let cut_type = cut_type(mark);
    let (impl_generics, ty_generics, where_clause) = item.generics.split_for_impl();
    Some(quote! {
        #[automatically_derived]
        impl #impl_generics ::core::convert::From<#private::#cut_type> for #ident #ty_generics #where_clause {
            fn from(#cut: #private::#cut_type) -> Self {
                #body
            }
        }
    })
}

fn conversion(variant: &Variant<'_>, item: &Item<'_>) -> Option<TokenStream> {
    let Class::Cut(mark, field) = &variant.class else { return None };
    let (path, private, cut_type) = (&variant.path, item.private(), cut_type(*mark));
    let cfgs = &variant.cfgs;
    let (cut, body) = match field {
        None => (format_ident!("_cut", span = Span::mixed_site()), quote!(#path {})),
        Some(Field { member, ty, .. }) => {
            let cut = format_ident!("cut", span = Span::mixed_site());
            let held = quote!(<#ty as #private::CutField<#private::#cut_type>>::hold(#cut));
            (cut, quote!(#path { #member: #held }))
        }
    };
    let conversion = from_cut(item, *mark, &cut, &body)?;
    Some(quote!(#(#cfgs)* #conversion))
}

fn match_self(
    model: &Model<'_>,
    arm: impl Fn(&Variant<'_>) -> (TokenStream, TokenStream),
) -> TokenStream {
    if model.variants.is_empty() {
        return quote!(match *self {});
    }
    let arms = model.variants.iter().map(|variant| {
        let (cfgs, (pattern, body)) = (&variant.cfgs, arm(variant));
        quote!(#(#cfgs)* #pattern => #body,)
    });
    quote!(match self { #(#arms)* })
}

fn pattern(variant: &Variant<'_>) -> TokenStream {
    let path = &variant.path;
    let bindings = variant.fields_read().into_iter().map(|field| {
        let (member, binding) = (&field.member, binding(field));
        quote!(#member: #binding,)
    });
    quote!(#path { #(#bindings)* .. })
}

fn label(variant: &Variant<'_>, private: &TokenStream) -> (TokenStream, TokenStream) {
    if let Class::Forward(field) = &variant.class {
        let (path, member, binding, inner) =
            (&variant.path, &field.member, binding(field), argument(field));
        return (
            quote!(#path { #member: #binding, .. }),
            quote!(#private::Retryable::label(#inner)),
        );
    }
    let (path, label) = (&variant.path, &variant.label);
    (quote!(#path { .. }), quote!(#label))
}
