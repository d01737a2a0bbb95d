//! Tools that the tests share: `promtool`, a reader of `PromQL`, and a browser.

pub mod browser;
pub mod promql;
pub mod tool;
