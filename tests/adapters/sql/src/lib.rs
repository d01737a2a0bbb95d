//! The tests of this package are what it is for, and the examples of its page.

#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/adapters/sql.md")]
struct Page;
