//! What is emitted when there are mistakes.

use proc_macro2::TokenStream;
use quote::quote;

use super::{retry, spaceless};

#[test]
fn with_mistakes_the_item_is_emitted_as_it_stands() {
    for (args, item) in [
        (
            quote!(attempts = 0, atempts = 1),
            quote!(
                #[inline]
                async fn f(mut x: u8) -> Result<(), E> {
                    x
                }
            ),
        ),
        (
            quote!(),
            quote!(
                struct S {
                    field: u8,
                }
            ),
        ),
        (
            quote!(, , 5 "x" => ),
            quote!(
                async fn f() -> Result<(), E> {}
            ),
        ),
        (
            quote!(),
            quote!(
                async fn f(&self) -> Result<(), E>;
            ),
        ),
        (
            quote!(),
            quote!(
                fn f() {
                    1;
                }
            ),
        ),
        (quote!(x), TokenStream::new()),
    ] {
        let output = spaceless(&retry(args, item.clone()));
        let item = spaceless(&item);
        let errors = output.strip_prefix(&item).expect("the item comes first");
        assert!(errors.contains("compile_error!"), "{errors}");
    }
}

#[test]
fn every_mistake_has_its_own_error() {
    let output = retry(
        quote! {
            attempts = 0, base = 50, max = "1", factor = 0.5, backoff = "jitter", bugdet = "orders",
            nested = "maybe", name = "", uncut, clone(y, self), attempts = 2,
        },
        quote!(
            async fn f(mut x: u8) -> Option<u8> {
                None
            }
        ),
    );
    assert_eq!(output.to_string().matches("compile_error").count(), 14, "{output}");
}
