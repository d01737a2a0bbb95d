use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    First, //~ ERROR variant `First` has no class
    #[retryable(transient)]
    Second,
    #[retryable(base = "50ms", local)]
    Third(u8), //~ ERROR variant `Third` has no class
    r#Fourth { field: u8 }, //~ ERROR variant `Fourth` has no class
}

fn main() {}
