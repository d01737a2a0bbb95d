use stormless::retry;

type Number = u8;

#[retry(idempotent, hedge = "1s")]
async fn fetch() -> Number { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
    7
}

fn main() {}
