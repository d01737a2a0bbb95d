// #[retry(idempotent, hedge = "p95", breaker = "orders", cut_error = |cut| OrderError::from(cut))]
// async fn fetch(&self, id: u64) -> Result<Order, OrderError> {
//     self.client.get(id).await
// }

async fn fetch(&self, id: u64) -> Result<Order, OrderError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_BREAKER: ::stormless::__private::NamedBreaker = ::stormless::__private::NamedBreaker::new(
        "orders",
    );
    static __STORMLESS_USUAL: ::stormless::__private::Latency = ::stormless::__private::Latency::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::hedge(
        ::stormless::__private::Site::new(
                ::core::concat!(::core::module_path!(), "::", "fetch"),
                ::core::file!(),
                ::core::line!(),
                ::core::column!(),
                ::stormless::__private::Policy::checked(
                    ::stormless::__private::Policy::new().idempotent(),
                ),
                &__STORMLESS_STATE,
            )
            .times_out()
            .breaker(::stormless::__private::BreakerRef::Named(&__STORMLESS_BREAKER)),
        ::stormless::__private::Hedge::new(
            ::stormless::__private::HedgeDelay::Quantile(
                ::stormless::__private::Quantile::P95,
                &__STORMLESS_USUAL,
            ),
            1u32,
        ),
    );
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
            &__STORMLESS_SITE,
            __STORMLESS_SITE.policy(),
        )
        .gated();
    let mut __gate = ::stormless::__private::Gate::new(&__STORMLESS_SITE);
    let __attempt = ::stormless::__private::attempts(|| async {
        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
            Result<Order, OrderError>,
        > {
            return __ret;
        }
        ({ self.client.get(id).await })
    });
    loop {
        {
            let (__ended, __facts, _) = __call
                .attempt_hedged(
                    __STORMLESS_SITE.policy(),
                    ::stormless::__private::Later,
                    &__attempt,
                    |__value| ::stormless::__private::by_trait(&*__value),
                    ::stormless::__private::untold,
                    &mut __gate,
                )
                .await;
            let __result = ::stormless::__private::or_cut(
                __ended,
                |__cut| ::stormless::__private::by_cut(
                    __cut,
                    |cut| OrderError::from(cut),
                ),
            );
            if __call
                .decide_gated(
                    __STORMLESS_SITE.policy(),
                    &__result,
                    |_| __facts,
                    &mut __gate,
                )
            {
                return __call.end(__result);
            }
        }
    }
}
