use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = pause)]
async fn fetch(pause: std::time::Duration) -> Result<(), MyError> {
    let _ = pause;
    Ok(())
}

fn main() {}
