use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transiant)] //~ ERROR unknown key `transiant`
    Misspelt,
    #[retryable(transient, retry_afer = 0)] //~ ERROR unknown key `retry_afer`
    MisspeltField(std::time::Duration),
    #[retryable(NotExecuted, timeout)] //~ ERROR unknown key `NotExecuted`
    CamelCase,
    #[retryable(fatal)] //~ ERROR unknown key `fatal`
    FarOff,
}

fn main() {}
