//! What is simulated.

mod builtin;
mod duration;
mod error;
mod excerpt;
mod file;
pub mod keys;
mod mistakes;
pub mod model;
mod reader;
mod seeds;

pub use builtin::{Builtin, builtin, builtins, find, list, unknown};
pub use error::ScenarioError;
pub use excerpt::Place;
pub use file::{read, read_file};
pub use mistakes::{Mistake, Mistakes};
pub use model::{
    Clients, Contention, Distribution, Edge, Fault, FaultKind, Hints, PolicySpec, Scenario, Server, Tier,
    Topology, Wave, Window, Work,
};
pub use seeds::seeds;

#[cfg(test)]
mod tests;
