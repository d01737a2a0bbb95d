use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_nats::{Client, ConnectOptions};
use stormless::{DeadlineExceeded, Execution, Kind};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::*;
use crate::loopback::{at_once, facts, refused, serve};

#[test]
fn each_kind_of_core_nats_has_its_class() {
    use RequestErrorKind as Request;
    check(Request::TimedOut, Kind::Timeout, Execution::MaybeExecuted);
    check(Request::NoResponders, Kind::Transient, Execution::NotExecuted);
    check(Request::InvalidSubject, Kind::Permanent, Execution::NotExecuted);
    check(Request::MaxPayloadExceeded, Kind::Permanent, Execution::NotExecuted);
    check(Request::Other, Kind::Permanent, Execution::NotExecuted);
    check(PublishErrorKind::Send, Kind::Permanent, Execution::NotExecuted);
    check(SubscribeErrorKind::Other, Kind::Permanent, Execution::NotExecuted);
    check(FlushErrorKind::FlushError, Kind::Transient, Execution::MaybeExecuted);
    check(FlushErrorKind::SendError, Kind::Permanent, Execution::NotExecuted);
    check(ConnectErrorKind::Dns, Kind::Transient, Execution::NotExecuted);
    check(ConnectErrorKind::TimedOut, Kind::Timeout, Execution::NotExecuted);
    check(ConnectErrorKind::AuthorizationViolation, Kind::Permanent, Execution::Executed);
    check(ConnectErrorKind::Tls, Kind::Permanent, Execution::NotExecuted);
    check(ConnectErrorKind::MaxReconnects, Kind::Permanent, Execution::NotExecuted);
}

#[test]
fn each_kind_of_jetstream_has_its_class() {
    use context::PublishErrorKind as Publish;
    check(Publish::TimedOut, Kind::Timeout, Execution::MaybeExecuted);
    check(Publish::BrokenPipe, Kind::Transient, Execution::MaybeExecuted);
    check(Publish::MaxAckPending, Kind::Throttled, Execution::NotExecuted);
    check(Publish::StreamNotFound, Kind::Transient, Execution::NotExecuted);
    check(Publish::WrongLastMessageId, Kind::Permanent, Execution::Executed);
    check(Publish::WrongLastSequence, Kind::Permanent, Execution::Executed);
    check(Publish::MaxPayloadExceeded, Kind::Permanent, Execution::NotExecuted);
    check(context::RequestErrorKind::NoResponders, Kind::Transient, Execution::NotExecuted);
    check(context::RequestErrorKind::TimedOut, Kind::Timeout, Execution::MaybeExecuted);
    assert!(classify(&Error::new(Publish::MaxAckPending)).is_local());
    let nobody = classify(&Error::new(Publish::StreamNotFound));
    assert_eq!(nobody.base_override(), Some(Duration::from_millis(250)));
    assert_eq!(classify(&cut(DeadlineExceeded::default().into())).kind(), Kind::Timeout);
}

fn check<K: Class + Copy>(kind: K, class: Kind, execution: Execution) {
    assert_eq!(facts(classify(&Error::new(kind))), (class, execution), "{kind:?}");
}

#[test]
fn jetstreams_own_answers_are_classed_by_their_status() {
    for (code, kind, execution) in [
        (503, Kind::Throttled, Execution::NotExecuted),
        (500, Kind::Transient, Execution::MaybeExecuted),
        (400, Kind::Permanent, Execution::Executed),
        (404, Kind::Permanent, Execution::Executed),
    ] {
        let answer: jetstream::Error =
            serde_json::from_str(&format!(r#"{{"code":{code},"err_code":1}}"#)).unwrap();
        let error = Error::with_source(context::PublishErrorKind::Other, answer);
        assert_eq!(facts(classify(&error)), (kind, execution), "{code}");
    }
}

#[tokio::test]
async fn a_refused_connection_and_a_server_that_hangs_up_were_not_executed() {
    let hangs_up = serve(|_| async {}).await;
    for address in [refused().await, hangs_up] {
        let error = async_nats::connect(format!("nats://{address}")).await.unwrap_err();
        assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::NotExecuted), "{error:?}");
    }
}

