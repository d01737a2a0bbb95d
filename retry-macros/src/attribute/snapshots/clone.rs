// #[retry(clone(body, tags))]
// async fn upload(client: &Client, body: Bytes, mut tags: Vec<Tag>) -> Result<(), UploadError> {
//     tags.sort();
//     client.put(body, tags).await
// }

async fn upload(
    client: &Client,
    body: Bytes,
    tags: Vec<Tag>,
) -> Result<(), UploadError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
        ::core::concat!(::core::module_path!(), "::", "upload"),
        ::core::file!(),
        ::core::line!(),
        ::core::column!(),
        ::stormless::__private::Policy::checked(::stormless::__private::Policy::new()),
        &__STORMLESS_STATE,
    );
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
            &__STORMLESS_SITE,
            __STORMLESS_SITE.policy(),
        )
        .with_arguments();
    loop {
        {
            let __clone_0 = ::core::clone::Clone::clone(&body);
            let __clone_1 = ::core::clone::Clone::clone(&tags);
            let __result = __call
                .attempt(
                    ::stormless::__private::Plain(
                        ::stormless::__private::timeout_never,
                        |__value| ::stormless::__private::deadline_by_trait(__value),
                    ),
                    async {
                        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                            Result<(), UploadError>,
                        > {
                            return __ret;
                        }
                        #[allow(clippy::shadow_unrelated)]
                        let body = __clone_0;
                        #[allow(clippy::shadow_unrelated)]
                        let mut tags = __clone_1;
                        ({
                            tags.sort();
                            client.put(body, tags).await
                        })
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
        __call.pause().await;
    }
}
