// #[retry]
// fn read<'life0, 'async_trait>(
//     &'life0 self,
//     id: u64,
// ) -> ::core::pin::Pin<
//     Box<dyn ::core::future::Future<Output = Result<Row, StoreError>> + ::core::marker::Send + 'async_trait>,
// >
// where
//     'life0: 'async_trait,
//     Self: 'async_trait,
// {
//     Box::pin(async move {
//         if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<Result<Row, StoreError>> {
//             #[allow(unreachable_code)]
//             return __ret;
//         }
//         let __self = self;
//         let id = id;
//         let __ret: Result<Row, StoreError> = { __self.store.get(id).await };
//         #[allow(unreachable_code)]
//         __ret
//     })
// }

fn read<'life0, 'async_trait>(
    &'life0 self,
    id: u64,
) -> ::core::pin::Pin<
    Box<
        dyn ::core::future::Future<
            Output = Result<Row, StoreError>,
        > + ::core::marker::Send + 'async_trait,
    >,
>
where
    'life0: 'async_trait,
    Self: 'async_trait,
{
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
        let __self = self;
        let id = id;
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
                            ({
                                if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                                    Result<Row, StoreError>,
                                > {
                                    #[allow(unreachable_code)] return __ret;
                                }
                                let __ret: Result<Row, StoreError> = {
                                    __self.store.get(id).await
                                };
                                #[allow(unreachable_code)] __ret
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
    })
}
