//! What is simulated.

pub mod model;

pub use model::{
    Clients, Contention, Distribution, Edge, Fault, FaultKind, Hints, PolicySpec, Scenario, Server,
    Tier, Topology, Wave, Window, Work,
};
