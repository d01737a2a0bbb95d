//! A gRPC server on loopback that answers by script.

use std::{
    collections::{HashMap, VecDeque},
    io,
    net::Ipv4Addr,
    pin::Pin,
    sync::{Arc, Mutex},
};

use services::grpc::generated::{
    AdjustRequest, GetStockRequest, ListStockRequest, ListStockResponse, ReleaseRequest, Released,
    Reservation, ReserveRequest, Stock, WatchRequest,
    warehouse_server::{Warehouse, WarehouseServer},
};
use tokio::net::TcpListener;
use tokio_stream::{Stream, StreamExt, wrappers::TcpListenerStream};
use tonic::{
    Code, Request, Response, Status,
    metadata::MetadataMap,
    transport::{Channel, Endpoint, Server},
};

/// What one request is answered with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reply {
    /// What was asked for.
    Done,
    /// A status instead.
    Fails(Code),
    /// A status, and when to come back.
    Pushback(&'static str),
    /// A stream with these numbers on hand that then fails, or just ends.
    Changes(&'static [i64], Option<Code>),
    /// A stream that says nothing, or no answer at all.
    Silence,
}

#[derive(Default)]
struct Script {
    replies: HashMap<&'static str, VecDeque<Reply>>,
    seen: HashMap<&'static str, Vec<MetadataMap>>,
}

/// The server; it lives as long as the test's runtime.
#[derive(Clone, Default)]
pub(crate) struct Scripted(Arc<Mutex<Script>>);

impl Scripted {
    /// A server, and a channel to it.
    pub(crate) async fn start() -> Result<(Self, Channel), Box<dyn std::error::Error>> {
        let scripted = Self::default();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let server = Server::builder().add_service(WarehouseServer::new(scripted.clone()));
        tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
        Ok((scripted, Endpoint::from_shared(format!("http://{address}"))?.connect_lazy()))
    }

    /// A channel to an address at which nobody listens.
    pub(crate) async fn nobody() -> io::Result<Channel> {
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?.local_addr()?;
        let endpoint = Endpoint::from_shared(format!("http://{address}"));
        Ok(endpoint.map_err(io::Error::other)?.connect_lazy())
    }

    /// How a method is answered, one reply after the other, and with "unimplemented" after that.
    pub(crate) fn on<const N: usize>(&self, method: &'static str, replies: [Reply; N]) {
        self.0.lock().expect("not poisoned").replies.entry(method).or_default().extend(replies);
    }

    /// The metadata of the requests of a method, in their order.
    pub(crate) fn seen(&self, method: &str) -> Vec<MetadataMap> {
        self.0.lock().expect("not poisoned").seen.get(method).cloned().unwrap_or_default()
    }

    fn next<T>(&self, method: &'static str, request: &Request<T>) -> Option<Reply> {
        let mut script = self.0.lock().expect("not poisoned");
        script.seen.entry(method).or_default().push(request.metadata().clone());
        script.replies.get_mut(method).and_then(VecDeque::pop_front)
    }

    async fn unary<T>(&self, method: &'static str, request: &Request<T>) -> Result<(), Status> {
        match self.next(method, request) {
            Some(Reply::Done) => Ok(()),
            Some(Reply::Fails(code)) => Err(Status::new(code, "scripted")),
            Some(Reply::Pushback(wait)) => {
                let mut status = Status::unavailable("scripted");
                status
                    .metadata_mut()
                    .insert("grpc-retry-pushback-ms", wait.parse().expect("ASCII"));
                Err(status)
            }
            Some(Reply::Silence) => std::future::pending().await,
            Some(Reply::Changes(..)) | None => Err(Status::unimplemented("not in the script")),
        }
    }
}

#[tonic::async_trait]
impl Warehouse for Scripted {
    async fn get_stock(
        &self,
        request: Request<GetStockRequest>,
    ) -> Result<Response<Stock>, Status> {
        self.unary("get_stock", &request).await?;
        Ok(Response::new(Stock { sku: request.into_inner().sku, on_hand: 12 }))
    }

    async fn list_stock(
        &self,
        request: Request<ListStockRequest>,
    ) -> Result<Response<ListStockResponse>, Status> {
        self.unary("list_stock", &request).await?;
        let next_page_token = format!("{}+", request.into_inner().page_token);
        Ok(Response::new(ListStockResponse { items: Vec::new(), next_page_token }))
    }

    async fn reserve(
        &self,
        request: Request<ReserveRequest>,
    ) -> Result<Response<Reservation>, Status> {
        self.unary("reserve", &request).await?;
        let ReserveRequest { sku, quantity } = request.into_inner();
        Ok(Response::new(Reservation { id: format!("{sku}×{quantity}"), sku, quantity }))
    }

    async fn release(
        &self,
        request: Request<ReleaseRequest>,
    ) -> Result<Response<Released>, Status> {
        self.unary("release", &request).await?;
        Ok(Response::new(Released {}))
    }

    async fn adjust(&self, request: Request<AdjustRequest>) -> Result<Response<Stock>, Status> {
        self.unary("adjust", &request).await?;
        let AdjustRequest { sku, by } = request.into_inner();
        Ok(Response::new(Stock { sku, on_hand: 12 + by }))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<Stock, Status>> + Send>>;

    async fn watch(
        &self,
        request: Request<WatchRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let reply = self.next("watch", &request);
        let sku = request.into_inner().sku;
        match reply {
            Some(Reply::Changes(numbers, end)) => {
                let stock = move |&on_hand| Ok(Stock { sku: sku.clone(), on_hand });
                let end = end.map(|code| Err(Status::new(code, "scripted")));
                let changes = tokio_stream::iter(numbers.iter().map(stock));
                Ok(Response::new(Box::pin(changes.chain(tokio_stream::iter(end)))))
            }
            Some(Reply::Silence) => Ok(Response::new(Box::pin(tokio_stream::pending()))),
            Some(Reply::Fails(code)) => Err(Status::new(code, "scripted")),
            _ => Err(Status::unimplemented("not in the script")),
        }
    }
}
