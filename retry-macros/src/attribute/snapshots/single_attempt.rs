// #[retry(attempts = 1)]
// async fn submit(job: Job) -> Result<Receipt, QueueError> {
//     queue().push(job).await
// }

async fn submit(job: Job) -> Result<Receipt, QueueError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
            ::core::concat!(::core::module_path!(), "::", "submit"),
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::new().attempts(1u32),
            ),
            &__STORMLESS_STATE,
        )
        .single();
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
        &__STORMLESS_SITE,
        __STORMLESS_SITE.policy(),
    );
    let __result = __call
        .attempt(
            ::stormless::__private::Plain(
                ::stormless::__private::timeout_never,
                |__value| ::stormless::__private::deadline_by_trait(__value),
            ),
            async {
                if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                    Result<Receipt, QueueError>,
                > {
                    return __ret;
                }
                ({ queue().push(job).await })
            },
        )
        .await;
    let _ = __call
        .decide(
            __STORMLESS_SITE.policy(),
            &__result,
            |__value| ::stormless::__private::by_trait(&*__value),
        );
    return __call.end(__result);
}
