// #[retry(idempotent)]
// pub async fn send(&mut self, line: &str) -> Result<u64, StoreError> {
//     self.sent += 1;
//     self.client.send(line).await
// }

pub async fn send(&mut self, line: &str) -> Result<u64, StoreError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
        ::core::concat!(::core::module_path!(), "::", "send"),
        ::core::file!(),
        ::core::line!(),
        ::core::column!(),
        ::stormless::__private::Policy::checked(
            ::stormless::__private::Policy::new().idempotent(),
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
                            Result<u64, StoreError>,
                        > {
                            return __ret;
                        }
                        let _ = &mut *self;
                        ({
                            self.sent += 1;
                            self.client.send(line).await
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
    }
}
