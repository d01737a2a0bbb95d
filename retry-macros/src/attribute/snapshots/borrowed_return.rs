// #[retry]
// async fn first<'a>(&self, names: &'a [String]) -> Result<&'a str, LookupError> {
//     self.look_up(names).await?;
//     Ok(&names[0])
// }

async fn first<'a>(&self, names: &'a [String]) -> Result<&'a str, LookupError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
        ::core::concat!(::core::module_path!(), "::", "first"),
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
                            Result<&'_ str, LookupError>,
                        > {
                            return __ret;
                        }
                        ({
                            self.look_up(names).await?;
                            Ok(&names[0])
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
