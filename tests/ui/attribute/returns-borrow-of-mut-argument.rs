use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn first(words: &mut Vec<String>) -> Result<&str, MyError> {
    Ok(&words[0])
}

#[retry]
async fn named<'a>(words: &'a mut Vec<String>, _: &u8) -> Result<Option<&'a str>, MyError> {
    Ok(Some(&words[0]))
}

#[retry]
async fn pinned(words: std::pin::Pin<&mut String>) -> Result<std::str::Chars<'_>, MyError> {
    Ok(words.into_ref().get_ref().chars())
}

fn main() {}
