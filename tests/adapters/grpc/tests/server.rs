//! What a real server says: every code, and what it asks for beside it.

use std::{
    collections::VecDeque,
    convert::Infallible,
    error::Error,
    future::{Ready, ready},
    net::Ipv4Addr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use adapters_grpc::{ask, ask_again, ask_within};
use stormless::{
    Execution::{self, Executed, MaybeExecuted, NotExecuted},
    Hint,
    Kind::{self, Cancelled, Conflict, Permanent, Throttled, Timeout, Transient},
    Retryable, report,
    testing::isolated,
};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{
    Code, Request, Response, Status,
    body::Body,
    server::{Grpc, NamedService},
    transport::{Channel, Endpoint, Server},
};
use tonic_prost::ProstCodec;
use tonic_types::{ErrorDetails, StatusExt};
use tower_service::Service;

type Tested = Result<(), Box<dyn Error>>;

/// What each request is answered with, and after that with what was asked for. `None` is no answer.
#[derive(Clone)]
struct Scripted(Arc<Mutex<VecDeque<Option<Status>>>>);

impl NamedService for Scripted {
    const NAME: &'static str = "test.Test";
}

/// The service as the router wants it: tonic's own server around the method.
impl Service<http::Request<Body>> for Scripted {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move {
            let answer = match next {
                Some(None) => std::future::pending().await,
                Some(Some(status)) => Err(status),
                None => Ok(()),
            };
            let codec = ProstCodec::<(), ()>::default();
            Ok(Grpc::new(codec).unary(Method(Some(answer)), request).await)
        })
    }
}

struct Method(Option<Result<(), Status>>);

impl Service<Request<()>> for Method {
    type Response = Response<()>;
    type Error = Status;
    type Future = Ready<Result<Response<()>, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<()>) -> Self::Future {
        ready(self.0.take().unwrap_or(Ok(())).map(Response::new))
    }
}

/// A server that lives as long as the test's runtime, and a channel to it.
async fn serve(
    mut server: Server,
    answers: impl IntoIterator<Item = Option<Status>>,
) -> Result<Channel, Box<dyn Error>> {
    let answers = Arc::new(Mutex::new(answers.into_iter().collect()));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let serving = server.add_service(Scripted(answers));
    tokio::spawn(serving.serve_with_incoming(TcpListenerStream::new(listener)));
    Ok(Endpoint::from_shared(format!("http://{address}"))?.connect_lazy())
}

async fn said(status: Status) -> Result<Status, Box<dyn Error>> {
    let channel = serve(Server::builder(), [Some(status)]).await?;
    ask(&channel).await.err().ok_or_else(|| "an answer".into())
}

fn facts(status: &Status) -> (Kind, Execution) {
    let class = status.classify();
    (class.kind(), class.execution())
}

#[tokio::test]
async fn every_code_that_a_server_sends_has_its_row() -> Tested {
    let rows = [
        (Code::Cancelled, Cancelled, MaybeExecuted, "CANCELLED"),
        (Code::Unknown, Permanent, MaybeExecuted, "UNKNOWN"),
        (Code::InvalidArgument, Permanent, Executed, "INVALID_ARGUMENT"),
        (Code::DeadlineExceeded, Timeout, MaybeExecuted, "DEADLINE_EXCEEDED"),
        (Code::NotFound, Permanent, Executed, "NOT_FOUND"),
        (Code::AlreadyExists, Permanent, Executed, "ALREADY_EXISTS"),
        (Code::PermissionDenied, Permanent, Executed, "PERMISSION_DENIED"),
        (Code::ResourceExhausted, Permanent, NotExecuted, "RESOURCE_EXHAUSTED"),
        (Code::FailedPrecondition, Permanent, Executed, "FAILED_PRECONDITION"),
        (Code::Aborted, Conflict, NotExecuted, "ABORTED"),
        (Code::OutOfRange, Permanent, Executed, "OUT_OF_RANGE"),
        (Code::Unimplemented, Permanent, Executed, "UNIMPLEMENTED"),
        (Code::Internal, Permanent, MaybeExecuted, "INTERNAL"),
        (Code::Unavailable, Transient, MaybeExecuted, "UNAVAILABLE"),
        (Code::DataLoss, Permanent, MaybeExecuted, "DATA_LOSS"),
        (Code::Unauthenticated, Permanent, Executed, "UNAUTHENTICATED"),
    ];
    let answers = rows.map(|(code, ..)| Some(Status::new(code, "scripted")));
    let channel = serve(Server::builder(), answers).await?;
    for (code, kind, execution, label) in rows {
        let status = ask(&channel).await.unwrap_err();
        assert_eq!((status.code(), status.label()), (code, label));
        assert_eq!(facts(&status), (kind, execution), "{status:?}");
        assert_eq!(status.classify().hint(), None);
    }
    Ok(())
}

