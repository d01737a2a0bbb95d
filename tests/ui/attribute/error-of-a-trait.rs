use stormless::retry;

trait Store {
    type Error;

    #[retry]
    async fn load(&self) -> Result<u8, Self::Error> {
        Ok(1)
    }
}

fn main() {}
