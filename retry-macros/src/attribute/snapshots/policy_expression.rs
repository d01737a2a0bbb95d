// #[retry(policy = self.policy, attempts = 5, budget = self.budget, idempotent = request.is_read())]
// async fn call(&self, request: &Request) -> Result<Response, CallError> {
//     self.channel.call(request).await
// }

async fn call(&self, request: &Request) -> Result<Response, CallError> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::new(
            ::core::concat!(::core::module_path!(), "::", "call"),
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            ::stormless::__private::Policy::checked(
                ::stormless::__private::Policy::new().attempts(5u32),
            ),
            &__STORMLESS_STATE,
        )
        .budget(::stormless::__private::BudgetRef::Given)
        .varying();
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let __policy: ::stormless::__private::Policy = ::stormless::__private::shared_policy(
            &(self.policy),
        )
        .attempts(5u32)
        .idempotent_if(request.is_read());
    let mut __call = ::stormless::__private::Call::begin_with(
        &__STORMLESS_SITE,
        &__policy,
        ::stormless::__private::Given::NONE.budget(self.budget),
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
                            Result<Response, CallError>,
                        > {
                            return __ret;
                        }
                        ({ self.channel.call(request).await })
                    },
                )
                .await;
            if __call
                .decide(
                    &__policy,
                    &__result,
                    |__value| ::stormless::__private::by_trait(&*__value),
                )
            {
                return __call.end(__result);
            }
        }
    }
}