/// A status with a wait in its details.
fn with_retry_info(code: Code, wait: Option<Duration>) -> Status {
    let mut details = ErrorDetails::new();
    details.set_retry_info(wait);
    Status::with_error_details(code, "scripted", details)
}

#[tokio::test]
async fn retry_info_says_when_and_whether_a_quota_comes_back() -> Tested {
    let wait = Duration::from_millis(1500);
    let busy = said(with_retry_info(Code::ResourceExhausted, Some(wait))).await?;
    assert_eq!(facts(&busy), (Throttled, NotExecuted));
    assert_eq!(busy.classify().hint(), Some(Hint::RetryAfter(wait)));

    for at_once in [None, Some(Duration::ZERO)] {
        let busy = said(with_retry_info(Code::ResourceExhausted, at_once)).await?;
        assert_eq!((facts(&busy), busy.classify().hint()), ((Throttled, NotExecuted), None));
    }
    let away = said(with_retry_info(Code::Unavailable, Some(wait))).await?;
    assert_eq!(facts(&away), (Transient, MaybeExecuted));
    assert_eq!(away.classify().hint(), Some(Hint::RetryAfter(wait)));

    // A final answer stays one.
    let missing = said(with_retry_info(Code::NotFound, Some(wait))).await?;
    assert!(missing.classify().is_answer());
    assert_eq!(missing.classify().hint(), None);
    Ok(())
}

#[tokio::test]
async fn details_that_are_no_retry_info_say_nothing() -> Tested {
    let other = ErrorDetails::with_error_info("QUOTA", "test", []);
    for status in [
        Status::with_error_details(Code::ResourceExhausted, "", other),
        Status::with_details(Code::ResourceExhausted, "", vec![0xff; 64].into()),
    ] {
        let busy = said(status).await?;
        assert!(!busy.details().is_empty());
        assert_eq!((facts(&busy), busy.classify().hint()), ((Permanent, NotExecuted), None));
    }
    Ok(())
}

#[tokio::test]
async fn a_pushback_beats_retry_info() -> Tested {
    let mut status = with_retry_info(Code::Unavailable, Some(Duration::from_secs(9)));
    status.metadata_mut().insert("grpc-retry-pushback-ms", "20".parse()?);
    let wait = Hint::RetryAfter(Duration::from_millis(20));
    assert_eq!(said(status.clone()).await?.classify().hint(), Some(wait));

    status.metadata_mut().insert("grpc-retry-pushback-ms", "-7".parse()?);
    assert_eq!(said(status).await?.classify().hint(), Some(Hint::DoNotRetry));
    Ok(())
}

#[tokio::test]
async fn fields_of_http_beside_a_status_come_through() -> Tested {
    let mut status = Status::unavailable("scripted");
    status.metadata_mut().insert("retry-after", "2".parse()?);
    let away = said(status.clone()).await?;
    assert_eq!(facts(&away), (Transient, MaybeExecuted));
    assert_eq!(away.classify().hint(), Some(Hint::RetryAfter(Duration::from_secs(2))));

    status.metadata_mut().insert("x-envoy-overloaded", "true".parse()?);
    assert_eq!(facts(&said(status.clone()).await?), (Throttled, NotExecuted));

    status.metadata_mut().insert("stormless-do-not-retry", "?1".parse()?);
    assert_eq!(said(status).await?.classify().hint(), Some(Hint::DoNotRetry));

    let mut status = with_retry_info(Code::Unavailable, Some(Duration::from_secs(9)));
    status.metadata_mut().insert("retry-after", "2".parse()?);
    let hint = said(status).await?.classify().hint();
    assert_eq!(hint, Some(Hint::RetryAfter(Duration::from_secs(9))));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_comes_back_when_retry_info_asks_it_to() -> Tested {
    let wait = Duration::from_secs(3);
    let busy = Some(with_retry_info(Code::ResourceExhausted, Some(wait)));
    let channel = serve(Server::builder(), [busy]).await?;
    let (result, calls) = isolated(report(ask_again(&channel))).await;
    assert!(result.is_ok() && calls[0].attempts() == 2);
    assert!((wait..=wait.mul_f64(1.25)).contains(&calls[0].slept()), "{:?}", calls[0].slept());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_passes_is_never_an_answer() -> Tested {
    let limit = Duration::from_secs(3);
    // The client's own limit; the server is told, and whoever is first says so.
    let channel = serve(Server::builder(), [None]).await?;
    let late = ask_within(&channel, limit).await.unwrap_err();
    assert!(matches!(late.classify().kind(), Timeout | Cancelled), "{late:?}");

    // The server's.
    let channel = serve(Server::builder().timeout(limit), [None]).await?;
    let late = ask(&channel).await.unwrap_err();
    assert_eq!(facts(&late), (Cancelled, MaybeExecuted), "{late:?}");
    Ok(())
}
