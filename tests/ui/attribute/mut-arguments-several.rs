use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone(first))]
async fn fetch(
    mut first: String,
    mut second: String, //~ ERROR changes of `second` in one attempt would be seen by the next
    [mut third, ref mut fourth]: [u8; 2], //~ ERROR changes of `third` in one attempt would be seen by the next //~ ERROR changes of `fourth` in one attempt would be seen by the next
) -> Result<String, MyError> {
    first.push('a');
    second.push('a');
    third += *fourth;
    *fourth += third;
    Ok(first)
}

fn main() {}
