//! What a variant is classified as: for a value, and as far as it goes without one.
//!
//! Where the compiler is to complain about a field's type, the generated tokens stand at that type's
//! place, but still count as generated for lints.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::model::{Class, Field, Item, Mark, Refinement, Variant};

/// The classification of a value whose fields are bound.
pub(super) fn classify(variant: &Variant<'_>, item: &Item<'_>) -> TokenStream {
    let private = item.private();
    let class = match &variant.class {
        Class::Kind(_, Some(field)) | Class::Status(field) => {
            let status = argument(field);
            by_status(&variant.class, &quote!(#private::status(#status)), item)
        }
        Class::Kind(kind, None) => of_kind(kind, item),
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
    let class = refined(class, variant, item);
    variant.refinements.iter().fold(class, |class, refinement| match refinement {
        Refinement::RetryAfter(field) => {
            let wait = argument(field);
            quote!(#private::with_retry_after(#class, #wait))
        }
        _ => class,
    })
}

/// A class that is written.
pub(super) fn of_kind(kind: &str, item: &Item<'_>) -> TokenStream {
    let (private, kind) = (item.private(), Ident::new(kind, Span::mixed_site()));
    quote!(#private::Classification::#kind())
}

/// What a status makes of a class, or says by itself.
pub(super) fn by_status(class: &Class<'_>, status: &TokenStream, item: &Item<'_>) -> TokenStream {
    let private = item.private();
    if let Class::Kind(kind, _) = class {
        let class = of_kind(kind, item);
        quote!(#private::beside_status(#class, #status))
    } else {
        quote!(#private::Classification::from_status(#status))
    }
}

/// `class` with all refinements that no field tells.
pub(super) fn refined(class: TokenStream, variant: &Variant<'_>, item: &Item<'_>) -> TokenStream {
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
        Refinement::RetryAfter(_) => class,
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
pub(super) fn cut_class(
    mark: Mark,
    field: Option<&Field<'_>>,
    private: &TokenStream,
) -> TokenStream {
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

pub(super) fn cut_type(mark: Mark) -> Ident {
    Ident::new(mark.cut.type_name, Span::mixed_site())
}

pub(super) fn binding(field: &Field<'_>) -> Ident {
    format_ident!("field_{}", field.index, span = Span::mixed_site())
}

/// `&*field`, from the first to the last token of the field's type.
pub(super) fn argument(field: &Field<'_>) -> TokenStream {
    let mut binding = binding(field);
    let mut spans = field.ty.to_token_stream().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    let last = spans.last().unwrap_or(first);
    binding.set_span(binding.span().located_at(last));
    let first = Span::mixed_site().located_at(first);
    quote_spanned!(first=> &*#binding)
}
