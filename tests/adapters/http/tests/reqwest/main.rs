//! What becomes of reqwest's errors and responses, each from a real failure.

mod connecting;
mod guarded;
mod hints;
mod reading;
mod responses;
mod sending;
mod unretried;

use faults::{Script, Server};
use reqwest::{Client, ClientBuilder};
use stormless::reqwest::unretried;

/// A client of the tests' own: nothing is taken from the environment, and nothing is hidden.
fn builder() -> ClientBuilder {
    unretried(Client::builder()).no_proxy()
}

fn client() -> Client {
    builder().build().unwrap()
}

/// Of HTTP/2 without negotiation.
fn client_h2() -> Client {
    builder().http2_prior_knowledge().build().unwrap()
}

fn start(script: Script) -> Server {
    Server::start(script).unwrap()
}
