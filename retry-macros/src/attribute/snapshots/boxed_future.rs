// #[retry]
// fn read(&self, id: u64) -> Pin<Box<dyn Future<Output = Result<Row, StoreError>> + Send + '_>> {
//     let key = self.key(id);
//     Box::pin(async move { self.store.get(&key).await })
// }

fn read(
    &self,
    id: u64,
) -> Pin<Box<dyn Future<Output = Result<Row, StoreError>> + Send + '_>> {
    let key = self.key(id);
    Box::pin(async move {
        static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
        static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
            ::core::concat!(::core::module_path!(), "::", "read"),
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::new(),
            ),
            &__STORMLESS_STATE,
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
                            ::stormless::__private::timeout_never,
                            |__value| ::stormless::__private::deadline_by_trait(__value),
                        ),
                        async {
                            if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                                Result<Row, StoreError>,
                            > {
                                return __ret;
                            }
                            ({ self.store.get(&key).await })
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
    })
}
