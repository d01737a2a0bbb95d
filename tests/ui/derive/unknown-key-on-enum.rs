use stormless::Retryable;

#[derive(Retryable)]
#[retryable(defualt = permanent)]
enum Error {
    #[retryable(transient)]
    Blip,
    Other,
}

fn main() {}
