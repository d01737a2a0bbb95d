use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn several() -> Vec<Result<u8, MyError>> { //~ ERROR of several values none says whether the call failed
    vec![Err(MyError)]
}

#[retry]
async fn array() -> [Result<u8, MyError>; 1] { //~ ERROR of several values none says whether the call failed
    [Err(MyError)]
}

#[retry]
async fn pair() -> (u8, Result<u8, MyError>) { //~ ERROR a tuple is none; return `Result<(_, _), _>`
    (1, Err(MyError))
}

fn main() {}
