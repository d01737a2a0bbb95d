//! The whole way from tokens to tokens.

mod mistakes;
mod settings;

use proc_macro2::TokenStream;
use quote::quote;

use super::retry;

fn expanded(args: TokenStream, item: TokenStream) -> String {
    let tokens = retry(args, item);
    syn::parse2::<syn::Item>(tokens.clone()).expect("the expansion is one item");
    spaceless(&tokens)
}

/// Spaces between tokens are not part of what is compared.
fn spaceless(tokens: &impl ToString) -> String {
    tokens.to_string().split_whitespace().collect()
}

#[track_caller]
fn contains(expansion: &str, tokens: &impl ToString) {
    let wanted = spaceless(tokens);
    assert!(expansion.contains(&wanted), "no `{wanted}` in\n{expansion}");
}

#[track_caller]
fn lacks(expansion: &str, tokens: &impl ToString) {
    let unwanted = spaceless(tokens);
    assert!(!expansion.contains(&unwanted), "`{unwanted}` in\n{expansion}");
}

#[test]
fn the_whole_expansion_of_the_shortest_use() {
    let expansion = retry(
        TokenStream::new(),
        quote! {
            /// Documented.
            #[must_use]
            pub(crate) async fn fetch(id: u64) -> Result<Order, OrderError> { body of any tokens }
        },
    );
    let wanted = quote! {
        /// Documented.
        #[must_use]
        pub(crate) async fn fetch(id: u64) -> Result<Order, OrderError> {
            static __STORMLESS_STATE: ::stormless::__private::SiteState =
                ::stormless::__private::SiteState::new();
            static __STORMLESS_SITE: ::stormless::__private::Site =
                ::stormless::__private::Site::new(
                    ::core::concat!(::core::module_path!(), "::", "fetch"),
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::stormless::__private::Policy::checked(::stormless::__private::Policy::new()),
                    &__STORMLESS_STATE,
                );
            ::stormless::__private::submit_site!(__STORMLESS_SITE);
            let mut __call = ::stormless::__private::Call::begin(
                &__STORMLESS_SITE,
                __STORMLESS_SITE.policy()
            );
            loop {
                {
                    let __result = __call.attempt(
                        ::stormless::__private::Plain(
                            ::stormless::__private::timeout_never,
                            |__value| ::stormless::__private::deadline_by_trait(__value)
                        ),
                        async {
                            if let ::core::option::Option::Some(__ret) =
                                ::core::option::Option::None::<Result<Order, OrderError> >
                            {
                                return __ret;
                            }
                            ({ body of any tokens })
                        }
                    ).await;
                    if __call.decide(
                        __STORMLESS_SITE.policy(),
                        &__result,
                        |__value| ::stormless::__private::by_trait(&*__value)
                    ) {
                        return __call.end(__result);
                    }
                }
            }
        }
    };
    assert_eq!(spaceless(&expansion), spaceless(&wanted));
}

#[test]
fn a_cloned_argument_is_owned_by_the_attempt_and_loses_its_mut() {
    let expansion = expanded(
        quote!(clone(a, b)),
        quote!(
            async fn f(#[cfg(all())] mut a: Vec<u8>, b: String, c: u8) -> Result<(), E> {
                work
            }
        ),
    );
    contains(&expansion, &quote!(fn f(#[cfg(all())] a: Vec<u8>, b: String, c: u8)));
    contains(
        &expansion,
        &quote! {
            #[cfg(all())]
            let __clone_0 = ::core::clone::Clone::clone(&a);
            let __clone_1 = ::core::clone::Clone::clone(&b);
            let __result
        },
    );
    contains(
        &expansion,
        &quote! {
            #[cfg(all())]
            #[allow(clippy::shadow_unrelated)]
            let mut a = __clone_0;
            #[allow(clippy::shadow_unrelated)]
            let b = __clone_1;
            ({ work })
        },
    );
}

#[test]
fn a_single_attempt_has_no_loop() {
    let expansion = expanded(
        quote!(attempts = 1),
        quote!(
            async fn f(mut x: X) -> Result<(), E> {}
        ),
    );
    lacks(&expansion, &quote!(loop));
    contains(&expansion, &quote!(fn f(mut x: X)));
    contains(&expansion, &quote!(return __call.end(__result);));
}

#[test]
fn a_wrapped_error_is_made_by_the_loop() {
    let item = quote!(
        async fn f() -> io::Result<u8, stormless::RetryError<E>> {}
    );
    let expansion = expanded(quote!(deadline = "1s", attempt_timeout = "1s"), item.clone());
    contains(&expansion, &quote!(None::<io::Result<u8, E>>));
    contains(&expansion, &"__call.attempt(::stormless::__private::Wrap, async {");
    contains(
        &expansion,
        &quote!({
            let __result = __call.finish(__result);
            return __call.end(__result);
        }),
    );
    let single = expanded(quote!(attempts = 1), item);
    contains(
        &single,
        &quote!(let __result = __call.finish(__result); return __call.end(__result);),
    );
}

#[test]
fn inner_attributes_stay_at_the_top_of_the_function() {
    let expansion = expanded(
        TokenStream::new(),
        quote!(
            async fn r#try() -> Result<(), E> {
                #![allow(unused)]
                work
            }
        ),
    );
    contains(&expansion, &"{ #![allow(unused)] static __STORMLESS_STATE");
    contains(&expansion, &quote!("::", "try"));
}
