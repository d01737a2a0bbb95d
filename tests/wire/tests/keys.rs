//! Idempotency keys as a server sees them.

use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use stormless::{retry, wire::Inject};
use tokio::net::TcpListener;
use wire::CallError;

#[retry(attempts = 3, base = "1ms", budget = none, idempotent)]
async fn charge(client: &reqwest::Client, url: &str) -> Result<(), CallError> {
    let request = stormless::reqwest::inject(client.post(url), Inject::new().idempotency_key());
    CallError::of(&request.send().await?)
}

#[retry(attempts = 2, base = "1ms", budget = none, idempotent)]
async fn order(client: &reqwest::Client, url: &str) -> Result<(), CallError> {
    charge(client, url).await
}

#[tokio::test]
async fn all_attempts_of_a_call_arrive_with_one_key() {
    let keys = Arc::new(Mutex::new(Vec::new()));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let seen = keys.clone();
    let fails = async move |headers: HeaderMap| {
        let key = headers["idempotency-key"].to_str().unwrap().to_owned();
        seen.lock().unwrap().push(key);
        StatusCode::SERVICE_UNAVAILABLE
    };
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", post(fails))).await });
    let client = reqwest::Client::new();
    for _ in 0..2 {
        charge(&client, &url).await.unwrap_err();
    }
    // Inside of another call, whose retry sends the same.
    order(&client, &url).await.unwrap_err();
    let keys = std::mem::take(&mut *keys.lock().unwrap());
    let runs: Vec<usize> = keys.chunk_by(|one, other| one == other).map(<[_]>::len).collect();
    assert_eq!(runs, [3, 3, 2], "{keys:?}");
    let quoted = |key: &String| key.len() == 38 && key.starts_with('"') && key.ends_with('"');
    assert!(keys.iter().all(quoted), "{keys:?}");
}