#[tokio::test]
async fn connecting_too_slowly_was_not_executed() {
    // Accepted by the system, and never greeted.
    let silent = serve(|stream| async move {
        let _open = stream;
        std::future::pending::<()>().await;
    })
    .await;
    let options = ConnectOptions::new().connection_timeout(Duration::from_millis(50));
    let error = options.connect(format!("nats://{silent}")).await.unwrap_err();
    assert_eq!(facts(classify(&error)), (Kind::Timeout, Execution::NotExecuted), "{error:?}");
}

#[tokio::test]
async fn nobody_there_and_nobody_answering_are_two_things() {
    let nobody = client(server("503", Arc::default()).await).await;
    let error = nobody.request("a", Bytes::new()).await.unwrap_err();
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::NotExecuted), "{error:?}");

    let silent = impatient(server("", Arc::default()).await).await;
    let error = silent.request("a", Bytes::new()).await.unwrap_err();
    assert_eq!(facts(classify(&error)), (Kind::Timeout, Execution::MaybeExecuted), "{error:?}");
}

#[tokio::test]
async fn a_request_whose_connection_is_lost_is_a_timeout_and_is_not_sent_again() {
    let requests = Arc::new(AtomicUsize::new(0));
    let lost = impatient(server("close", Arc::clone(&requests)).await).await;
    let error = lost.request("a", Bytes::new()).await.unwrap_err();
    assert_eq!(facts(classify(&error)), (Kind::Timeout, Execution::MaybeExecuted), "{error:?}");
    assert_eq!(requests.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_stream_without_a_leader_is_asked_again() {
    let requests = Arc::new(AtomicUsize::new(0));
    let stream = jetstream::new(client(server("503", Arc::clone(&requests)).await).await);
    let error = at_once(publish(&stream, "7", Bytes::from_static(b"1 EUR"))).await.unwrap_err();
    assert_eq!(error.kind(), context::PublishErrorKind::StreamNotFound);
    assert_eq!(requests.load(Ordering::Relaxed), 3);
}

/// A client that waits for an answer for ten seconds.
async fn client(address: SocketAddr) -> Client {
    async_nats::connect(format!("nats://{address}")).await.unwrap()
}

/// A client that expects none.
async fn impatient(address: SocketAddr) -> Client {
    let options = ConnectOptions::new().request_timeout(Some(Duration::from_millis(100)));
    options.connect(format!("nats://{address}")).await.unwrap()
}

/// As much of a NATS server as a request needs: it answers with `status`, closes, or says nothing.
async fn server(status: &'static str, requests: Arc<AtomicUsize>) -> SocketAddr {
    serve(move |stream| talk(stream, status, Arc::clone(&requests))).await
}

async fn talk(stream: TcpStream, status: &str, requests: Arc<AtomicUsize>) {
    let mut stream = BufReader::new(stream);
    let info = r#"{"server_id":"1","server_name":"1","host":"127.0.0.1","port":4222,"version":"2.12.0","go":"1",
        "max_payload":1048576,"proto":1,"client_id":1,"headers":true}"#;
    let greeting = format!("INFO {}\r\n", info.replace('\n', ""));
    stream.write_all(greeting.as_bytes()).await.unwrap();
    let (mut line, mut subscription) = (String::new(), String::new());
    while stream.read_line(&mut line).await.unwrap_or(0) > 0 {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["SUB", _, id] => id.clone_into(&mut subscription),
            ["PING"] => stream.write_all(b"PONG\r\n").await.unwrap(),
            // The payload's line, the header's too, is none of these.
            ["PUB" | "HPUB", _, reply, ..] => {
                requests.fetch_add(1, Ordering::Relaxed);
                match status {
                    "" => {}
                    "close" => return,
                    _ => {
                        let head = format!("NATS/1.0 {status}\r\n\r\n");
                        let length = head.len();
                        let answer =
                            format!("HMSG {reply} {subscription} {length} {length}\r\n{head}\r\n");
                        stream.write_all(answer.as_bytes()).await.unwrap();
                    }
                }
            }
            _ => {}
        }
        line.clear();
    }
}
