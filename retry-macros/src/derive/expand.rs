//! Writes the implementation. Only quoting: everything is checked by now.
//!
//! Paths are absolute and generated names resolve at the macro, so that nothing the user declares is
//! in the way. Where the compiler is to complain about a field's type, the generated tokens stand at
//! that type's place, but still count as generated for lints.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::bounds;
use super::model::{Class, Field, Item, Mark, Model, Refinement, Variant};

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
    }
}

/// The type's name as a derive's own: nobody who keeps an implementation for it is told that it is
/// deprecated.
fn name(item: &Item<'_>) -> Ident {
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

fn cut_type(mark: Mark) -> Ident {
    Ident::new(mark.cut.type_name, Span::mixed_site())
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

fn binding(field: &Field<'_>) -> Ident {
    format_ident!("field_{}", field.index, span = Span::mixed_site())
}

fn pattern(variant: &Variant<'_>) -> TokenStream {
    let path = &variant.path;
    let bindings = variant.fields_read().into_iter().map(|field| {
        let (member, binding) = (&field.member, binding(field));
        quote!(#member: #binding,)
    });
    quote!(#path { #(#bindings)* .. })
}

/// `&*field`, from the first to the last token of the field's type.
fn argument(field: &Field<'_>) -> TokenStream {
    let mut binding = binding(field);
    let mut spans = field.ty.to_token_stream().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    let last = spans.last().unwrap_or(first);
    binding.set_span(binding.span().located_at(last));
    let first = Span::mixed_site().located_at(first);
    quote_spanned!(first=> &*#binding)
}

fn classify(variant: &Variant<'_>, item: &Item<'_>) -> TokenStream {
    let private = item.private();
    let class = match &variant.class {
        Class::Kind(kind, status) => {
            let kind = Ident::new(kind, Span::mixed_site());
            let class = quote!(#private::Classification::#kind());
            match status.as_ref().map(argument) {
                None => class,
                Some(status) => quote!(#private::beside_status(#class, #private::status(#status))),
            }
        }
        Class::Status(field) => {
            let status = argument(field);
            quote!(#private::Classification::from_status(#private::status(#status)))
        }
        Class::Forward(field) => {
            let inner = argument(field);
            quote!(#private::Retryable::classify(#inner))
        }
        Class::With(path) => {
            let decide = format_ident!("decide", span = Span::mixed_site());
            quote!({
                let #decide: fn(&Self) -> #private::Classification = #path;
                #decide(self)
            })
        }
        Class::Cut(mark, field) => cut_class(*mark, field.as_ref(), &private),
    };
    variant.refinements.iter().fold(class, |class, refinement| match refinement {
        Refinement::Flag(method) => {
            let method = Ident::new(method, Span::mixed_site());
            quote!(#class.#method())
        }
        Refinement::Base(base) => {
            let (seconds, nanos) = (base.as_secs(), base.subsec_nanos());
            quote!(#class.base(::core::time::Duration::new(#seconds, #nanos)))
        }
        Refinement::Attempts(attempts) => {
            let counted = counted(variant, item);
            quote!(#class.attempts_of(#counted, #attempts))
        }
        Refinement::Cost(cost) => quote!(#class.cost(#cost)),
        Refinement::RetryAfter(field) => {
            let wait = argument(field);
            quote!(#private::with_retry_after(#class, #wait))
        }
    })
}

/// What tells this variant from all others. The line and column are those of the derive, since
/// functions of one module may each have a type of this name.
///
/// ```text
/// Output: concat!(module_path!(), "::E::Busy ", line!(), ":", column!())
/// ```
fn counted(variant: &Variant<'_>, item: &Item<'_>) -> TokenStream {
    let name = format!("::{}::{} ", item.ident, variant.label);
    quote! {
        ::core::concat!(::core::module_path!(), #name, ::core::line!(), ":", ::core::column!())
    }
}

/// A breaker's hint is in the field, if there is one; without, it is unknown.
fn cut_class(mark: Mark, field: Option<&Field<'_>>, private: &TokenStream) -> TokenStream {
    let cut_type = cut_type(mark);
    match field {
        Some(field) => {
            let (ty, binding) = (field.ty, binding(field));
            quote!(#private::Retryable::classify(<#ty as #private::CutField<#private::#cut_type>>::cut(#binding)))
        }
        None if mark.cut.key == "breaker_open" => {
            quote!(#private::Retryable::classify(&#private::BreakerOpen::new(::core::option::Option::None)))
        }
        None => quote!(#private::Retryable::classify(&#private::#cut_type::new())),
    }
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
