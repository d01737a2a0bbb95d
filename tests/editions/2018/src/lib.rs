//! What the macros write, in a crate of edition 2018.
#![cfg(test)]

mod attribute;
mod derive;
