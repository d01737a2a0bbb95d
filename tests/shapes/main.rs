//! A function of every shape, annotated: what comes out behaves as the plain one would, with retries.
//!
//! Each test is one row of `docs/signatures.md`. Its doc comment is the row's text: the first line
//! names the shape, the others say what happens. The function in it is shown as it is written here.
//! After a change: `STORMLESS_RENEW=1 cargo test --test shapes`, and read the difference.
//!
//! The lints below would fire on generated code, and names and `Send` are the user's to lose.

// No `allow` may be emitted for these: it would be an error here.
#![forbid(unsafe_code, unreachable_code, unused_braces, unused_parens)]
#![deny(
    warnings,
    unused,
    future_incompatible,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    let_underscore_drop,
    meta_variable_misuse,
    single_use_lifetimes,
    trivial_casts,
    unit_bindings,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic
)]

mod blocking;
mod blocking_bodies;
mod blocking_settings;
mod extract;
mod future_bodies;
mod futures;
mod method_arguments;
mod method_defaults;
mod method_settings;
mod method_stacks;
mod methods;
mod pointers;
mod receivers;
mod recording;
mod recursion;
mod spans;
mod stacking;
mod support;
mod table;
mod waits;
