use super::*;
use quote::quote;

fn message(tokens: TokenStream) -> String {
    syn::parse2::<Function>(tokens).err().expect("is refused").to_string()
}

#[test]
fn the_function_is_printed_as_it_was_read() {
    let source = quote! {
        #[doc = "first"]
        #[must_use]
        pub(crate) default async unsafe extern "C" fn f<'a, T: ?Sized>(
            #[cfg(all())] (a, mut b): (u8, u8),
            r#type: &'a T,
        ) -> Result<(), E> where T: Send { some unknown syntax => 1 }
    };
    let function: Function = syn::parse2(source.clone()).unwrap();
    let mut printed = function.head();
    printed.extend(function.braced(&function.body));
    assert_eq!(printed.to_string(), source.to_string());
}

#[test]
fn inner_attributes_are_taken_out_of_the_body() {
    let function: Function =
        syn::parse2(quote! { async fn f() { #![allow(unused)] body } }).unwrap();
    assert_eq!(function.inner_attrs.len(), 1);
    assert_eq!(function.body.to_string(), "body");
}

#[test]
fn items_that_are_no_functions_are_named() {
    for (tokens, found) in [
        (
            quote!(
                pub struct S;
            ),
            "a struct",
        ),
        (
            quote!(
                enum E {}
            ),
            "an enum",
        ),
        (
            quote!(
                unsafe impl Send for S {}
            ),
            "an impl block",
        ),
        (
            quote!(
                pub(crate) unsafe trait T {}
            ),
            "a trait",
        ),
        (
            quote!(
                const A: u8 = 1;
            ),
            "a constant",
        ),
        (
            quote!(
                static A: u8 = 1;
            ),
            "a static",
        ),
        (
            quote!(
                mod m {}
            ),
            "a module",
        ),
        (
            quote!(
                type A = u8;
            ),
            "a type alias",
        ),
        (
            quote!(
                use a::b;
            ),
            "an import",
        ),
        (quote!(let x = 1;), "a statement"),
        (
            quote!(
                pub extern crate other;
            ),
            "an `extern crate`",
        ),
        (
            quote!(
                extern "C" {}
            ),
            "an `extern` block",
        ),
        (
            quote!(
                unsafe extern "C" {}
            ),
            "an `extern` block",
        ),
        (
            quote!(
                safe fn f();
            ),
            "a declaration",
        ),
        (quote!(functions! {}), "a macro call"),
        (
            quote!(
                macro_rules! functions {
                    () => {};
                }
            ),
            "a macro:",
        ),
    ] {
        let message = message(tokens);
        assert!(message.contains(found), "{message}");
    }
}

#[test]
fn a_method_without_a_body_is_sent_to_its_implementation() {
    let message = message(quote!(
        async fn fetch(&self) -> Result<(), E>;
    ));
    assert!(message.contains("`fetch` has no body"), "{message}");
}

#[test]
fn const_functions_are_read_as_functions() {
    assert!(
        syn::parse2::<Function>(quote!(
            const fn f() {}
        ))
        .is_ok()
    );
    assert!(
        syn::parse2::<Function>(quote!(
            const unsafe fn f() {}
        ))
        .is_ok()
    );
}

#[test]
fn only_stormless_own_attribute_counts_as_a_second_one() {
    let function: Function =
        syn::parse2(quote! { #[other::retry] #[must_use] async fn f() {} }).unwrap();
    assert!(second_retry(&function.attrs).is_none());
    let function: Function =
        syn::parse2(quote! { #[inline] #[stormless::retry] async fn f() {} }).unwrap();
    assert!(second_retry(&function.attrs).is_some());
}

#[test]
fn a_body_that_was_expanded_before_is_recognised() {
    let function: Function = syn::parse2(quote! { async fn f() { async { work } } }).unwrap();
    assert!(!is_retried(&function.body));
    let expanded = crate::attribute::retry(
        TokenStream::new(),
        quote! { async fn f() -> Result<(), E> { work } },
    );
    let function: Function = syn::parse2(expanded).unwrap();
    assert!(is_retried(&function.body));
    let Function { body, .. } = function;
    assert!(is_retried(&quote! { let body = async { #body }; block_on(body) }));
}
