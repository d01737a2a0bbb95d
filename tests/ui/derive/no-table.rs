use stormless::{Classification, Retryable, testing::classification_table};

struct ByHand;

impl Retryable for ByHand {
    fn classify(&self) -> Classification {
        Classification::permanent()
    }
}

fn main() {
    let _ = classification_table::<ByHand>(); //~ ERROR the classes of `ByHand` cannot be listed
    let _ = classification_table::<std::fmt::Error>(); //~ ERROR the classes of `std::fmt::Error` cannot be listed
}
