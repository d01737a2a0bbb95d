//! Bodies that do several things at once, or call annotated functions.
//!
//! Branches, tasks and inner calls belong to the attempt that made them.

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `async` blocks and closures with `?` and `return` of their own.
/// They end the block that they stand in.
#[tokio::test(start_paused = true)]
async fn async_blocks() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sum(text: &str) -> Result<u32, Failed> {
        let inner = async {
            if text.is_empty() {
                return Ok(0);
            }
            text.parse::<u32>()
        };
        let double = async |number: u32| Ok::<_, Failed>(TRIES.answer(number).await? * 2);
        double(inner.await?).await
    }
    assert_eq!(send(sum("4")).await, Ok(8));
    assert_eq!(TRIES.bodies(), 3);
}

/// `join!` and `try_join!`.
/// Each attempt runs all branches again.
#[tokio::test(start_paused = true)]
async fn join() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn sum(left: u8, right: u8) -> Result<u8, Failed> {
        let (left, three) = tokio::join!(async { left }, async { 3 });
        let (sum, right) = tokio::try_join!(TRIES.answer(left + three), async { Ok(right) })?;
        Ok(sum + right)
    }
    assert_eq!(send(sum(1, 2)).await, Ok(6));
    assert_eq!(TRIES.bodies(), 2);
}

/// `select!`.
/// `return`, `?` and the branch that was dropped are the attempt's.
#[tokio::test(start_paused = true)]
#[expect(clippy::needless_return, reason = "returning from an arm is what is tried")]
async fn select() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn first(number: u8) -> Result<u8, Failed> {
        let never = std::future::pending::<u8>();
        tokio::select! {
            _ = never => return Err(Failed),
            answer = TRIES.answer(number) => Ok(answer? + 1),
        }
    }
    assert_eq!(send(first(4)).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}

/// Tasks.
/// What an attempt spawned and did not wait for goes on beside the next one.
#[tokio::test(start_paused = true)]
async fn tasks() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn spawned(number: u8) -> Result<u8, Failed> {
        let task = tokio::spawn(async move { TRIES.answer(number).await });
        task.await.map_err(|_| Failed)?
    }
    assert_eq!(send(spawned(4)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// Code after a `return`.
/// `unreachable_code` fires on the user's statement, and on nothing else.
#[tokio::test(start_paused = true)]
async fn unreachable() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[expect(unreachable_code)]
    async fn number() -> Result<u8, Failed> {
        return TRIES.answer(4).await;
        Ok(5)
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// Calling itself, by `Box::pin`.
/// Within an attempt the inner calls run once, so that the levels do not multiply.
#[tokio::test(start_paused = true)]
async fn recursion() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn down(depth: u8) -> Result<u8, Failed> {
        if depth == 0 {
            return TRIES.answer(0).await;
        }
        Ok(Box::pin(down(depth - 1)).await? + 1)
    }
    assert_eq!(send(down(3)).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// Calling another annotated function.
/// Within an attempt the inner one runs once, and the outer one repeats it.
#[tokio::test(start_paused = true)]
async fn nested() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn outer() -> Result<u8, Failed> {
        #[retry(attempts = 5)]
        async fn inner() -> Result<u8, Failed> {
            TRIES.answer(4).await
        }
        Ok(inner().await? + 1)
    }
    assert_eq!(send(outer()).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}
