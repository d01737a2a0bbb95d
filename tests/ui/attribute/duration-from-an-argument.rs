use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = pause)] //~ ERROR `base` needs a literal with a unit or the path of a const `Duration`
async fn fetch(pause: std::time::Duration) -> Result<(), MyError> {
    let _ = pause;
    Ok(())
}

fn main() {}
