use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn first(words: &mut Vec<String>) -> Result<&str, MyError> { //~ ERROR a borrow from a `&mut` argument cannot be returned
    Ok(&words[0])
}

#[retry]
async fn named<'a>(words: &'a mut Vec<String>, _: &u8) -> Result<Option<&'a str>, MyError> { //~ ERROR a borrow from a `&mut` argument cannot be returned
    Ok(Some(&words[0]))
}

#[retry]
async fn pinned(words: std::pin::Pin<&mut String>) -> Result<std::str::Chars<'_>, MyError> { //~ ERROR a borrow from a `&mut` argument cannot be returned
    Ok(words.into_ref().get_ref().chars())
}

fn main() {}
