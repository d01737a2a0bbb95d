use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(classify = classifier())] //~ ERROR `classify` needs the path of a function or a closure
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
