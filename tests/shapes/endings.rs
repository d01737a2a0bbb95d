//! How a body may end.
//!
//! The last expression is the attempt's result, whatever kind it is of.

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `Ok(())` after a `?`.
/// The type of the error is the function's.
#[tokio::test(start_paused = true)]
async fn ok() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn ping() -> Result<(), Failed> {
        TRIES.answer(()).await?;
        Ok(())
    }
    assert_eq!(send(ping()).await, Ok(()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `return …;` with a semicolon.
/// Nothing follows.
#[tokio::test(start_paused = true)]
async fn returned() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number() -> Result<u8, Failed> {
        return TRIES.answer(4).await;
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `loop`.
/// It ends by `return`, `?` or a `break` with the result.
#[tokio::test(start_paused = true)]
async fn endless() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn count(to: u8) -> Result<u8, Failed> {
        let mut count = 0;
        loop {
            count += 1;
            if count == to {
                break TRIES.answer(count).await;
            }
        }
    }
    assert_eq!(send(count(4)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `match`.
/// Arms with values, early returns and awaits.
#[tokio::test(start_paused = true)]
#[expect(clippy::needless_return, reason = "returning from an arm is what is tried")]
async fn matched() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(text: &str) -> Result<u8, Failed> {
        match text.parse() {
            Ok(0) => Err(Failed),
            Ok(number) => TRIES.answer(number).await,
            Err(_) => return Ok(0),
        }
    }
    assert_eq!(send(number("4")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `if` and `else`.
/// Each branch is a result.
#[tokio::test(start_paused = true)]
async fn branches() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(text: Option<&str>) -> Result<u8, Failed> {
        if let Some(text) = text { TRIES.answer(text.parse()?).await } else { Err(Failed) }
    }
    assert_eq!(send(number(Some("4"))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `let … else`.
/// The `else` ends the attempt.
#[tokio::test(start_paused = true)]
async fn let_else() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn first(words: &[&str]) -> Result<usize, Failed> {
        let [first, ..] = words else {
            return Err(Failed);
        };
        TRIES.answer(first.len()).await
    }
    assert_eq!(send(first(&["four"])).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A macro call.
/// In round, square or curly brackets.
#[tokio::test(start_paused = true)]
async fn macro_call() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! answer {
        ($number:expr) => {
            TRIES.answer($number).await
        };
    }
    #[retry]
    async fn number() -> Result<u8, Failed> {
        answer! { 4 }
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A block.
/// With statements of its own; `unused_braces` sees the user's braces alone.
#[tokio::test(start_paused = true)]
async fn block() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number() -> Result<u8, Failed> {
        {
            let number = 4;
            TRIES.answer(number).await
        }
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A method chain on a future.
/// Nothing is awaited twice.
#[tokio::test(start_paused = true)]
async fn chain() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(text: &str) -> Result<u8, Failed> {
        TRIES.answer(text).await.and_then(|text| Ok(text.parse()?)).map(|number: u8| number + 1)
    }
    assert_eq!(send(number("3")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Err(..)?` alone.
/// It converts, and there is no value at all.
#[tokio::test(start_paused = true)]
async fn only_an_error() {
    static TRIES: Tries = Tries::failing(0);
    #[retry]
    async fn number() -> Result<u8, Failed> {
        TRIES.run()?;
        Err("x".parse::<u8>().unwrap_err())?
    }
    assert_eq!(send(number()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
}

/// A diverging branch.
/// `unreachable!`, `todo!` and `panic!` take the type that is wanted.
#[tokio::test(start_paused = true)]
async fn diverging() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(ready: bool) -> Result<u8, Failed> {
        if ready { TRIES.answer(4).await } else { unreachable!("never asked before it is ready") }
    }
    assert_eq!(send(number(true)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// One expression that never waits.
/// A body without an `await` is retried like any other.
#[tokio::test(start_paused = true)]
async fn without_await() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn ping() -> Result<(), Failed> {
        TRIES.run()
    }
    assert_eq!(send(ping()).await, Ok(()));
    assert_eq!(TRIES.bodies(), 3);
}
