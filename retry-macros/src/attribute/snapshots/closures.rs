// #[retry(
//     attempt_timeout = "200ms",
//     classify = |error| class_of(error, id),
//     on_retry = |event| log::warn!("{event}"),
//     cut_error = |cut| Error::new(cut),
// )]
// async fn read(id: u64) -> Result<Vec<u8>, Error> {
//     blob(id).read().await
// }

async fn read(id: u64) -> Result<Vec<u8>, Error> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::attempt_timeout(
        ::stormless::__private::Site::new(
            ::core::concat!(::core::module_path!(), "::", "read"),
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::new(),
            ),
            &__STORMLESS_STATE,
        ),
        ::core::time::Duration::new(0u64, 200000000u32),
    );
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
        &__STORMLESS_SITE,
        __STORMLESS_SITE.policy(),
    );
    loop {
        {
            let __result = ::stormless::__private::or_cut(
                __call
                    .attempt(
                        ::stormless::__private::Later,
                        async {
                            if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                                Result<Vec<u8>, Error>,
                            > {
                                return __ret;
                            }
                            ({ blob(id).read().await })
                        },
                    )
                    .await,
                |__cut| ::stormless::__private::by_cut(__cut, |cut| Error::new(cut)),
            );
            if __call
                .decide_and_tell(
                    __STORMLESS_SITE.policy(),
                    &__result,
                    |__r| ::stormless::__private::by_classifier(
                        __r,
                        |error| class_of(error, id),
                    ),
                    |event| log::warn!("{event}"),
                )
            {
                return __call.end(__result);
            }
        }
    }
}
