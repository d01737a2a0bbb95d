//! Annotated functions whose code deserves lints. `tests/lints.rs` compiles them, with `--cfg fire`, and
//! demands each lint that a comment with a tilde announces (with a circumflex, for the line above), and
//! no other.

#![forbid(unsafe_code)]
#![cfg_attr(
    fire,
    warn(
        missing_docs,
        unreachable_pub,
        unused_qualifications,
        clippy::dbg_macro,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::print_stdout,
        clippy::shadow_unrelated,
        clippy::todo,
        clippy::unwrap_used,
    )
)]

#[cfg(fire)]
pub mod bindings;
#[cfg(fire)]
pub mod blocking;
#[cfg(fire)]
pub mod bodies;
#[cfg(fire)]
pub mod callers;
#[cfg(fire)]
pub mod derived;
#[cfg(fire)]
pub mod failure;
#[cfg(fire)]
pub mod flow;
#[cfg(fire)]
pub mod settings;
#[cfg(fire)]
pub mod signatures;
