use std::panic::Location;

use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct At(#[expect(dead_code)] u32);

#[retry(blocking)]
#[track_caller] //~ ERROR does not reach the body
fn fail() -> Result<(), At> {
    Err(At(Location::caller().line()))
}

fn main() {
    let _ = fail();
}
