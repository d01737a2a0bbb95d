//! A function of every shape, annotated: what comes out behaves as the plain one would, with retries.
//!
//! Each test is one row of `docs/signatures.md`. Its doc comment is the row's text: the first line
//! names the shape, the others say what happens. The function in it is shown as it is written here.
//! After a change: `STORMLESS_RENEW=1 cargo test --test shapes`, and read the difference.
//!
//! The lints below would fire on generated code, and names and `Send` are the user's to lose.

// No `allow` may be emitted for these: it would be an error here. `unreachable_code` is forbidden below,
// but where attributes and macros of others are used that allow it themselves.
#![forbid(unused_braces, unused_parens)]
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

#[forbid(unreachable_code)]
mod aliases;
#[forbid(unreachable_code)]
mod arguments;
#[forbid(unreachable_code)]
mod arguments_by_trait;
#[forbid(unreachable_code)]
mod associated;
#[forbid(unreachable_code)]
mod attributes;
#[forbid(unreachable_code)]
mod blocking;
#[forbid(unreachable_code)]
mod blocking_arguments;
mod blocking_bodies;
#[forbid(unreachable_code)]
mod blocking_settings;
#[forbid(unreachable_code)]
mod bodies;
mod bodies_concurrent;
#[forbid(unreachable_code)]
mod clones;
#[forbid(unreachable_code)]
mod endings;
mod extract;
#[forbid(unreachable_code)]
mod future_bodies;
#[forbid(unreachable_code)]
mod futures;
#[forbid(unreachable_code)]
mod generics;
mod guarded;
mod hedged;
#[forbid(unreachable_code)]
mod items;
#[forbid(unreachable_code)]
mod lifetimes;
#[forbid(unreachable_code)]
mod macros;
#[forbid(unreachable_code)]
mod macros_settings;
mod method_arguments;
mod method_defaults;
mod method_settings;
mod method_stacks;
mod methods;
#[forbid(unreachable_code)]
mod names;
#[forbid(unreachable_code)]
mod patterns;
#[forbid(unreachable_code)]
mod pointers;
#[forbid(unreachable_code)]
mod receivers;
mod recording;
mod recursion;
#[forbid(unreachable_code)]
mod returns;
#[forbid(unreachable_code)]
mod scopes;
mod spans;
mod stacking;
mod support;
mod table;
#[forbid(unreachable_code)]
mod traits;
mod waits;
