use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transiant)]
    Misspelt,
    #[retryable(transient, retry_afer = 0)]
    MisspeltField(std::time::Duration),
    #[retryable(NotExecuted, timeout)]
    CamelCase,
    #[retryable(fatal)]
    FarOff,
}

fn main() {}
