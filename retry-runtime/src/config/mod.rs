//! Overrides from outside of the code: from the environment, and from a file that is watched.

mod applied;
#[cfg(feature = "toml-1")]
mod claim;
#[cfg(feature = "toml-1")]
mod document;
mod environment;
#[cfg(feature = "toml-1")]
mod error;
mod fault;
#[cfg(feature = "toml-1")]
mod file;
#[cfg(feature = "toml-1")]
mod start;
mod tell;
#[cfg(feature = "toml-1")]
mod time;
#[cfg(feature = "toml-1")]
mod values;
#[cfg(feature = "toml-1")]
mod walk;
#[cfg(feature = "toml-1")]
mod watch;
mod write;

pub use applied::{Applied, Remark};
#[cfg(feature = "toml-1")]
pub use document::{Document, parse};
pub use environment::{environment, environment_from};
#[cfg(feature = "toml-1")]
pub use error::ConfigFileError;
pub use fault::{Fault, Faults};
#[cfg(feature = "toml-1")]
pub use start::{Started, start, start_lenient};
#[cfg(feature = "toml-1")]
pub use watch::{Look, Watch, Watcher, watch};
