//! What becomes of the errors of hyper and of hyper-util's client, each from a real failure.

mod connection;
mod forwarded;
mod io;
mod pool;
mod unretried;

use bytes::Bytes;
use faults::{Script, Server};
use http_body_util::Full;
use hyper::Request;
use hyper_util::{
    client::legacy::{Builder, Client},
    rt::TokioExecutor,
};

fn start(script: Script) -> Server {
    Server::start(script).unwrap()
}

fn post(uri: &str) -> Request<Full<Bytes>> {
    let request = Request::post(uri).header("host", "loopback");
    request.body(Full::new(Bytes::from_static(b"x"))).unwrap()
}

fn builder() -> Builder {
    Client::builder(TokioExecutor::new())
}
