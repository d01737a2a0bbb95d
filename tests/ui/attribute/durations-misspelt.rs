use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = "")] //~ ERROR a duration is empty: write a number and a unit, such as "50ms"
async fn empty() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "-5s")] //~ ERROR a duration cannot be negative: write "5s"
async fn negative() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "5 s")] //~ ERROR ` s` is not a unit: write one of `ns`
async fn spaced() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "1s1m")] //~ ERROR `m` comes after `s`: larger units go first, as in "1m30s"
async fn ascending() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "1s1s")] //~ ERROR the unit `s` comes twice: add its numbers up
async fn repeated() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "99999999999999999999s")] //~ ERROR `99999999999999999999s` is longer than a duration can be
async fn too_long() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "1e3s")] //~ ERROR `e` is not a unit: write one of `ns`
async fn exponent() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "5S")] //~ ERROR `S` is not a unit: write one of `ns`
async fn upper_case() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
