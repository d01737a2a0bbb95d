//! Where each setting goes.

use quote::quote;

use super::{contains, expanded, lacks};

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
        (quote!(cut_error = E::cut), quote!(::stormless::__private::Later)),
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
fn an_adaptive_function_keeps_how_long_its_attempts_take_and_no_other_does() {
    let function = || {
        quote!(
            async fn f() -> Result<(), E> {}
        )
    };
    let adaptive = expanded(quote!(backoff = "adaptive", breaker = none), function());
    contains(
        &adaptive,
        &quote!(.backoff(::stormless::__private::adaptive(&::stormless::__private::ADAPTIVE))),
    );
    contains(&adaptive, &quote!(.latency_in(&__STORMLESS_LATENCY);));
    contains(&adaptive, &quote!(let __started = __call.attempt_starts();));
    contains(&adaptive, &quote!(__call.attempt_ended(__started);));

    let own =
        expanded(quote!(backoff = "adaptive", breaker = none, adaptive = PATIENT), function());
    contains(&own, &quote!(.backoff(::stormless::__private::adaptive(&PATIENT))));

    // Without a retry there is no delay.
    for arguments in [
        quote!(),
        quote!(backoff = "fixed"),
        quote!(backoff = "adaptive", breaker = none, attempts = 1),
    ] {
        let other = expanded(arguments, function());
        lacks(&other, &quote!(__STORMLESS_LATENCY));
        lacks(&other, &quote!(__started));
    }
}
