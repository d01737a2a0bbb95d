//! How stormless was built.

use std::marker::PhantomData;

use stormless::Retryable;

/// Whether another member that is built at the same time has switched `tokio-1` on: it alone knows
/// this error.
#[allow(dead_code, clippy::needless_borrow, reason = "depends on the build, as the answer does")]
pub(crate) fn is_tokios() -> bool {
    struct Probe<E>(PhantomData<E>);
    impl<E: Retryable> Probe<E> {
        fn is_known(&self) -> bool {
            let Self(PhantomData) = self;
            true
        }
    }
    trait Otherwise {
        fn is_known(&self) -> bool;
    }
    impl<E> Otherwise for &Probe<E> {
        fn is_known(&self) -> bool {
            false
        }
    }
    let found = (&Probe::<tokio::time::error::Elapsed>(PhantomData)).is_known();
    if found {
        println!("nothing is tested: built along with what uses tokio");
    }
    found
}
