use stormless::retry;

#[retry]
async fn fetch<T: Default>() -> T {
    T::default()
}

fn main() {}
