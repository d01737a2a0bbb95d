//! Names.
//!
//! Nothing that the attribute generates can meet a name of the user's.

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// A raw identifier as the function's name.
/// In reports it is called without its `r#`.
#[tokio::test(start_paused = true)]
async fn raw_function() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn r#try() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(r#try()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
    assert!(stormless::sites().iter().any(|site| site.name().ends_with("names::try")));
}

/// Arguments called as the expansion's variables.
/// They are not the same variables.
#[tokio::test(start_paused = true)]
async fn arguments_of_the_same_names() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(__result, result))]
    async fn sum(
        __call: u8,
        __result: u8,
        __ret: u8,
        __value: u8,
        __policy: u8,
        result: u8,
        call: u8,
    ) -> Result<u8, Failed> {
        TRIES.answer(__call + __result + __ret + __value + __policy + result + call).await
    }
    assert_eq!(send(sum(1, 2, 3, 4, 5, 6, 7)).await, Ok(28));
    assert_eq!(TRIES.bodies(), 3);
}

/// Settings over arguments of such names.
/// A closure in the attribute sees the user's.
#[tokio::test(start_paused = true)]
async fn settings_over_the_same_names() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(idempotent = __call, on_retry = |_| __r.set(__r.get() + 1))]
    async fn count(__call: bool, __r: &std::cell::Cell<u8>) -> Result<(), Failed> {
        TRIES.answer(()).await
    }
    let retries = std::cell::Cell::new(0);
    assert_eq!(crate::support::local(count(true, &retries)).await, Ok(()));
    assert_eq!((TRIES.bodies(), retries.get()), (3, 2));
}

/// Variables, functions and labels in the body.
/// They hide what they hide without the attribute, and nothing of the loop around them.
#[tokio::test(start_paused = true)]
async fn names_in_the_body() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(mut_number: u8) -> Result<u8, Failed> {
        fn drop(number: u8) -> u8 {
            number + 1
        }
        let (__call, __result) = (mut_number, drop(mut_number));
        let mut_number = __call + __result;
        let answer = 'attempt: loop {
            if mut_number > 1 {
                break 'attempt mut_number;
            }
        };
        TRIES.answer(answer).await
    }
    assert_eq!(send(number(2)).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}

/// A module that hides `core`, `std`, `Result`, `Ok`, `Option` and `stormless`.
/// The expansion does not look for names there.
#[tokio::test(start_paused = true)]
async fn hidden_by_a_module() {
    mod shadowed {
        #![expect(dead_code, unused_macros)]

        pub(super) static TRIES: crate::support::Tries = crate::support::Tries::failing(2);

        mod core {}
        mod std {}
        mod stormless {}
        enum Option {}
        enum Some {}
        enum None {}
        enum Call {}
        struct Duration;
        struct Ok;
        struct Err;
        type Result<T> = ::core::result::Result<T, super::Failed>;
        macro_rules! file {
            () => {
                compile_error!("not this one")
            };
        }
        macro_rules! concat {
            () => {
                compile_error!("not this one")
            };
        }

        #[super::retry(base = "1ms", clone(name))]
        pub(super) async fn number(name: u8) -> Result<u8> {
            use TRIES as Failed;
            Failed.answer(name).await
        }
    }
    assert_eq!(send(shadowed::number(3)).await, Ok(3));
    assert_eq!(shadowed::TRIES.bodies(), 3);
}

/// A body that hides `Ok`, `Err`, `Some` and `Result`.
/// Hidden for the body alone.
#[tokio::test(start_paused = true)]
async fn hidden_by_the_body() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number() -> Result<u8, Failed> {
        #[expect(dead_code)]
        enum Result {
            Ok,
            Err,
            Some,
        }
        use Result::*;
        impl Result {
            fn then(self) -> std::result::Result<u8, Failed> {
                TRIES.run().map(|()| self as u8)
            }
        }
        if matches!(Ok, Err | Some) {
            return Err.then();
        }
        Ok.then()
    }
    assert_eq!(send(number()).await, Ok(0));
    assert_eq!(TRIES.bodies(), 3);
}

/// Types called as the runtime's.
/// The user's `Call` and `Site` stay the user's.
#[tokio::test(start_paused = true)]
async fn types_of_the_same_names() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Debug, PartialEq)]
    struct Call(u8);
    #[derive(Debug, PartialEq)]
    struct Site(Call);
    #[retry]
    async fn site(number: u8) -> Result<Site, Failed> {
        TRIES.answer(Site(Call(number))).await
    }
    assert_eq!(send(site(4)).await, Ok(Site(Call(4))));
    assert_eq!(TRIES.bodies(), 3);
}

/// A module, a function and a variable called `retry`.
/// `#[stormless::retry]` is the attribute all the same.
#[tokio::test(start_paused = true)]
async fn called_retry() {
    static TRIES: Tries = Tries::failing(2);
    mod retry {
        pub(super) fn double(number: u8) -> u8 {
            number * 2
        }
    }
    #[stormless::retry]
    async fn attempt(retry: u8) -> Result<u8, Failed> {
        TRIES.answer(retry::double(retry)).await
    }
    assert_eq!(send(attempt(2)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
