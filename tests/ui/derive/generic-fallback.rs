use std::fmt::Debug;

use stormless::{BreakerOpen, Retryable};

#[derive(Debug, Retryable)]
enum Error<'a, E: Debug, const N: usize>
where
    E: Retryable,
{
    #[retryable(forward = first)] //~ ERROR there is no field `first`
    Inner(E),
    #[retryable(breaker_open)]
    Open(&'a [u8; N]),
    Unclassified, //~ ERROR variant `Unclassified` has no class
}

fn needs<E: Retryable + From<BreakerOpen>>() {}

fn main() {
    needs::<Error<'static, std::convert::Infallible, 3>>();
}
