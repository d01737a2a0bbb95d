//! 9,990 annotated functions, written by the build script. To link this crate is enough to have them in
//! the process's tables.

use stormless::{Retryable, retry};

/// What their bodies fail with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Retryable)]
#[retryable(transient)]
pub struct Down;

fn work(value: u64) -> Result<u64, Down> {
    if value == 0 { Err(Down) } else { Ok(value) }
}

include!(concat!(env!("OUT_DIR"), "/sites.rs"));
