//! A server that is overloaded refuses retries, and its callers stop.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use axum::{Router, http::StatusCode, routing::get};
use stormless::{
    CallReport, StopReason, report, retry,
    tower::{InjectLayer, ServerLayer},
    wire::Inject,
};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{
    Request, Response, Status,
    transport::{Channel, Endpoint, Server},
};
use tower::Layer;
use wire::{CallError, StockClient, StockServer};

/// How busy a server is, and how often its service was asked.
#[derive(Clone, Default)]
struct Load {
    high: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl Load {
    fn layer(&self) -> ServerLayer {
        let high = self.high.clone();
        ServerLayer::trusting_all().shed_retries_when(move || high.load(Ordering::Relaxed))
    }

    fn ask(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// How often it was asked since the last time, and from now on how busy it is.
    fn take(&self, high: bool) -> usize {
        self.high.store(high, Ordering::Relaxed);
        self.asked.swap(0, Ordering::Relaxed)
    }
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn over_http(client: &reqwest::Client, url: &str) -> Result<(), CallError> {
    CallError::of(&stormless::reqwest::inject(client.get(url), Inject::new()).send().await?)
}

fn end(reports: &[CallReport]) -> (u32, Option<StopReason>) {
    (reports[0].attempts(), reports[0].reason())
}

const OUT_OF_ATTEMPTS: (u32, Option<StopReason>) = (3, Some(StopReason::AttemptsExhausted));
const REFUSED: (u32, Option<StopReason>) = (2, Some(StopReason::ServerRefusedRetry));

#[tokio::test]
async fn a_busy_http_server_takes_first_attempts_and_refuses_retries() {
    let load = Load::default();
    let (listener, address) = listen().await;
    let here = load.clone();
    let fails = async move || {
        here.ask();
        StatusCode::SERVICE_UNAVAILABLE
    };
    let router = Router::new().route("/", get(fails)).layer(load.layer());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let (client, url) = (reqwest::Client::new(), format!("http://{address}/"));

    let (result, reports) = report(over_http(&client, &url)).await;
    assert_eq!((result, end(&reports)), (Err(CallError::Unavailable), OUT_OF_ATTEMPTS));
    assert_eq!(load.take(true), 3);
    let (result, reports) = report(over_http(&client, &url)).await;
    assert_eq!((result, end(&reports)), (Err(CallError::Refused), REFUSED));
    assert_eq!(load.take(false), 1);
}

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn over_grpc(channel: &Channel) -> Result<(), CallError> {
    let mut client = StockClient::new(InjectLayer::new().layer(channel.clone()));
    client.get(Request::new(String::new())).await?;
    Ok(())
}

#[tokio::test]
async fn a_busy_grpc_server_takes_first_attempts_and_refuses_retries() {
    let load = Load::default();
    let (listener, address) = listen().await;
    let here = load.clone();
    let service = StockServer::new(move |_| {
        here.ask();
        std::future::ready(Err::<Response<String>, _>(Status::unavailable("down")))
    });
    let server = Server::builder().layer(load.layer()).add_service(service);
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let channel = Endpoint::from_shared(format!("http://{address}")).unwrap().connect_lazy();

    let (result, reports) = report(over_grpc(&channel)).await;
    assert_eq!((result, end(&reports)), (Err(CallError::Unavailable), OUT_OF_ATTEMPTS));
    assert_eq!(load.take(true), 3);
    let (result, reports) = report(over_grpc(&channel)).await;
    assert_eq!((result, end(&reports)), (Err(CallError::Refused), REFUSED));
    assert_eq!(load.take(false), 1);
}

#[tokio::test]
async fn a_refusal_over_grpc_is_a_status_that_tonic_reads() {
    let load = Load::default();
    load.take(true);
    let (listener, address) = listen().await;
    let service = StockServer::new(|_| std::future::ready(Ok(Response::new(String::new()))));
    let server = Server::builder().layer(load.layer()).add_service(service);
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let channel = Endpoint::from_shared(format!("http://{address}")).unwrap().connect_lazy();
    let mut client = StockClient::new(channel);
    let mut retry = Request::new(String::new());
    retry.metadata_mut().insert("stormless-attempt", "2;max=3".parse().unwrap());
    let status = client.get(retry).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::ResourceExhausted);
    assert_eq!(status.message(), "retries are shed");
    assert_eq!(status.metadata().get("grpc-retry-pushback-ms").unwrap(), "-1");
    assert!(client.get(Request::new(String::new())).await.is_ok(), "a first attempt");
}

/// A service that is busy for longer than anyone waits.
fn busy() -> tower::limit::ConcurrencyLimit<
    impl tower::Service<
        http::Request<String>,
        Response = http::Response<String>,
        Error = std::convert::Infallible,
        Future: Send,
    > + Clone,
> {
    let service = tower::service_fn(|_: http::Request<String>| async {
        tokio::time::sleep(std::time::Duration::from_secs(30)).await;
        Ok(http::Response::new(String::new()))
    });
    tower::limit::ConcurrencyLimit::new(service, 1)
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_waits_for_nothing() {
    use tower::ServiceExt;

    let start = tokio::time::Instant::now();
    let server = ServerLayer::trusting_all().shed_retries_when(|| true).layer(busy());
    let request = |says: &str| {
        http::Request::builder().header("stormless-attempt", says).body(String::new()).unwrap()
    };
    let first = tokio::spawn(server.clone().oneshot(request("1;max=3")));
    tokio::task::yield_now().await;
    let refused = server.clone().oneshot(request("2;max=3")).await.unwrap();
    assert_eq!((refused.status(), start.elapsed()), (StatusCode::SERVICE_UNAVAILABLE, ZERO));
    // The wait for a slot is a part of the caller's time.
    let late = server.oneshot(request("1;max=3;remaining=400")).await.unwrap();
    let waited = std::time::Duration::from_millis(400);
    assert_eq!((late.status(), start.elapsed()), (StatusCode::GATEWAY_TIMEOUT, waited));
    first.abort();
}

const ZERO: std::time::Duration = std::time::Duration::ZERO;
