//! What runs on its thread cannot be ended.
use std::{io, time::Duration};

use stormless::Policy;

fn main() {
    let _ = Policy::new()
        .run_blocking(|| Ok::<u32, io::Error>(7))
        .attempt_timeout(Duration::from_secs(1)) //~ ERROR an attempt that runs on its thread cannot be ended
        .call();
}
