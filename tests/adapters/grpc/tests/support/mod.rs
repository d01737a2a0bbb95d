//! A server whose answers are written by hand, and what is seen of calls to it.

use std::error::Error;

use faults::{Script, Server, h2};
use stormless::{CallReport, report, testing::isolated};
use tonic::{
    Code,
    transport::{Channel, Endpoint},
};

pub(crate) type Tested = Result<(), Box<dyn Error>>;

/// A head that is the whole answer.
pub(crate) fn says(code: Code, more: &[(&str, &str)]) -> Vec<h2::Step> {
    let code = (code as i32).to_string();
    let mut fields = vec![("content-type", "application/grpc"), ("grpc-status", &code)];
    fields.extend(more);
    vec![h2::headers(200, &fields, true)]
}

/// An empty message, and that all is well.
pub(crate) fn done() -> Vec<h2::Step> {
    let head = h2::headers(200, &[("content-type", "application/grpc")], false);
    vec![head, h2::data(vec![0; 5], false), h2::trailers(&[("grpc-status", "0")])]
}

/// That server, and a channel to it.
pub(crate) fn serve<const N: usize>(
    answers: [Vec<h2::Step>; N],
) -> Result<(Server, Channel), Box<dyn Error>> {
    let server = Server::start(Script::streams(answers))?;
    let channel = Endpoint::from_shared(server.url(""))?.connect_lazy();
    Ok((server, channel))
}

/// A call with budgets of its own, and what is reported of it.
pub(crate) async fn run<T>(call: impl Future<Output = T> + Send) -> (T, CallReport) {
    let (result, mut calls) = isolated(report(call)).await;
    (result, calls.pop().expect("an annotated call"))
}
