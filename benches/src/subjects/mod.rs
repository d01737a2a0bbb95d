//! What is measured on the success path: the same body, bare and wrapped in everything.

#[cfg(feature = "peers")]
mod http;
mod own;
#[cfg(feature = "peers")]
mod peers;

use crate::work::Down;

pub use own::{BARE, BARE_BLOCKING, HAND, NAMED, OWN, STATIC};

/// One way to make the call.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// What the tables call it.
    pub name: &'static str,
    /// The peer that it comes from, if any.
    pub peer: Option<&'static str>,
    /// The name of what it is compared with: the same without retries.
    pub bare: &'static str,
    /// The name of the loop by hand that it is compared with.
    pub hand: Option<&'static str>,
    /// Makes this many calls that succeed at once.
    pub run: fn(u64) -> u64,
    /// The size of the future of one call, where there is a future.
    pub bytes: fn() -> Option<usize>,
}

/// The smallest set, which the guard watches.
pub const GUARDED: [Subject; 4] = [BARE, OWN, STATIC, NAMED];

/// Everything that is built, in the order of the tables.
pub fn all() -> Vec<Subject> {
    #[cfg(feature = "peers")]
    let peers = [peers::ALL.as_slice(), &http::ALL].concat();
    #[cfg(not(feature = "peers"))]
    let peers = Vec::new();
    [own::ALL.to_vec(), peers].concat()
}

/// The subject of this name.
pub fn named(name: &str, among: &[Subject]) -> Option<Subject> {
    among.iter().find(|subject| subject.name == name).copied()
}

/// What a call's result adds to the sum that keeps the loop alive.
#[inline]
fn value<E>(result: Result<u64, E>) -> u64 {
    result.unwrap_or(0)
}

/// A subject: the loop of its calls, each with the result of the one before, and the size of a future.
macro_rules! subject {
    // What is made first is shared by all calls, such as a client.
    ($name:literal, $peer:expr, $(let $shared:pat = $make:expr;)? |$input:ident| $call:expr) => {
        subject!(at_once, $name, $peer, $(let $shared = $make;)? |$input| $call)
    };
    // `to_end` is for futures that wait.
    (
        $drive:ident, $name:literal, $peer:expr,
        $(let $shared:pat = $make:expr;)? |$input:ident| $call:expr
    ) => {
        $crate::subjects::Subject {
            name: $name,
            peer: $peer,
            bare: "bare async fn",
            hand: Some("hand-written loop"),
            run: {
                // A function and no closure: the shim that makes a pointer of a closure is compiled apart
                // from the statics of this module, and sees nothing of them.
                fn run(calls: u64) -> u64 {
                    $(let $shared = $make;)?
                    let mut last = 0_u64;
                    for _ in 0..calls {
                        let $input = std::hint::black_box(last + 1);
                        last = $crate::subjects::value($crate::drive::$drive($call));
                    }
                    last
                }
                run
            },
            bytes: || {
                $(let $shared = $make;)?
                let $input = 1_u64;
                Some(size_of_val(&$call))
            },
        }
    };
}
/// A subject that is no future.
macro_rules! blocking {
    ($name:literal, |$input:ident| $call:expr) => {
        $crate::subjects::Subject {
            name: $name,
            peer: None,
            bare: "bare blocking fn",
            hand: None,
            run: {
                fn run(calls: u64) -> u64 {
                    let mut last = 0_u64;
                    for _ in 0..calls {
                        let $input = std::hint::black_box(last + 1);
                        last = $crate::subjects::value($call);
                    }
                    last
                }
                run
            },
            bytes: || None,
        }
    };
}
use {blocking, subject};

/// The body as an async function, for peers that wrap one.
async fn bare(input: u64) -> Result<u64, Down> {
    crate::work::work(input)
}
