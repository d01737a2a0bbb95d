//! Client → A → B → C.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{Router, extract::State, routing::get};
use http::{HeaderMap, StatusCode};
use stormless::{
    Context, report, retry,
    tower::{InjectLayer, InjectService, ServerLayer},
    wire::{ATTEMPT, Inject},
};
use tokio::{net::TcpListener, sync::Notify, time::sleep_until};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{
    Request, Response, Status,
    service::interceptor::InterceptedService,
    transport::{Channel, Endpoint, Server},
};
use tower::{Layer, Service, util::ServiceExt};

use crate::{
    CallError, Log, StockClient, StockServer,
    cut::{time_to_cut, until_cut},
    grpc::HalfUntil,
};

/// Whether the services tell each other of their attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    /// All do.
    Wired,
    /// None does.
    Bare,
}

/// What C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It says that it is unavailable.
    Fails,
    /// It never answers.
    Hangs,
    /// Its connection ends when [`LEFT`](crate::LEFT) is left of the deadline.
    Drops,
    /// It answers by half, and resets the stream when [`LEFT`](crate::LEFT) is left of the deadline.
    Halves,
}

/// The three services. They stop when the runtime does.
#[derive(Clone, Debug)]
pub struct Chain {
    /// What they saw.
    pub log: Arc<Log>,
    a: SocketAddr,
    wiring: Wiring,
    client: reqwest::Client,
}

/// What A and B need.
#[derive(Clone)]
struct Middle<N> {
    service: &'static str,
    log: Arc<Log>,
    next: N,
}

type Interceptor = fn(Request<()>) -> Result<Request<()>, Status>;

#[expect(clippy::unnecessary_wraps, reason = "the signature is tonic's")]
fn as_it_is(request: Request<()>) -> Result<Request<()>, Status> {
    Ok(request)
}

pub(crate) async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("loopback has ports");
    let address = listener.local_addr().expect("a listener knows its address");
    (listener, address)
}

impl Chain {
    /// Starts the three.
    ///
    /// # Panics
    ///
    /// Loopback cannot be listened at.
    pub async fn start(wiring: Wiring, mode: Mode) -> Self {
        let log = Arc::new(Log::default());
        let c = start_c(wiring, log.clone(), mode).await;
        let channel =
            Endpoint::from_shared(format!("http://{c}")).expect("that is a URI").connect_lazy();
        let inject: Interceptor = match wiring {
            Wiring::Wired => stormless::tonic::inject,
            Wiring::Bare => as_it_is,
        };
        let to_c = StockClient::new(InterceptedService::new(channel, inject));
        let b = Middle { service: "b", log: log.clone(), next: to_c };
        let b = start(wiring, Router::new().route("/", get(answer_b)).with_state(b)).await;
        let next = Next { url: format!("http://{b}/"), client: reqwest::Client::new(), wiring };
        let a = Middle { service: "a", log: log.clone(), next };
        let a = start(wiring, Router::new().route("/", get(answer_a)).with_state(a)).await;
        Self { log, a, wiring, client: reqwest::Client::new() }
    }

    /// A's address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.a)
    }

    /// One request to A, as the running attempt sends it.
    ///
    /// # Errors
    ///
    /// What A says, or that it says nothing.
    pub async fn ask(&self) -> Result<(), CallError> {
        let request = self.client.get(self.url());
        let request = match self.wiring {
            Wiring::Wired => stormless::reqwest::inject(request, Inject::new()),
            Wiring::Bare => request,
        };
        CallError::of(&request.send().await?)
    }
}

