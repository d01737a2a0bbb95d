use stormless::retry;

trait Store {
    type Error;

    #[retry]
    async fn load(&self) -> Result<u8, Self::Error> { //~ ERROR `<Self as Store>::Error` does not say which of its values a retry can help
        Ok(1)
    }
}

fn main() {}
