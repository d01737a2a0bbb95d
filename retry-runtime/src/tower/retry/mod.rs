//! The decorator: calls of any service, retried as closures and annotated functions are.

mod attempt;
mod http;
mod layer;
#[cfg(feature = "reqwest-middleware-0-5")]
mod middleware;
mod per_request;
mod presets;
#[cfg(feature = "reqwest-0-13")]
pub(crate) mod reqwest;
mod sending;
mod service;
mod setters;

pub use attempt::{Attempt, Requests};
pub use http::by_method;
pub use layer::RetryLayer;
pub use per_request::PerRequest;
pub use sending::{
    ByClone, ByMethod, CloneWith, Cloning, PerRequestWith, Preparing, Sending, Unprepared,
};
pub use service::{Retries, RetryService};
