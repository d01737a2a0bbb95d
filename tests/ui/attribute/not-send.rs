use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn send() -> Result<(), MyError> {
    let shared = std::rc::Rc::new(1);
    std::future::ready(()).await;
    drop(shared);
    Ok(())
}

fn main() {
    fn is_send(_: impl Send) {}
    is_send(send()); //~ ERROR future cannot be sent between threads safely
}
