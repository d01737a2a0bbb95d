use stormless::retry;

trait Store {
    type Answer: Default;

    #[retry]
    async fn load(&self) -> Self::Answer { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
        Default::default()
    }
}

fn main() {}
