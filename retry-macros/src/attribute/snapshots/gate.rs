// #[retry(breaker = "orders", expect = "p95", deadline = "2s")]
// async fn fetch(id: u64) -> Result<Order, OrderError> {
//     client().get(id).await
// }

async fn fetch(id: u64) -> Result<Order, OrderError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_BREAKER: ::stormless::__private::NamedBreaker = ::stormless::__private::NamedBreaker::new(
        "orders",
    );
    static __STORMLESS_EXPECTED: ::stormless::__private::Latency = ::stormless::__private::Latency::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::deadline(
        ::stormless::__private::Site::new(
                ::core::concat!(::core::module_path!(), "::", "fetch"),
                ::core::file!(),
                ::core::line!(),
                ::core::column!(),
                ::stormless::__private::Policy::checked(
                    ::stormless::__private::Policy::new(),
                ),
                &__STORMLESS_STATE,
            )
            .breaker(::stormless::__private::BreakerRef::Named(&__STORMLESS_BREAKER))
            .expect(::stormless::__private::Quantile::P95, &__STORMLESS_EXPECTED),
        ::stormless::__private::DeadlineRule::After(
            ::core::time::Duration::new(2u64, 0u32),
        ),
    );
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let (__result, __call) = {
        let mut __call = ::stormless::__private::Call::begin(
                &__STORMLESS_SITE,
                __STORMLESS_SITE.policy(),
            )
            .gated();
        let mut __gate = ::stormless::__private::Gate::new(&__STORMLESS_SITE);
        loop {
            {
                let __result = __call
                    .attempt_gated(
                        &mut __gate,
                        ::stormless::__private::Refusing(
                            ::stormless::__private::Plain(
                                ::stormless::__private::timeout_never,
                                |__value| ::stormless::__private::deadline_from(__value),
                            ),
                            |__value| ::stormless::__private::breaker_from(__value),
                        ),
                        async {
                            if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                                Result<Order, OrderError>,
                            > {
                                return __ret;
                            }
                            ({ client().get(id).await })
                        },
                    )
                    .await;
                if __call
                    .decide_gated(
                        __STORMLESS_SITE.policy(),
                        &__result,
                        |__value| ::stormless::__private::by_trait(&*__value),
                        &mut __gate,
                    )
                {
                    break (__result, __call);
                }
            }
            __call.pause().await;
        }
    };
    return __call.end(__result);
}
