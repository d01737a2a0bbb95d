use stormless::{Classification, Retryable, retry};

struct NotYet;

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

type Answer = Vec<u8>;

#[retry(blocking)]
fn not_retryable() -> Result<(), NotYet> { //~ ERROR `NotYet` does not say which of its values a retry can help
    Ok(())
}

#[retry(blocking)]
fn no_result() -> Answer { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
    Vec::new()
}

#[retry(blocking)]
fn wrong_ok() -> Result<u8, MyError> {
    Ok("1") //~ ERROR expected `u8`, found `&str`
}

#[retry(blocking)]
fn semicolon() -> Result<u8, MyError> { //~ ERROR expected `Result<u8, MyError>`, found `()`
    load();
}

#[retry(blocking, deadline = "1s", cut_error = |_| "late")] //~ ERROR expected `MyError`, found `&str`
fn cut() -> Result<u8, MyError> {
    load()
}

fn load() -> Result<u8, MyError> {
    Ok(1)
}

fn main() {}
