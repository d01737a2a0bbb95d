//! Annotated functions of many kinds, as services write them. `tests/lints.rs` runs clippy on them, and
//! demands that it has nothing to say.

#![forbid(unsafe_code)]
#![deny(warnings)]

pub mod arguments;
pub mod blocking;
pub mod bodies;
pub mod client;
pub mod errors;
pub mod futures;
pub mod generics;
pub mod limits;
pub mod made;
pub mod pace;
pub mod receivers;
pub mod repeats;
pub mod traits;
pub mod wrapped;
