// #[retry(idempotent, attempts = 3, hedge = "100ms", hedge_max = 2, on_retry = |event| log(event), clone(body))]
// async fn send(client: &Client, body: Bytes) -> Result<Order, OrderError> {
//     client.post(body).await
// }

async fn send(client: &Client, body: Bytes) -> Result<Order, OrderError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::hedge(
        ::stormless::__private::Site::new(
            ::core::concat!(::core::module_path!(), "::", "send"),
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::new().attempts(3u32).idempotent(),
            ),
            &__STORMLESS_STATE,
        ),
        ::stormless::__private::Hedge::new(
            ::stormless::__private::HedgeDelay::After(
                ::core::time::Duration::new(0u64, 100000000u32),
            ),
            2u32,
        ),
    );
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
        &__STORMLESS_SITE,
        __STORMLESS_SITE.policy(),
    );
    let __attempt = ::stormless::__private::attempts(|| async {
        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
            Result<Order, OrderError>,
        > {
            return __ret;
        }
        let __clone_0 = ::core::clone::Clone::clone(&body);
        #[allow(clippy::shadow_unrelated)]
        let body = __clone_0;
        ({ client.post(body).await })
    });
    loop {
        {
            let (__ended, __facts, __hook) = __call
                .attempt_hedged(
                    __STORMLESS_SITE.policy(),
                    ::stormless::__private::Plain(
                        ::stormless::__private::timeout_never,
                        |__value| ::stormless::__private::deadline_by_trait(__value),
                    ),
                    &__attempt,
                    |__value| ::stormless::__private::by_trait(&*__value),
                    |event| log(event),
                    ::stormless::__private::NoGate,
                )
                .await;
            let __result = __ended;
            if __call
                .decide_and_tell(
                    __STORMLESS_SITE.policy(),
                    &__result,
                    |_| __facts,
                    __hook,
                )
            {
                return __call.end(__result);
            }
        }
        __call.pause().await;
    }
}
