use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone(first))]
async fn fetch(
    mut first: String,
    mut second: String,
    [mut third, ref mut fourth]: [u8; 2],
) -> Result<String, MyError> {
    first.push('a');
    second.push('a');
    third += *fourth;
    *fourth += third;
    Ok(first)
}

fn main() {}
