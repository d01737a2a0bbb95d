use stormless::Retryable;

#[derive(Retryable)]
#[retryable(defualt = permanent)] //~ ERROR unknown key `defualt`
enum Error {
    #[retryable(transient)]
    Blip,
    Other,
}

fn main() {}
