//! The whole way from tokens to tokens.

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
            let (__result, __call) = {
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
                        break (__result, __call);
                    }
                }
                __call.pause().await;
                }
            };
            return __call.end(__result);
        }
    };
    assert_eq!(spaceless(&expansion), spaceless(&wanted));
}

#[test]
fn only_the_settings_that_are_given_are_emitted() {
    let expansion = expanded(
        quote! {
            backoff = "full_jitter", base = "50ms", max = "1s", attempts = 3, budget = "orders",
            idempotent,
        },
        quote!(
            async fn f() -> Result<(), E> {}
        ),
    );
    contains(
        &expansion,
        &quote! {
            ::stormless::__private::Policy::new()
                .attempts(3u32)
                .backoff(::stormless::__private::Backoff::FullJitter)
                .base(::core::time::Duration::new(0u64, 50000000u32))
                .max(::core::time::Duration::new(1u64, 0u32))
                .idempotent()
        },
    );
    contains(&expansion, &quote!(::stormless::__private::NamedBudget::new("orders");));
    contains(
        &expansion,
        &quote!(.budget(::stormless::__private::BudgetRef::Named(&__STORMLESS_BUDGET));),
    );
    lacks(&expansion, &quote!(.deadline));
    lacks(&expansion, &quote!(__policy));
}

#[test]
fn values_that_name_a_parameter_go_into_an_inline_const() {
    let expansion = expanded(
        quote!(attempts = 4, base = Self::BASE, backoff = T::delay),
        quote!(
            async fn f<T: Waits>(&self) -> Result<(), E> {}
        ),
    );
    contains(&expansion, &"Policy::checked(::stormless::__private::Policy::new().attempts(4u32)),");
    contains(&expansion, &"let __policy: &'static ::stormless::__private::Policy = const { &");
    contains(&expansion, &quote!(.base(Self::BASE)));
    contains(&expansion, &quote!(.backoff(::stormless::__private::Backoff::Custom(T::delay))));
    contains(&expansion, &quote!(.varying();));
    contains(&expansion, &"begin(&__STORMLESS_SITE, __policy)");
}

#[test]
fn expressions_are_evaluated_once_in_the_order_in_which_they_stand() {
    let expansion = expanded(
        quote! {
            idempotency_key = self.id(), deadline = left, budget = self.budget,
            policy = self.policy, attempts = 5, idempotent = self.harmless(),
        },
        quote!(
            async fn f(&self, left: Duration) -> Result<(), E> {}
        ),
    );
    contains(
        &expansion,
        &quote! {
            let __policy: ::stormless::__private::Policy =
                ::stormless::__private::shared_policy(&(self.policy))
                    .attempts(5u32)
                    .idempotent_if(self.harmless());
        },
    );
    contains(
        &expansion,
        &quote! {
            let mut __call = ::stormless::__private::Call::begin_with(
                &__STORMLESS_SITE,
                &__policy,
                ::stormless::__private::Given::NONE
                    .key(&(self.id()))
                    .deadline(left)
                    .budget(self.budget)
            );
        },
    );
    contains(&expansion, &quote!(.budget(::stormless::__private::BudgetRef::Given)));
}

#[test]
fn a_shared_const_policy_is_the_start_of_the_sites_own() {
    let expansion = expanded(
        quote!(policy = shared::CATALOGUE, attempts = 2),
        quote!(
            async fn f() -> Result<(), E> {}
        ),
    );
    contains(&expansion, &quote!(::stormless::__private::Policy::from_shared(&shared::CATALOGUE)));
    contains(&expansion, &quote!(attempts(2u32)));
    lacks(&expansion, &quote!(__policy));
}

#[test]
fn each_setting_reaches_its_place() {
    let by_trait = quote!(|__value| ::stormless::__private::by_trait(&*__value));
    for (settings, wanted) in [
        (
            quote!(deadline = "1s"),
            quote!(DeadlineRule::After(::core::time::Duration::new(1u64, 0u32))),
        ),
        (quote!(deadline = LIMIT), quote!(DeadlineRule::After(LIMIT))),
        (quote!(deadline = none), quote!(DeadlineRule::None)),
        (quote!(deadline = "1s"), quote!(::stormless::__private::deadline_from)),
        (quote!(deadline = "1s", uncut), quote!(::stormless::__private::deadline_never)),
        (quote!(classify = f), quote!(::stormless::__private::deadline_never)),
        (quote!(attempt_timeout = "1s"), quote!(::stormless::__private::timeout_from)),
        (quote!(cut_error = E::cut), quote!(::stormless::__private::Wrap)),
        (quote!(cut_error = E::cut), quote!(|__cut| ::stormless::__private::by_cut(__cut, E::cut))),
        (quote!(budget = ORDERS), quote!(BudgetRef::Static(&ORDERS))),
        (quote!(budget = &a::ORDERS), quote!(BudgetRef::Static(&a::ORDERS))),
        (quote!(budget = none), quote!(BudgetRef::None)),
        (
            quote!(nested = "independent"),
            quote!(.nested(::stormless::__private::Nested::Independent)),
        ),
        (quote!(inner = "allow"), quote!(.inner(::stormless::__private::Inner::Allow))),
        (
            quote!(attempts = "unlimited", deadline = none, budget = none, inner = "allow"),
            quote!(.unlimited()),
        ),
        (
            quote!(min_remaining = "1s"),
            quote!(.min_remaining(::core::time::Duration::new(1u64, 0u32))),
        ),
        (quote!(time_per_attempt = EACH), quote!(.time_per_attempt(EACH))),
        (
            quote!(max_retry_after = "1ns"),
            quote!(.max_retry_after(::core::time::Duration::new(0u64, 1u32))),
        ),
        (quote!(factor = 3), quote!(.factor(3f64))),
        (quote!(backoff = SPREAD), quote!(.backoff(SPREAD))),
        (quote!(name = "orders.fetch"), quote!("orders.fetch", ::core::file!())),
        (
            quote!(crate = crate::kit),
            quote!(
                use crate::kit::__private as __stormless;
            ),
        ),
        (
            quote!(classify = |e: &E| e.class()),
            quote!(|__r| ::stormless::__private::by_classifier(__r, |e: &E| e.class())),
        ),
        (
            quote!(classify_result = g),
            quote!(|__r| ::stormless::__private::by_result(__r, g, #by_trait)),
        ),
        (
            quote!(on_retry = h),
            quote!(__call.decide_and_tell(
                __STORMLESS_SITE.policy(),
                &__result,
                #by_trait,
                h
            )),
        ),
    ] {
        let expansion = expanded(
            settings,
            quote!(
                async fn f() -> Result<(), E> {}
            ),
        );
        contains(&expansion, &wanted);
    }
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
    contains(&expansion, &quote!((__result, __call)));
}

#[test]
fn a_wrapped_error_is_made_by_the_loop() {
    let item = quote!(
        async fn f() -> io::Result<u8, stormless::RetryError<E>> {}
    );
    let expansion = expanded(quote!(deadline = "1s", attempt_timeout = "1s"), item.clone());
    contains(&expansion, &quote!(None::<io::Result<u8, E>>));
    contains(&expansion, &"__call.attempt(::stormless::__private::Wrap, async {");
    contains(&expansion, &quote!(break (__call.finish(__result), __call);));
    let single = expanded(quote!(attempts = 1), item);
    contains(&single, &quote!((__call.finish(__result), __call)));
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
