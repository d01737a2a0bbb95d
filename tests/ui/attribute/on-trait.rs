use stormless::retry;

#[retry(attempts = 0)] //~ ERROR `attempts` is 0
trait Store {} //~ ERROR `#[retry]` on a trait

fn main() {}
