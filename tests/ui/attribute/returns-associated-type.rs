use stormless::retry;

trait Store {
    type Answer: Default;

    #[retry]
    async fn load(&self) -> Self::Answer {
        Default::default()
    }
}

fn main() {}
