use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch() -> Result<&'static str, MyError> {
    let text = String::from("text");
    Ok(&text) //~ ERROR cannot return value referencing local variable `text`
}

fn main() {}
