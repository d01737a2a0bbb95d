use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Unavailable;

fn send(body: String) -> Result<(), Unavailable> {
    drop(body);
    Ok(())
}

#[retry(blocking)]
fn call(body: String) -> Result<(), Unavailable> { //~ ERROR use of moved value
    send(body)
}

fn main() {}
