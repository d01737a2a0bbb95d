//! Services that call each other over loopback: a client, A and B on axum, and C on tonic. Every call is
//! annotated with three attempts, so that C is called 27 times where nobody tells anybody anything.

#![forbid(unsafe_code)]

mod chain;
mod cut;
mod error;
mod grpc;
mod log;

pub use chain::{Chain, Mode, Wiring};
pub use cut::LEFT;
pub use error::CallError;
pub use grpc::{Answer, StockClient, StockServer, TextCodec};
pub use log::{Hop, Log};
