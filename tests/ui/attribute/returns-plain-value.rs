use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn boolean() -> bool { //~ ERROR a `bool` does not say what failed; return an error that does
    true
}

#[retry]
async fn number() -> u64 { //~ ERROR a `u64` does not say what failed; return an error that does
    1
}

#[retry]
async fn text() -> String { //~ ERROR a `String` does not say what failed; return an error that does
    String::new()
}

#[retry]
async fn function() -> fn() -> Result<u8, MyError> { //~ ERROR a function is none; call it in the body and return its `Result`
    || Err(MyError)
}

fn main() {}
