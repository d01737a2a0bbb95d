use stormless::retry;

#[retry]
async fn report() -> Result<(), Report> { //~ ERROR `Report` does not say which of its values a retry can help
    Ok(())
}

#[retry]
async fn alias() -> Result<(), std::num::ParseIntError> { //~ ERROR `ParseIntError` does not say which of its values a retry can help
    Ok(())
}

/// As error types that wrap any other are written.
pub struct Report(Box<dyn std::error::Error + Send + Sync>);

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Report {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl Report {
    pub fn root(&self) -> &dyn std::error::Error {
        &*self.0
    }
}

fn main() {}
