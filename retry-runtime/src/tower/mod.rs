//! Layers for services of tower 0.5 whose requests are HTTP's or gRPC's.

mod inject;
mod refusal;
mod server;

pub use inject::{InjectLayer, InjectService};
pub use server::{ServerFuture, ServerLayer, ServerService};
