//! Clients of four kinds of servers, written as services write them and annotated as they would be.
//!
//! The tests run every function against something real on loopback, and count what arrives there.

#![forbid(unsafe_code)]
// The four error enums say what can go wrong; a section at each of sixty methods would say it again.
#![allow(clippy::missing_errors_doc)]

pub mod grpc;
pub mod http;
pub mod postgres;
pub mod redis;
