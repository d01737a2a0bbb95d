// #[retry(deadline = "5s")]
// async fn load(id: u64) -> Result<Page, RetryError<LoadError>> {
//     Ok(fetch(id).await?)
// }

async fn load(id: u64) -> Result<Page, RetryError<LoadError>> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::deadline(
        ::stormless::__private::Site::new(
                ::core::concat!(::core::module_path!(), "::", "load"),
                ::core::file!(),
                ::core::line!(),
                ::core::column!(),
                ::stormless::__private::Policy::checked(
                    ::stormless::__private::Policy::new(),
                ),
                &__STORMLESS_STATE,
            )
            .times_out(),
        ::stormless::__private::DeadlineRule::After(
            ::core::time::Duration::new(5u64, 0u32),
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
                    ::stormless::__private::Wrap,
                    async {
                        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                            Result<Page, LoadError>,
                        > {
                            return __ret;
                        }
                        ({ Ok(fetch(id).await?) })
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
                let __result = __call.finish(__result);
                return __call.end(__result);
            }
        }
    }
}
