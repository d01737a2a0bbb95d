// #[retry(attempts = TRIES, base = S::BASE)]
// async fn ping<S: Server, const TRIES: u32>(server: &S) -> Result<(), S::Error> {
//     server.ping().await
// }

async fn ping<S: Server, const TRIES: u32>(server: &S) -> Result<(), S::Error> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
            ::core::concat!(::core::module_path!(), "::", "ping"),
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::new(),
            ),
            &__STORMLESS_STATE,
        )
        .varying();
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let __policy: &'static ::stormless::__private::Policy = const {
        &::stormless::__private::Policy::checked(
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::checked(
                        ::stormless::__private::Policy::new().attempts(TRIES),
                    )
                    .base(S::BASE),
            ),
        )
    };
    let mut __call = ::stormless::__private::Call::begin(&__STORMLESS_SITE, __policy);
    loop {
        {
            let __result = __call
                .attempt(
                    ::stormless::__private::Plain(
                        ::stormless::__private::timeout_never,
                        |__value| ::stormless::__private::deadline_by_trait(__value),
                    ),
                    async {
                        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                            Result<(), S::Error>,
                        > {
                            return __ret;
                        }
                        ({ server.ping().await })
                    },
                )
                .await;
            if __call
                .decide(
                    __policy,
                    &__result,
                    |__value| ::stormless::__private::by_trait(&*__value),
                )
            {
                return __call.end(__result);
            }
        }
    }
}
