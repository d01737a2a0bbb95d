//! Breakers that answer to their name without a start-up call.

/// Declares breakers in statics that answer to their names from anywhere in the process, without a
/// start-up call: they register themselves at link time.
///
/// Takes any number of statics, with attributes and visibility. A setting that cannot be honoured
/// is a compile error. One name declared twice with the same settings is one breaker; if the
/// settings differ, the declaration that opens sooner is in effect wherever either is used.
///
/// A crate that is a dependency but never named in code is not linked, and declares nothing.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::{Breaker, breaker};
///
/// breaker! {
///     /// Opens after five failures in a row.
///     pub static ORDERS: Breaker =
///         Breaker::new("orders").consecutive(5).open_for(Duration::from_secs(30));
///     static SEARCH: Breaker = Breaker::new("search").failure_rate(0.5).min_calls(50);
/// }
///
/// println!("{}", stormless::breakers());
/// # assert_eq!((ORDERS.name(), SEARCH.name()), ("orders", "search"));
/// ```
///
/// ```compile_fail,E0080
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::{Breaker, breaker};
///
/// breaker! { static ORDERS: Breaker = Breaker::new("orders").open_for(Duration::ZERO); }
/// ```
///
/// ```compile_fail,E0080
/// # use retry_runtime as stormless;
/// use stormless::{Breaker, breaker};
///
/// breaker! { static ORDERS: Breaker = Breaker::new("orders").failure_rate(1.5); }
/// ```
///
/// ```compile_fail,E0080
/// # use retry_runtime as stormless;
/// use stormless::{Breaker, breaker};
///
/// breaker! { static ORDERS: Breaker = Breaker::new("orders").probes(0); }
/// ```
#[macro_export]
macro_rules! breaker {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $kind:ty = $breaker:expr;)+) => {$(
        $crate::__shared_static! {
            BreakerEntry, $(#[$attribute])* $visibility static $name: $kind = $breaker;
        }
    )+};
}
