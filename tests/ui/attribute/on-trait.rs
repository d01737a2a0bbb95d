use stormless::retry;

#[retry(attempts = 0)]
trait Store {}

fn main() {}