async fn start(wiring: Wiring, router: Router) -> SocketAddr {
    let (listener, address) = listen().await;
    let router = match wiring {
        Wiring::Wired => router.layer(ServerLayer::trusting_all()),
        Wiring::Bare => router,
    };
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn start_c(wiring: Wiring, log: Arc<Log>, mode: Mode) -> SocketAddr {
    let (listener, address) = listen().await;
    let cut = Arc::new(Notify::new());
    let address = match mode {
        Mode::Drops => until_cut(address, cut.clone()).await,
        _ => address,
    };
    let service = StockServer::new(move |request| {
        let (log, cut) = (log.clone(), cut.clone());
        async move {
            let header = request.metadata().get(ATTEMPT).and_then(|value| value.to_str().ok());
            let _running = log.see("c", header);
            match mode {
                Mode::Fails => {}
                Mode::Hangs => std::future::pending::<()>().await,
                Mode::Drops => {
                    sleep_until(time_to_cut()).await;
                    cut.notify_waiters();
                    std::future::pending::<()>().await;
                }
                Mode::Halves => {
                    let mut response = Response::new("what is sold".to_owned());
                    let _ = response.extensions_mut().insert(HalfUntil(time_to_cut()));
                    return Ok(response);
                }
            }
            let (result, reports) = report(read_store()).await;
            log.file(reports);
            result.map(Response::new)
        }
    });
    let incoming = TcpListenerStream::new(listener);
    tokio::spawn(async move {
        match wiring {
            Wiring::Wired => {
                let mut server = Server::builder().layer(ServerLayer::trusting_all());
                server.add_service(service).serve_with_incoming(incoming).await
            }
            Wiring::Bare => {
                Server::builder().add_service(service).serve_with_incoming(incoming).await
            }
        }
    });
    address
}

/// C's own call, of something that is down.
#[retry(attempts = 3, base = "1ms", max = "2ms", budget = none, classify = |_| stormless::Classification::transient())]
async fn read_store() -> Result<String, Status> {
    Err(Status::unavailable("the store is down"))
}

type ToC = StockClient<InterceptedService<Channel, Interceptor>>;

async fn answer_b(State(b): State<Middle<ToC>>, headers: HeaderMap) -> StatusCode {
    let Middle { service, log, next } = b;
    answer(service, log, headers, async move { call_c(&next).await }).await
}

#[retry(attempts = 3, base = "1ms", max = "2ms", budget = none, idempotent)]
async fn call_c(client: &ToC) -> Result<(), CallError> {
    client.clone().get(Request::new("7".to_owned())).await?;
    Ok(())
}

/// Where A finds B.
#[derive(Clone)]
struct Next {
    url: String,
    client: reqwest::Client,
    wiring: Wiring,
}

async fn answer_a(State(a): State<Middle<Next>>, headers: HeaderMap) -> StatusCode {
    let Middle { service, log, next } = a;
    answer(service, log, headers, async move { call_b(&next).await }).await
}

#[retry(attempts = 3, base = "1ms", max = "2ms", budget = none, idempotent)]
async fn call_b(next: &Next) -> Result<(), CallError> {
    let request = next.client.get(&next.url).build()?;
    let response = match next.wiring {
        Wiring::Wired => {
            let mut client: InjectService<_> = InjectLayer::new().layer(next.client.clone());
            Service::<reqwest::Request>::call(client.ready().await?, request).await?
        }
        Wiring::Bare => next.client.execute(request).await?,
    };
    CallError::of(&response)
}

/// Answers in a task of its own, as those services do that finish what they have begun: nothing ends because
/// somebody has hung up.
async fn answer(
    service: &'static str,
    log: Arc<Log>,
    headers: HeaderMap,
    call: impl Future<Output = Result<(), CallError>> + Send + 'static,
) -> StatusCode {
    let work = Context::capture().scope(async move {
        let header = headers.get(ATTEMPT).and_then(|value| value.to_str().ok());
        let _running = log.see(service, header);
        let (result, reports) = report(call).await;
        log.file(reports);
        result
    });
    match tokio::spawn(work).await {
        Ok(Ok(())) => StatusCode::OK,
        Ok(Err(CallError::Late)) => StatusCode::GATEWAY_TIMEOUT,
        Ok(Err(CallError::Unavailable | CallError::Cut | CallError::Refused)) | Err(_) => {
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}
