//! A REST server on loopback that answers by script.

use std::{
    collections::{HashMap, VecDeque},
    io,
    net::{Ipv4Addr, SocketAddr},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
    serve::Listener,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// What one request is answered with.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Success, with this body.
    Body(&'static str),
    /// Nothing but a status.
    Status(u16),
    /// 429, and a wish.
    Busy { retry_after: &'static str },
    /// Half of what is announced, and then the connection is lost.
    Half(&'static str),
    /// The connection is lost before a single byte.
    Lost,
    /// No answer, ever.
    Silence,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) query: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

#[derive(Default)]
struct Script {
    replies: Mutex<HashMap<String, VecDeque<Reply>>>,
    seen: Mutex<HashMap<String, Vec<Seen>>>,
    /// The next write to the client fails.
    cut: Arc<AtomicBool>,
}

/// The server; it lives as long as the test's runtime.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    script: Arc<Script>,
}

impl Server {
    pub(crate) async fn start() -> io::Result<Self> {
        let script = Arc::new(Script::default());
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let listener = Cuttable { listener, cut: Arc::clone(&script.cut) };
        let router = Router::new().fallback(answer).with_state(Arc::clone(&script));
        tokio::spawn(axum::serve(listener, router).into_future());
        Ok(Self { address, script })
    }

    /// How `"GET /orders/7"` is answered, one reply after the other. What is not in the script gets a 418.
    pub(crate) fn on<const N: usize>(&self, request: &str, replies: [Reply; N]) {
        let mut scripted = self.script.replies.lock().expect("not poisoned");
        scripted.entry(request.to_owned()).or_default().extend(replies);
    }

    /// The requests of that kind, in their order.
    pub(crate) fn seen(&self, request: &str) -> Vec<Seen> {
        let seen = self.script.seen.lock().expect("not poisoned");
        seen.get(request).cloned().unwrap_or_default()
    }
}

impl Script {
    fn next(&self, line: String, seen: Seen) -> Reply {
        let mut replies = self.replies.lock().expect("not poisoned");
        let reply = replies.get_mut(&line).and_then(VecDeque::pop_front);
        self.seen.lock().expect("not poisoned").entry(line).or_default().push(seen);
        reply.unwrap_or(Reply::Status(418))
    }
}

async fn answer(State(script): State<Arc<Script>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let line = format!("{} {}", head.method, head.uri.path());
    let query = head.uri.query().map(str::to_owned);
    let seen = Seen { query, headers: head.headers, body };
    match script.next(line, seen) {
        Reply::Body(body) => body.into_response(),
        Reply::Status(status) => StatusCode::from_u16(status).expect("a status").into_response(),
        Reply::Busy { retry_after } => {
            (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, retry_after)]).into_response()
        }
        Reply::Half(body) => {
            let half = &body.as_bytes()[..body.len() / 2];
            let stream =
                tokio_stream::iter([Ok(Bytes::from(half)), Err(io::Error::other("scripted"))]);
            Response::builder()
                .header("content-length", body.len())
                .body(Body::from_stream(stream))
                .expect("a valid response")
        }
        Reply::Lost => {
            script.cut.store(true, Ordering::SeqCst);
            StatusCode::OK.into_response()
        }
        Reply::Silence => std::future::pending().await,
    }
}

/// Accepts connections that can be cut under the server's hands.
struct Cuttable {
    listener: TcpListener,
    cut: Arc<AtomicBool>,
}

struct Connection {
    stream: TcpStream,
    cut: Arc<AtomicBool>,
}

impl Listener for Cuttable {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, from) = Listener::accept(&mut self.listener).await;
        (Connection { stream, cut: Arc::clone(&self.cut) }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.cut.swap(false, Ordering::SeqCst) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
