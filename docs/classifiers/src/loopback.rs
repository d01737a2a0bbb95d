//! Servers that fail by script.

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use stormless::testing::{self, Jitter};
use stormless::{Classification, Execution, Hint, Kind};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// An error that names itself as its own cause.
#[derive(Debug)]
pub(crate) struct Cyclic;

impl fmt::Display for Cyclic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round and round")
    }
}

impl Error for Cyclic {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

/// What decides whether a retry follows.
pub(crate) fn facts(class: Classification) -> (Kind, Execution) {
    (class.kind(), class.execution())
}

pub(crate) fn wait(class: Classification) -> Option<u64> {
    match class.hint() {
        Some(Hint::RetryAfter(wait)) => Some(wait.as_secs()),
        _ => None,
    }
}

/// Full budgets, and retries that follow at once.
pub(crate) async fn at_once<F: Future>(future: F) -> F::Output {
    testing::isolated(async {
        testing::jitter(Jitter::Lowest);
        future.await
    })
    .await
}

/// An address at which nobody listens.
pub(crate) async fn refused() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap()
}

/// Every connection is served by `serve`, in a task of its own.
pub(crate) async fn serve<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> SocketAddr
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    address
}

/// What an [`Http`] server does about a request.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// A status line without its version, headers if any, and a body.
    Text(&'static str, &'static str),
    /// A body of ten bytes of which three arrive.
    Cut,
    /// The connection is closed after the request was read.
    Close,
    /// None, ever.
    Silence,
}

/// An HTTP server with an answer for each request; the last one is that for all after it.
pub(crate) struct Http {
    pub(crate) address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Http {
    pub(crate) async fn new(script: &'static [Answer]) -> Self {
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        let address = serve(move |stream| answer(stream, script, Arc::clone(&counted))).await;
        Self { address, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}

async fn answer(stream: TcpStream, script: &[Answer], requests: Arc<AtomicUsize>) {
    let mut stream = BufReader::new(stream);
    let mut body = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        if let Some(length) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            body = length.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    if stream.read_exact(&mut vec![0; body]).await.is_err() {
        return;
    }
    let request = requests.fetch_add(1, Ordering::Relaxed);
    let text = match script[request.min(script.len() - 1)] {
        Answer::Text(head, body) => {
            let length = body.len();
            format!(
                "HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
            )
        }
        Answer::Cut => "HTTP/1.1 200 OK\r\ncontent-length: 10\r\nlast-modified: \
                        Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n123"
            .to_owned(),
        Answer::Close => String::new(),
        Answer::Silence => std::future::pending().await,
    };
    // The client may have gone.
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}
