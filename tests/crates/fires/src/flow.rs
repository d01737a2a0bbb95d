//! What is never reached, what is never left, and what leaves in a roundabout way.

use std::sync::Mutex;

use stormless::retry;

use crate::failure::{Failure, work};

#[retry]
async fn never_called() -> Result<u32, Failure> {
    //~^ dead_code
    work().await
}

struct Store {
    number: Mutex<u32>,
}

impl Store {
    #[retry]
    async fn never_called(&self) -> Result<u32, Failure> {
        //~^ dead_code
        work().await
    }

    #[retry]
    async fn locked(&self) -> Result<u32, Failure> {
        //~^ clippy::future_not_send
        let guard = self.number.lock().map_err(|_| Failure)?; //~ clippy::await_holding_lock
        let number = work().await?;
        Ok(number + *guard)
    }
}

#[retry]
async fn unreachable() -> Result<u32, Failure> {
    return work().await;
    work().await //~ unreachable_code
}

#[retry(attempts = 1)]
async fn diverges() -> Result<u32, Failure> {
    panic!("always"); //~ clippy::panic
    work().await //~ unreachable_code
}

#[retry]
async fn labels() -> Result<u32, Failure> {
    'never: for number in 0..3 {
        //~^ unused_labels
        if number == work().await? {
            break;
        }
    }
    Ok(1)
}

#[retry]
async fn arms() -> Result<u32, Failure> {
    match work().await? {
        0..=3 => Ok(1),
        2 => Ok(2), //~ unreachable_patterns
        number => Ok(number),
    }
}

#[retry]
async fn returns() -> Result<u32, Failure> {
    work().await?;
    return Ok(1); //~ clippy::needless_return
}

#[retry]
async fn returns_early(number: u32) -> Result<u32, Failure> {
    match number {
        1 => Ok(1),
        _ => {
            return work().await; //~ clippy::needless_return
        }
    }
}

#[retry]
async fn binds() -> Result<u32, Failure> {
    let result = work().await;
    result //~ clippy::let_and_return
}

#[retry]
async fn asks() -> Result<u32, Failure> {
    Ok(work().await?) //~ clippy::needless_question_mark
}

#[retry]
async fn braces() -> Result<u32, Failure> {
    { work().await } //~ unused_braces
}

/// Whoever calls them.
///
/// # Errors
///
/// Theirs.
pub async fn call() -> Result<u32, Failure> {
    //~^ clippy::future_not_send
    let store = Store { number: Mutex::new(1) };
    let sum = store.locked().await? + unreachable().await? + diverges().await? + labels().await?;
    let more = arms().await? + returns().await? + returns_early(1).await? + binds().await?;
    Ok(sum + more + asks().await? + braces().await?)
}
