//! What `#[retry(…)]` may say: its settings as they are parsed, as a typed model, and what they must say together.
//!
//! An implementation detail of `stormless`. Depend on that crate; this one is pinned by it, and changes as it
//! needs. It is a crate of its own so that a tool that has no compiler beside it reads policies by the very rules
//! of the attribute (feature `text`).
//!
//! ```
//! use retry_grammar::diagnostics::Errors;
//!
//! let mut errors = Errors::default();
//! let settings = retry_grammar::parse("attempts = 3, idempotent".parse()?, &mut errors);
//! assert!(settings.idempotent.is_some());
//! assert!(errors.finish(()).is_ok());
//! # Ok::<(), proc_macro2::LexError>(())
//! ```

#![forbid(unsafe_code)]
// Shows on each item which feature it needs; for nightly, which the documentation is published with.
#![cfg_attr(docsrs, feature(doc_cfg))]
// The lints of this crate stand in Cargo.toml. Whoever depends on it by path lints it along with the own
// crate, and has other lints in mind.
#![allow(clippy::nursery, clippy::must_use_candidate, clippy::return_self_not_must_use)]

mod args;
mod check;
pub mod diagnostics;
pub mod duration;
mod keys;
pub mod model;
mod read;
pub mod retryable;
#[cfg(feature = "text")]
pub mod text;
mod value;

use proc_macro2::TokenStream;

pub use keys::Key;

use args::Entry;
use diagnostics::Errors;
use model::Settings;

/// Reads what stands in the attribute's parentheses. Without a mistake all settings make sense, by themselves and
/// together; with some, those that were refused are not there.
pub fn parse(tokens: TokenStream, errors: &mut Errors) -> Settings {
    parse_entries(tokens, errors).0
}

fn parse_entries(tokens: TokenStream, errors: &mut Errors) -> (Settings, Vec<Entry>) {
    let (entries, misread) = args::parse(tokens);
    for error in misread {
        errors.add(error);
    }
    let (settings, given) = read::read(&entries, errors);
    check::check(&settings, &given, errors);
    (settings, entries)
}
