//! What the standard library does not have everywhere: on `wasm32-unknown-unknown` its clocks and its
//! sleep panic, and the keys of its hash maps are addresses.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[path = "platform/std.rs"]
mod imp;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[path = "platform/wasm.rs"]
mod imp;

pub(crate) use imp::*;
