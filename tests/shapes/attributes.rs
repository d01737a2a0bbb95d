//! Other attributes.
//!
//! They may stand above and below `#[retry]`, and stay on the function.

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// Documented above and below.
/// Both comments stay.
#[tokio::test(start_paused = true)]
async fn documented() {
    static TRIES: Tries = Tries::failing(1);
    /// Answers.
    #[retry]
    /// With four.
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `#[must_use]`, `#[inline]` and `#[cold]`.
/// They stay on the function that is called.
#[tokio::test(start_paused = true)]
async fn must_use() {
    static TRIES: Tries = Tries::failing(1);
    #[must_use = "it does nothing unless awaited"]
    #[retry]
    #[inline]
    #[cold]
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `#[deprecated]`.
/// The caller is told, and nobody else.
#[tokio::test(start_paused = true)]
async fn deprecated() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    #[deprecated]
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    #[expect(deprecated)]
    let call = number();
    assert_eq!(send(call).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `#[cfg]` above and below.
/// The function is there or not.
#[tokio::test(start_paused = true)]
async fn under_cfg() {
    static TRIES: Tries = Tries::failing(1);
    #[cfg(test)]
    #[retry]
    #[cfg(not(miri))]
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    #[retry]
    #[cfg(not(test))]
    async fn number() -> Nothing {}
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `#[cfg_attr(.., retry)]`, where the condition holds.
/// As `#[retry]`.
#[tokio::test(start_paused = true)]
async fn under_cfg_attr() {
    static TRIES: Tries = Tries::failing(2);
    #[cfg_attr(test, retry(base = "1ms"))]
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[cfg_attr(.., retry)]`, where the condition does not hold.
/// The plain function.
#[tokio::test(start_paused = true)]
async fn under_cfg_attr_not_met() {
    static TRIES: Tries = Tries::failing(2);
    #[cfg_attr(not(test), retry)]
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 1);
}

/// Lints on the arguments.
/// `unused_variables` and `unused_mut` still see what the user wrote, and nothing else.
#[tokio::test(start_paused = true)]
async fn lints_of_arguments() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(clone(number))]
    #[expect(unused_variables, unused_mut)]
    async fn echo(mut number: u8, unused: u8) -> Result<u8, Failed> {
        TRIES.answer(number).await
    }
    #[retry]
    #[expect(dead_code, reason = "the lint still sees that nobody calls it")]
    async fn forgotten() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(echo(4, 5)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// Inner attributes.
/// They stay in the body and are about all of it.
#[tokio::test(start_paused = true)]
async fn inner_attributes() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn number() -> Result<u8, Failed> {
        #![expect(unused_assignments)]
        let mut number = 3;
        number = 4;
        TRIES.answer(number).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}
