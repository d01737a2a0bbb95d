// #[retry(budget = ORDERS, deadline = "2s", attempt_timeout = "300ms", base = BASE, idempotent)]
// async fn fetch(id: u64) -> Result<Order, OrderError> {
//     client().get(id).await
// }

async fn fetch(id: u64) -> Result<Order, OrderError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::deadline(
        ::stormless::__private::Site::attempt_timeout(
            ::stormless::__private::Site::new(
                    ::core::concat!(::core::module_path!(), "::", "fetch"),
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::stormless::__private::Policy::checked(
                        ::stormless::__private::Policy::new().base(BASE).idempotent(),
                    ),
                    &__STORMLESS_STATE,
                )
                .budget(::stormless::__private::BudgetRef::Static(&ORDERS)),
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
    );
    loop {
        {
            let __result = __call
                .attempt(
                    ::stormless::__private::Plain(
                        |__value| ::stormless::__private::timeout_from(__value),
                        |__value| ::stormless::__private::deadline_from(__value),
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
                .decide(
                    __STORMLESS_SITE.policy(),
                    &__result,
                    |__value| ::stormless::__private::by_trait(&*__value),
                )
            {
                return __call.end(__result);
            }
        }
    }
}
