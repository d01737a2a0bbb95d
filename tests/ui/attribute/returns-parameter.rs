use stormless::retry;

#[retry]
async fn fetch<T: Default>() -> T { //~ ERROR `T` may be any type; write `Result<T, _>`
    T::default()
}

fn main() {}
