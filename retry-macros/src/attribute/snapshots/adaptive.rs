// #[retry(backoff = "adaptive", breaker = none, adaptive = PATIENT, base = "20ms")]
// async fn fetch(id: u64) -> Result<Order, OrderError> {
//     client().get(id).await
// }

async fn fetch(id: u64) -> Result<Order, OrderError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_LATENCY: ::stormless::__private::Latency = ::stormless::__private::Latency::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
            ::core::concat!(::core::module_path!(), "::", "fetch"),
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::new()
                    .backoff(::stormless::__private::adaptive(&PATIENT))
                    .base(::core::time::Duration::new(0u64, 20000000u32)),
            ),
            &__STORMLESS_STATE,
        )
        .latency_in(&__STORMLESS_LATENCY);
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
        &__STORMLESS_SITE,
        __STORMLESS_SITE.policy(),
    );
    loop {
        {
            let __started = __call.attempt_starts();
            let __result = __call
                .attempt(
                    ::stormless::__private::Plain(
                        ::stormless::__private::timeout_never,
                        |__value| ::stormless::__private::deadline_by_trait(__value),
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
            __call.attempt_ended(__started);
            if __call
                .decide(
                    __STORMLESS_SITE.policy(),
                    &__result,
                    |__value| ::stormless::__private::by_trait(&*__value),
                )
            {
                return __call.end(__result);
            }
        }
        __call.pause().await;
    }
}
