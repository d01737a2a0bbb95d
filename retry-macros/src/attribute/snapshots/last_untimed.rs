// #[retry(
//     breaker = ORDERS, attempt_timeout = "300ms", deadline = "2s", last_attempt_untimed, idempotent,
//     clone(request), on_retry = log,
// )]
// async fn fetch(request: Request) -> Result<Order, RetryError<OrderError>> {
//     client().get(request).await
// }

async fn fetch(request: Request) -> Result<Order, RetryError<OrderError>> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::deadline(
        ::stormless::__private::Site::attempt_timeout(
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
                .breaker(::stormless::__private::BreakerRef::Static(&ORDERS))
                .last_untimed(),
            ::core::time::Duration::new(0u64, 300000000u32),
        ),
        ::stormless::__private::DeadlineRule::After(
            ::core::time::Duration::new(2u64, 0u32),
        ),
    );
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
            &__STORMLESS_SITE,
            __STORMLESS_SITE.policy(),
        )
        .gated()
        .last_untimed(__STORMLESS_SITE.policy());
    let mut __gate = ::stormless::__private::Gate::new(&__STORMLESS_SITE);
    loop {
        {
            let __clone_0 = ::core::clone::Clone::clone(&request);
            let __result = __call
                .attempt_gated(
                    &mut __gate,
                    ::stormless::__private::Wrap,
                    async {
                        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                            Result<Order, OrderError>,
                        > {
                            return __ret;
                        }
                        #[allow(clippy::shadow_unrelated)]
                        let request = __clone_0;
                        ({ client().get(request).await })
                    },
                )
                .await;
            if __call
                .decide_and_tell_gated(
                    __STORMLESS_SITE.policy(),
                    &__result,
                    |__value| ::stormless::__private::by_trait(&*__value),
                    log,
                    &mut __gate,
                )
            {
                let __result = __call.finish(__result);
                return __call.end(__result);
            }
        }
        __call.pause().await;
    }
}
