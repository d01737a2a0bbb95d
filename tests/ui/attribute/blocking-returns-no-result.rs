use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(blocking)]
fn lazy() -> impl Iterator<Item = Result<u8, MyError>> { //~ ERROR a lazy sequence fails while it is read, when the attempt is over
    std::iter::empty()
}

#[retry(blocking)]
fn option() -> Option<u8> { //~ ERROR an `Option` does not say why there is nothing
    None
}

#[retry(blocking)]
fn parameter<T: Default>() -> T { //~ ERROR `T` may be any type; write `Result<T, _>`
    T::default()
}

#[retry(blocking)]
fn nothing() {} //~ ERROR this one returns nothing

fn main() {}
