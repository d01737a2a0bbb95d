use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fill(mut buffer: Option<&mut Vec<u8>>) -> Result<(), MyError> { //~ ERROR take it by `&mut`, since a `&mut` inside it cannot be cloned
    if let Some(buffer) = buffer.take() {
        buffer.push(1);
    }
    Ok(())
}

fn main() {}
