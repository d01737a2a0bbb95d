//! What a test can list of the classes. It is made by what makes the classification of a value, so the two
//! cannot say different things.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Generics, Type};

use super::classify::{by_status, cut_class, of_kind, refined};
use super::expand;
use super::model::{Class, Field, Item, Model, Refinement, Variant};

/// ```text
/// Input:  enum E { #[retryable(throttled, retry_after = wait)] Busy { wait: Duration }, … }
/// Output: tabled! {
///             impl Tabled for E {
///                 fn variants() -> Vec<TabledVariant> {
///                     Vec::from([
///                         TabledVariant {
///                             name: "Busy",
///                             hint: Some("retry_after = wait"),
///                             label: Some("Busy"),
///                             decided: Decided::Class(Classification::throttled()),
///                         },
///                         …
///                     ])
///                 }
///             }
///         }
/// ```
///
/// `tabled!` leaves it out where nobody could list it.
pub(super) fn table(model: &Model<'_>, generics: &Generics) -> TokenStream {
    let variants = model.variants.iter().map(|variant| {
        let (cfgs, variant) = (&variant.cfgs, row(variant, &model.item));
        quote!(#(#cfgs)* #variant,)
    });
    implementation(&model.item, generics, &quote!(#(#variants)*))
}

/// A table without rows, beside errors.
pub(super) fn empty(item: &Item<'_>) -> TokenStream {
    implementation(item, item.generics, &TokenStream::new())
}

fn implementation(item: &Item<'_>, generics: &Generics, variants: &TokenStream) -> TokenStream {
    let (ident, private) = (expand::name(item), item.private());
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #private::tabled! {
            #[automatically_derived]
            impl #impl_generics #private::Tabled for #ident #ty_generics #where_clause {
                fn variants() -> ::std::vec::Vec<#private::TabledVariant> {
                    ::std::vec::Vec::from([#variants])
                }
            }
        }
    }
}

fn row(variant: &Variant<'_>, item: &Item<'_>) -> TokenStream {
    let (private, name) = (item.private(), &variant.label);
    let hint = optional(hint(variant));
    let label = match variant.class {
        Class::Forward(_) => None,
        _ => Some(variant.label.clone()),
    };
    let (label, decided) = (optional(label), decided(variant, item));
    quote! {
        #private::TabledVariant {
            name: #name,
            hint: #hint,
            label: #label,
            decided: #private::Decided::#decided,
        }
    }
}

fn optional(text: Option<String>) -> TokenStream {
    text.map_or_else(
        || quote!(::core::option::Option::None),
        |text| quote!(::core::option::Option::Some(#text)),
    )
}

/// How a value tells what the dependency asked for.
fn hint(variant: &Variant<'_>) -> Option<String> {
    let named = variant.refinements.iter().find_map(|refinement| match refinement {
        Refinement::RetryAfter(field) => Some(format!("retry_after = {}", member(field))),
        _ => None,
    });
    named.or_else(|| match &variant.class {
        Class::Cut(mark, Some(_)) if mark.cut.key == "breaker_open" => Some("retry_after".into()),
        _ => None,
    })
}

fn decided(variant: &Variant<'_>, item: &Item<'_>) -> TokenStream {
    let private = item.private();
    let refine = |class| refined(class, variant, item);
    // What only a value can tell is the argument of a function.
    let asked = format_ident!("asked", span = Span::mixed_site());
    let refines = || {
        let class = refine(asked.to_token_stream());
        quote!(|#asked: #private::Classification| #class)
    };
    match &variant.class {
        Class::Kind(_, Some(field)) | Class::Status(field) => {
            let class = refine(by_status(&variant.class, &asked.to_token_stream(), item));
            let field = member(field);
            quote!(Status(#field, |#asked: ::core::primitive::u16| #class))
        }
        Class::Kind(kind, None) => {
            let class = refine(of_kind(kind, item));
            let by = if variant.by_default { "Default" } else { "Class" };
            let by = Ident::new(by, Span::mixed_site());
            quote!(#by(#class))
        }
        Class::Forward(field) => {
            let (to, class, ty) =
                (written(field.ty.to_token_stream()), refines(), generated(field.ty));
            quote!(Forward(#to, #class, #private::Probe::<#ty>::new().table()))
        }
        Class::With(path) => {
            let (path, class) = (written(path.to_token_stream()), refines());
            quote!(With(#path, #class))
        }
        Class::Cut(mark, _) => {
            let (marker, class) = (mark.cut.key, refine(cut_class(*mark, None, &private)));
            quote!(Marker(#marker, #class))
        }
    }
}

fn member(field: &Field<'_>) -> String {
    match &field.member {
        syn::Member::Named(name) => syn::ext::IdentExt::unraw(name).to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The type as a derive's own: lints on a use of it, such as `deprecated`, are not the user's.
fn generated(ty: &Type) -> TokenStream {
    respanned(ty.to_token_stream())
}

fn respanned(tokens: TokenStream) -> TokenStream {
    let respan = |mut tree: TokenTree| {
        match &mut tree {
            TokenTree::Group(group) => {
                let mut inner =
                    proc_macro2::Group::new(group.delimiter(), respanned(group.stream()));
                inner.set_span(group.span());
                *group = inner;
            }
            // It names the crate of the macro that wrote it.
            TokenTree::Ident(ident) if ident == "$crate" => {}
            other => other.set_span(other.span().resolved_at(Span::call_site())),
        }
        tree
    };
    tokens.into_iter().map(respan).collect()
}

/// Tokens as people write types and paths: `Box<dyn Error + Send>`.
fn written(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(tokens, &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    let mut arrow = false;
    for tree in tokens {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(sign) => {
                let sign = sign.as_char();
                match sign {
                    ',' | ';' => text.extend([sign, ' ']),
                    '+' | '=' => text.extend([' ', sign, ' ']),
                    '-' => text.push_str(" -"),
                    '>' if arrow => text.push_str("> "),
                    '\'' if text.ends_with(is_word) => text.push_str(" \'"),
                    _ => text.push(sign),
                }
                arrow = sign == '-';
                continue;
            }
            word => {
                let word = word.to_string();
                if text.ends_with(is_word) && word.starts_with(is_word) {
                    text.push(' ');
                }
                text.push_str(&word);
            }
        }
        arrow = false;
    }
}

#[cfg(test)]
mod tests {
    use super::written;
    use quote::quote;

    #[test]
    fn types_and_paths_are_written_as_people_write_them() {
        for (tokens, want) in [
            (quote!(reqwest::Error), "reqwest::Error"),
            (
                quote!(Box<dyn std::error::Error + Send + 'static>),
                "Box<dyn std::error::Error + Send + 'static>",
            ),
            (quote!(&'a mut Inner<'a, T, 3>), "&'a mut Inner<'a, T, 3>"),
            (quote!(<I as Wrap>::Error), "<I as Wrap>::Error"),
            (quote!(([u8; 4], fn(&u8) -> bool)), "([u8; 4], fn(&u8) -> bool)"),
            (quote!(Self::by_code::<u8>), "Self::by_code::<u8>"),
            (quote!(dyn Wrap<Error = io::Error>), "dyn Wrap<Error = io::Error>"),
        ] {
            assert_eq!(written(tokens), want);
        }
    }
}
