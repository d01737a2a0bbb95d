//! Layers for services of tower 0.5: retries for any service, and what services whose requests are HTTP's or
//! gRPC's tell each other about them.

#[cfg(feature = "http-body-1")]
mod control;
mod inject;
mod refusal;
mod retry;
mod server;

pub use crate::adapters::tower::classify;
#[cfg(feature = "http-body-1")]
pub use control::{ControlBody, ControlFuture, ControlService};
pub use inject::{InjectLayer, InjectService};
#[cfg(feature = "reqwest-0-13")]
pub(crate) use retry::reqwest;
pub use retry::{
    Attempt, ByClone, ByMethod, CloneWith, Cloning, PerRequest, PerRequestWith, Preparing,
    Requests, Retries, RetryLayer, RetryService, Sending, Unprepared, by_method,
};
pub use server::{ServerFuture, ServerLayer, ServerService};
