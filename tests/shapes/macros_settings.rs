//! Attributes that `macro_rules!` write.
//!
//! Fragments may stand where a value may stand. They are checked as if they had been written there.

use stormless::{Classification, Policy, retry};

use crate::support::{Failed, Tries, send};

/// `$base:literal` and `$attempts:expr` as settings.
/// Checked as if they had been written there.
#[tokio::test(start_paused = true)]
async fn settings() {
    static TRIES: Tries = Tries::failing(9);
    macro_rules! define {
        ($base:literal, $attempts:expr, $classify:expr) => {
            #[retry(base = $base, attempts = $attempts, classify = $classify)]
            async fn number() -> Result<u8, Failed> {
                TRIES.answer(4).await
            }
        };
    }
    define!("1ms", 4, |_: &Failed| Classification::transient());
    assert_eq!(send(number()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 4);
}

/// `$policy:path` as a setting.
/// A const that the macro's user names.
#[tokio::test(start_paused = true)]
async fn policy() {
    static TRIES: Tries = Tries::failing(9);
    const TWICE: Policy = Policy::new().attempts(2);
    macro_rules! define {
        ($policy:path) => {
            #[retry(policy = $policy)]
            async fn number() -> Result<u8, Failed> {
                TRIES.answer(4).await
            }
        };
    }
    define!(TWICE);
    assert_eq!(send(number()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 2);
}

/// `$($settings:tt)*`.
/// Settings that are handed on as they are.
#[tokio::test(start_paused = true)]
async fn settings_handed_on() {
    static TRIES: Tries = Tries::failing(9);
    macro_rules! define {
        ($($settings:tt)*) => {
            #[retry($($settings)*)]
            async fn number() -> Result<u8, Failed> {
                TRIES.answer(4).await
            }
        };
    }
    define!(attempts = 2, base = "1ms");
    assert_eq!(send(number()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 2);
}

/// `$(#[$meta:meta])*` and `$visibility:vis`.
/// Attributes and visibility of the macro's user.
#[tokio::test(start_paused = true)]
async fn attributes_and_visibility() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($(#[$meta:meta])* $visibility:vis fn $name:ident) => {
            $(#[$meta])*
            #[retry]
            $visibility async fn $name() -> Result<u8, Failed> {
                TRIES.answer(4).await
            }
        };
    }
    define!(
        /// Answers.
        #[must_use = "it does nothing unless awaited"]
        pub(crate) fn number
    );
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `$meta:meta` that is `retry` itself.
/// The macro's user decides whether there are retries.
#[tokio::test(start_paused = true)]
async fn attribute_by_the_user() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($(#[$meta:meta])* $name:ident) => {
            $(#[$meta])*
            async fn $name() -> Result<u8, Failed> {
                TRIES.answer(4).await
            }
        };
    }
    define!(
        #[retry(attempts = 3)]
        number
    );
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
