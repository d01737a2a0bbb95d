//! A server that can do only so much, and to which things happen on a schedule.
//!
//! A request that waits or is served is not given up when its client is gone: that is what most servers do, and
//! what keeps a collapse alive.

mod desk;

use std::{
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use http_body_util::Full;
use hyper::{Request, Response, StatusCode, body::Bytes, body::Incoming, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
    time::sleep,
};

use self::desk::Desk;
use super::{
    LoadError,
    protocol::{Served, ServerOrder},
};

/// A server on loopback that nothing has been accepted on yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    order: ServerOrder,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Answer,
    Refuse,
    /// The connection is closed without an answer.
    Close,
}

/// Lets hyper close the connection.
#[derive(Debug, thiserror::Error)]
#[error("lost on purpose")]
struct Lost;

/// Looks at a server while it runs.
#[derive(Clone, Debug)]
pub struct Watcher(Arc<Desk>);

impl Watcher {
    /// What it has seen since this was last called.
    pub fn take(&self) -> Served {
        self.0.take()
    }
}

impl Server {
    /// Binds a free port of 127.0.0.1.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub async fn bind(order: ServerOrder) -> Result<Self, LoadError> {
        Ok(Self { listener: TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?, order })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    pub fn address(&self) -> Result<SocketAddr, LoadError> {
        Ok(self.listener.local_addr()?)
    }

    /// Serves for as long as it is polled; the schedule's time counts from `start`.
    pub fn run(self, start: Instant) -> (Watcher, impl Future<Output = Infallible> + Send) {
        let desk = Arc::new(Desk::new(self.order, start));
        let watcher = Watcher(Arc::clone(&desk));
        let listener = self.listener;
        let serve = async move {
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => drop(tokio::spawn(connection(stream, Arc::clone(&desk)))),
                    // Out of descriptors, for a moment: those that wait time out.
                    Err(_) => sleep(Duration::from_millis(10)).await,
                }
            }
        };
        (watcher, serve)
    }
}

async fn connection(stream: TcpStream, desk: Arc<Desk>) {
    // Without it, small answers may wait for an acknowledgement; with an error it is only slower.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|_: Request<Incoming>| answer(Arc::clone(&desk)));
    // Clients that give up, and requests that are lost, end connections in errors all the time.
    let _ = hyper::server::conn::http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn answer(desk: Arc<Desk>) -> Result<Response<Full<Bytes>>, Lost> {
    let (tell, told) = oneshot::channel();
    // A task of its own, because hyper drops this one when the client is gone.
    tokio::spawn(async move {
        let fate = desk.handle(&tell).await;
        // A client that no longer listens is the rule here, not a fault.
        let _ = tell.send(fate);
    });
    match told.await {
        Ok(Fate::Answer) => Ok(Response::new(Full::new(Bytes::from_static(b"served")))),
        Ok(Fate::Refuse) => {
            let mut response = Response::new(Full::default());
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            Ok(response)
        }
        Ok(Fate::Close) | Err(_) => Err(Lost),
    }
}
