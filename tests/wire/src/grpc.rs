//! A gRPC service of one method, `stock.v1.Stock/Get`, that takes a text and gives one: what generated code
//! would be, with a codec that needs no compiler.

use std::{
    convert::Infallible,
    fmt, io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::{Buf, BufMut};
use http::uri::PathAndQuery;
use tokio::time::Instant;
use tokio_stream::StreamExt;
use tonic::{
    Request, Response, Status,
    body::Body,
    client::{Grpc, GrpcService},
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    codegen::{Body as HttpBody, Bytes, Service, StdError},
    server::{NamedService, UnaryService},
};

const PATH: &str = "/stock.v1.Stock/Get";

/// Texts as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextCodec;

impl Codec for TextCodec {
    type Encode = String;
    type Decode = String;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for TextCodec {
    type Item = String;
    type Error = Status;

    fn encode(&mut self, text: String, into: &mut EncodeBuf<'_>) -> Result<(), Status> {
        into.put_slice(text.as_bytes());
        Ok(())
    }
}

impl Decoder for TextCodec {
    type Item = String;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<String>, Status> {
        let bytes = from.copy_to_bytes(from.remaining());
        String::from_utf8(bytes.into())
            .map(Some)
            .map_err(|_| Status::internal("the message is no text"))
    }
}

/// The client.
#[derive(Clone, Debug)]
pub struct StockClient<T> {
    inner: Grpc<T>,
}

impl<T> StockClient<T>
where
    T: GrpcService<Body>,
    T::Error: Into<StdError>,
    T::ResponseBody: HttpBody<Data = Bytes> + Send + 'static,
    <T::ResponseBody as HttpBody>::Error: Into<StdError> + Send,
{
    /// Over a channel.
    pub fn new(channel: T) -> Self {
        Self { inner: Grpc::new(channel) }
    }

    /// Calls the method.
    ///
    /// # Errors
    ///
    /// The status of a call that failed.
    pub async fn get(&mut self, request: Request<String>) -> Result<String, Status> {
        let ready = self.inner.ready().await;
        ready.map_err(|error| Status::unavailable(error.into().to_string()))?;
        let path = PathAndQuery::from_static(PATH);
        Ok(self.inner.unary(request, path, TextCodec).await?.into_inner())
    }
}

/// An answer that is being made.
pub type Answer = Pin<Box<dyn Future<Output = Result<Response<String>, Status>> + Send>>;

/// The server, around a function that answers.
#[derive(Clone)]
pub struct StockServer {
    answer: Arc<dyn Fn(Request<String>) -> Answer + Send + Sync>,
}

impl fmt::Debug for StockServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StockServer")
    }
}

impl StockServer {
    /// Answers with this function.
    pub fn new<F>(answer: impl Fn(Request<String>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Response<String>, Status>> + Send + 'static,
    {
        Self { answer: Arc::new(move |request| Box::pin(answer(request))) }
    }
}

/// In the extensions of a response: half of it is sent, and the stream is reset then.
#[derive(Clone, Copy)]
pub(crate) struct HalfUntil(pub(crate) Instant);

impl HalfUntil {
    fn body(self) -> Body {
        // Not compressed, and of 12 bytes: four of them come.
        let begun = tokio_stream::once(Ok(Bytes::from_static(b"\0\0\0\0\x0cwhat")));
        let reset = tokio_stream::once(()).then(move |()| async move {
            tokio::time::sleep_until(self.0).await;
            Err(io::Error::from(io::ErrorKind::BrokenPipe))
        });
        Body::new(axum::body::Body::from_stream(begun.chain(reset)))
    }
}

impl NamedService for StockServer {
    const NAME: &'static str = "stock.v1.Stock";
}

impl UnaryService<String> for StockServer {
    type Response = String;
    type Future = Answer;

    fn call(&mut self, request: Request<String>) -> Answer {
        (self.answer)(request)
    }
}

impl Service<http::Request<Body>> for StockServer {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = self.clone();
        Box::pin(async move {
            if request.uri().path() != PATH {
                return Ok(Status::unimplemented("there is one method").into_http());
            }
            let response = tonic::server::Grpc::new(TextCodec).unary(method, request).await;
            Ok(match response.extensions().get::<HalfUntil>().copied() {
                Some(half) => response.map(|_| half.body()),
                None => response,
            })
        })
    }
}
