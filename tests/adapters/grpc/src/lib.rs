//! A client of one method, annotated in the ways that its tests need.

#![forbid(unsafe_code)]

use std::time::Duration;

use http::uri::PathAndQuery;
use stormless::retry;
use tonic::{Request, Response, Status, client::Grpc, transport::Channel};
use tonic_prost::ProstCodec;

/// The one method.
pub const METHOD: &str = "/test.Test/Ask";

/// Asks once.
///
/// # Errors
///
/// What tonic says.
pub async fn ask(channel: &Channel) -> Result<(), Status> {
    send(channel, Request::new(())).await
}

/// Asks once, and lets the server know how long the answer is of use.
///
/// # Errors
///
/// What tonic says.
pub async fn ask_within(channel: &Channel, limit: Duration) -> Result<(), Status> {
    let mut request = Request::new(());
    request.set_timeout(limit);
    send(channel, request).await
}

/// What generated clients do.
async fn send(channel: &Channel, request: Request<()>) -> Result<(), Status> {
    let mut client = Grpc::new(channel.clone());
    client.ready().await.map_err(|error| Status::unknown(format!("not ready: {error}")))?;
    let codec = ProstCodec::<(), ()>::default();
    client.unary(request, PathAndQuery::from_static(METHOD), codec).await.map(Response::into_inner)
}

/// Asks three times at most.
///
/// # Errors
///
/// The last status.
#[retry(base = "1ms", max = "5ms", max_retry_after = "10s")]
pub async fn ask_again(channel: &Channel) -> Result<(), Status> {
    ask(channel).await
}

/// Asks three times at most, although an earlier one may have been answered.
///
/// # Errors
///
/// The last status.
#[retry(base = "1ms", max = "5ms", idempotent)]
pub async fn ask_again_safely(channel: &Channel) -> Result<(), Status> {
    ask(channel).await
}

/// The page about this adapter is compiled like every other.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/adapters/grpc.md")]
struct Page;
