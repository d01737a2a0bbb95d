use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
fn rows() -> impl Iterator<Item = Result<u8, MyError>> { //~ ERROR can fail only later, where no retry sees it
    std::iter::empty()
}

fn main() {}
