// #[retry(blocking, clone(text), deadline = "1s", uncut)]
// fn write(&self, path: &Path, text: String) -> io::Result<Written> {
//     self.files.write(path, text)
// }

fn write(&self, path: &Path, text: String) -> io::Result<Written> {
    static __STORMLESS_STATE: ::stormless::__private::SiteState = ::stormless::__private::SiteState::new();
    static __STORMLESS_SITE: ::stormless::__private::Site = ::stormless::__private::Site::deadline(
        ::stormless::__private::Site::new(
                ::core::concat!(::core::module_path!(), "::", "write"),
                ::core::file!(),
                ::core::line!(),
                ::core::column!(),
                ::stormless::__private::Policy::checked(
                    ::stormless::__private::Policy::new(),
                ),
                &__STORMLESS_STATE,
            )
            .blocking(),
        ::stormless::__private::DeadlineRule::After(
            ::core::time::Duration::new(1u64, 0u32),
        ),
    );
    ::stormless::__private::submit_site!(__STORMLESS_SITE);
    let mut __call = ::stormless::__private::Call::begin(
            &__STORMLESS_SITE,
            __STORMLESS_SITE.policy(),
        )
        .with_arguments();
    loop {
        {
            let __clone_0 = ::core::clone::Clone::clone(&text);
            let __result = __call
                .attempt_blocking(
                    ::stormless::__private::Plain(
                        ::stormless::__private::timeout_never,
                        ::stormless::__private::deadline_never,
                    ),
                    || -> io::Result<Written> {
                        #[allow(clippy::shadow_unrelated)]
                        let text = __clone_0;
                        ({ self.files.write(path, text) })
                    },
                );
            if __call
                .decide(
                    __STORMLESS_SITE.policy(),
                    &__result,
                    |__value| ::stormless::__private::by_trait(&*__value),
                )
            {
                let __consumed = text;
                return __call.end(__result);
            }
        }
        __call.pause_blocking();
    }
}
