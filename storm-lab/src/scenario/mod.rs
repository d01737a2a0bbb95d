//! What is simulated.

pub mod model;

pub use model::{
    Clients, Contention, Distribution, Edge, Fault, FaultKind, Hints, PolicySpec, Scenario, Server, Tier,
    Topology, Wave, Window, Work,
};

use std::path::{Path, PathBuf};

/// A scenario that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The lab number, such as `L8`.
    pub lab: &'static str,
    /// Its own name, such as `L8-280`.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

/// Why there is no scenario.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("`{}` cannot be read: write the path of a scenario file", .0.display())]
    Unreadable(PathBuf),
}

/// All of them. (They come with their own branch.)
pub const fn builtins() -> &'static [Builtin] {
    &[]
}

/// Reads the text of a scenario.
///
/// # Errors
/// Always, before the reader comes with its own branch.
pub fn read(name: &str, _text: &str) -> Result<Scenario, ScenarioError> {
    Err(ScenarioError::Unreadable(name.into()))
}

/// Reads a scenario's file.
///
/// # Errors
/// Always, before the reader comes with its own branch.
pub fn read_file(path: &Path) -> Result<Scenario, ScenarioError> {
    Err(ScenarioError::Unreadable(path.to_owned()))
}
