//! Every function of the REST client, against a server on loopback that fails by script.

mod files;
mod orders;
mod server;
mod session;
#[path = "../support/mod.rs"]
mod support;

use std::error::Error;

use server::Server;
use services::http::{ApiClient, Order};

type Tested = Result<(), Box<dyn Error>>;

const ORDER: &str = r#"{"id":7,"item":"lamp","revision":1}"#;

fn lamp() -> Order {
    Order { id: 7, item: "lamp".into(), revision: 1 }
}

/// A server that fails by script, and a client of it.
async fn api() -> Result<(Server, ApiClient), Box<dyn Error>> {
    let server = Server::start().await?;
    let client = ApiClient::new(format!("http://{}", server.address))?;
    Ok((server, client))
}
