//! What stormless reads from others, against any bytes: one function for each kind, which `fuzz_targets` feeds
//! from libFuzzer and `tests/corpus.rs` from the corpus.
//!
//! Each says more than that nothing panics: see the functions.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(fuzzing)]
compile_error!("proc-macro2 keeps no places under `--cfg fuzzing`: add `--no-cfg-fuzzing`");

pub mod documents;
pub mod durations;
pub mod environment;
mod headers;
pub mod macros;
pub mod retry_after;
pub mod settings;
pub mod status;
mod still;
pub mod wire;

// A crate of procedural macros shows nothing else than these, so their sources are taken as they are.
#[path = "../../retry-macros/src/attribute/mod.rs"]
#[allow(unreachable_pub, reason = "there it is part of another crate")]
mod attribute;
#[path = "../../retry-macros/src/derive/mod.rs"]
mod derive;

/// A body.
pub type Body = fn(&[u8]);

/// Each body with the name of its target, which is that of its corpus too.
pub const TARGETS: [(&str, Body); 8] = [
    ("settings", settings::check),
    ("macros", macros::check),
    ("durations", durations::check),
    ("retry_after", retry_after::check),
    ("wire", wire::check),
    ("status", status::check),
    ("documents", documents::check),
    ("environment", environment::check),
];

/// The bytes as text: where they are none, as much as is.
fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}
