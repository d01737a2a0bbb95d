//! What the macros write, in a crate of edition 2018.
#![cfg(test)]
#![forbid(unsafe_code)]

mod attribute;
mod derive;
mod forms;
