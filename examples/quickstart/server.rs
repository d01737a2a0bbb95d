//! The shop's servers on loopback, which misbehave by script.

use std::{
    collections::HashSet,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use axum::{
    Router,
    http::{StatusCode, header::RETRY_AFTER},
    response::IntoResponse,
    routing::get,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

const LOOPBACK: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);

/// How often the ledger has taken money from somebody's card.
static CHARGES: AtomicU32 = AtomicU32::new(0);

pub(crate) fn charges() -> u32 {
    CHARGES.load(Ordering::Relaxed)
}

/// The catalogue: some answers fail on the first request only, some on all of them.
pub(crate) async fn catalogue() -> io::Result<SocketAddr> {
    static FLAKY: AtomicU32 = AtomicU32::new(0);
    static BUSY: AtomicU32 = AtomicU32::new(0);
    static SLOW: AtomicU32 = AtomicU32::new(0);
    let first = |requests: &AtomicU32| requests.fetch_add(1, Ordering::Relaxed) == 0;

    let flaky = move || async move {
        if first(&FLAKY) { Err(StatusCode::SERVICE_UNAVAILABLE) } else { Ok("12 in stock") }
    };
    let busy = move || async move {
        if first(&BUSY) {
            return (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "1")]).into_response();
        }
        "3 results".into_response()
    };
    let slow = move || async move {
        if first(&SLOW) {
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        "4.6 stars"
    };
    let router = Router::new()
        .route("/stock", get(flaky))
        .route("/search", get(busy))
        .route("/rating", get(slow))
        .route("/report", get(StatusCode::SERVICE_UNAVAILABLE));

    let listener = TcpListener::bind(LOOPBACK).await?;
    let address = listener.local_addr()?;
    tokio::spawn(axum::serve(listener, router).into_future());
    Ok(address)
}

/// The ledger charges a card and then resets the connection, so that nobody learns of it. It knows a
/// request again by its `Idempotency-Key`, and answers that one without a second charge.
pub(crate) async fn ledger() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(LOOPBACK).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        let mut charged = HashSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            // A client that went away is no reason to stop serving.
            let _ = charge(stream, &mut charged).await;
        }
    });
    Ok(address)
}

async fn charge(mut stream: TcpStream, charged: &mut HashSet<String>) -> io::Result<()> {
    let request = head(&mut stream).await?;
    let key = request.lines().find_map(|line| line.strip_prefix("idempotency-key: "));
    if key.is_some_and(|key| charged.contains(key)) {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 7\r\nconnection: close\r\n\r\ncharged";
        return stream.write_all(answer).await;
    }
    CHARGES.fetch_add(1, Ordering::Relaxed);
    charged.extend(key.map(str::to_owned));
    // Closed without lingering, a connection is reset.
    stream.set_zero_linger()
}

/// A request without a body.
async fn head(stream: &mut TcpStream) -> io::Result<String> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut request).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(String::from_utf8_lossy(&request).into_owned())
}

/// An address at which nobody listens.
pub(crate) async fn nobody() -> io::Result<SocketAddr> {
    TcpListener::bind(LOOPBACK).await?.local_addr()
}
