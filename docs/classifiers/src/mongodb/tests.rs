use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ::mongodb::Client;
use ::mongodb::error::{CommandError, InsertManyError, WriteConcernError, WriteError};
use ::mongodb::options::{ServerApi, ServerApiVersion};
use stormless::{DeadlineExceeded, Execution, Kind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::loopback::{at_once, facts, refused, serve};

fn command(code: i32) -> Error {
    let error: CommandError = serde_json::from_value(serde_json::json!({ "code": code })).unwrap();
    ErrorKind::Command(error).into()
}

/// The one way from outside to an error with labels.
fn labelled(labels: &[&str]) -> Error {
    ErrorKind::Write(WriteFailure::WriteConcernError(concern(91, labels))).into()
}

fn concern(code: i32, labels: &[&str]) -> WriteConcernError {
    serde_json::from_value(serde_json::json!({ "code": code, "errorLabels": labels })).unwrap()
}

#[test]
fn labels_decide_before_anything_else() {
    for (labels, kind, execution) in [
        (&[TRANSIENT_TRANSACTION_ERROR][..], Kind::Conflict, Execution::NotExecuted),
        (&[UNKNOWN_TRANSACTION_COMMIT_RESULT], Kind::Transient, Execution::MaybeExecuted),
        (&[SYSTEM_OVERLOADED_ERROR, RETRYABLE_ERROR], Kind::Throttled, Execution::NotExecuted),
        (&[RETRYABLE_WRITE_ERROR], Kind::Transient, Execution::MaybeExecuted),
        (&[RETRYABLE_WRITE_ERROR, NO_WRITES_PERFORMED], Kind::Transient, Execution::NotExecuted),
    ] {
        assert_eq!(facts(classify(&labelled(labels))), (kind, execution), "{labels:?}");
    }
    let refused = classify(&labelled(&[SYSTEM_OVERLOADED_ERROR]));
    assert_eq!(refused.hint(), Some(stormless::Hint::DoNotRetry));
}

#[test]
fn codes_say_whether_anything_was_done() {
    for (code, kind, execution) in [
        (10_107, Kind::Transient, Execution::NotExecuted),
        (13_435, Kind::Transient, Execution::NotExecuted),
        (134, Kind::Transient, Execution::NotExecuted),
        (11_600, Kind::Transient, Execution::MaybeExecuted),
        (189, Kind::Transient, Execution::MaybeExecuted),
        (9001, Kind::Transient, Execution::MaybeExecuted),
        (50, Kind::Timeout, Execution::MaybeExecuted),
        (262, Kind::Timeout, Execution::MaybeExecuted),
        (112, Kind::Conflict, Execution::NotExecuted),
        (13, Kind::Permanent, Execution::Executed),
    ] {
        assert_eq!(facts(classify(&command(code))), (kind, execution), "{code}");
    }
}

#[test]
fn a_write_that_is_not_as_safe_as_asked_for_may_have_been_executed() {
    for (code, kind) in [(64, Kind::Timeout), (91, Kind::Transient), (100, Kind::Permanent)] {
        let error = ErrorKind::Write(WriteFailure::WriteConcernError(concern(code, &[])));
        assert_eq!(facts(classify(&error.into())), (kind, Execution::MaybeExecuted), "{code}");
    }
    let many: InsertManyError =
        serde_json::from_value(serde_json::json!({ "writeConcernError": concern(64, &[]) }))
            .unwrap();
    let many = ErrorKind::InsertMany(many).into();
    assert_eq!(facts(classify(&many)), (Kind::Timeout, Execution::MaybeExecuted));
}

#[test]
fn answers_are_permanent_and_a_cut_is_a_timeout() {
    let duplicate: WriteError =
        serde_json::from_value(serde_json::json!({ "code": 11_000 })).unwrap();
    assert!(classify(&ErrorKind::Write(WriteFailure::WriteError(duplicate)).into()).is_answer());
    assert_eq!(facts(classify(&Error::custom("stop"))), (Kind::Permanent, Execution::NotExecuted));
    assert_eq!(
        facts(classify(&ErrorKind::Shutdown.into())),
        (Kind::Permanent, Execution::NotExecuted)
    );
    assert_eq!(classify(&cut(DeadlineExceeded::default().into())).kind(), Kind::Timeout);
}

#[tokio::test]
async fn where_no_server_is_found_nothing_was_executed() {
    let hangs_up = serve(|_| async {}).await;
    for address in [refused().await, hangs_up] {
        let mut options = options(address).await;
        options.server_selection_timeout = Some(Duration::from_millis(100));
        let error = orders(options).find_one(doc! {}).await.unwrap_err();
        assert!(matches!(*error.kind, ErrorKind::ServerSelection { .. }), "{error:?}");
        assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::NotExecuted));
    }
}

#[tokio::test]
async fn the_driver_repeats_a_lost_read_unless_told_not_to() {
    for (by_itself, expected) in [(true, 2), (false, 1)] {
        let (address, finds) = server(None).await;
        let options = options(address).await;
        let orders = orders(if by_itself { options } else { unretried(options) });
        let error = orders.find_one(doc! {}).await.unwrap_err();
        assert_eq!(
            facts(classify(&error)),
            (Kind::Transient, Execution::MaybeExecuted),
            "{error:?}"
        );
        assert_eq!(finds.load(Ordering::Relaxed), expected);
    }
}

#[tokio::test]
async fn the_driver_repeats_what_an_overloaded_server_refused_unless_told_not_to() {
    for (by_itself, expected) in [(true, 3), (false, 1)] {
        let labels = vec![SYSTEM_OVERLOADED_ERROR, RETRYABLE_ERROR];
        let (address, finds) =
            server(Some(doc! { "ok": 0, "code": 462, "baseBackoffMS": 1, "errorLabels": labels }))
                .await;
        let options = options(address).await;
        let orders = orders(if by_itself { options } else { unretried(options) });
        let error = orders.find_one(doc! {}).await.unwrap_err();
        assert_eq!(facts(classify(&error)), (Kind::Throttled, Execution::NotExecuted), "{error:?}");
        assert_eq!(classify(&error).base_override(), Some(Duration::from_millis(1)));
        assert_eq!(finds.load(Ordering::Relaxed), expected);
    }
}

#[tokio::test]
async fn a_lost_update_is_tried_three_times_where_a_repeat_is_harmless() {
    let (address, updates) = server(None).await;
    at_once(mark_paid(&orders(unretried(options(address).await)), 7)).await.unwrap_err();
    assert_eq!(updates.load(Ordering::Relaxed), 3);
}

async fn options(address: SocketAddr) -> ClientOptions {
    let mut options =
        ClientOptions::parse(format!("mongodb://{address}/?directConnection=true")).await.unwrap();
    // Longer than the half second for which the driver does not ask again after a server whose connection was lost.
    options.server_selection_timeout = Some(Duration::from_secs(10));
    // Without it the first message has a form of its own.
    options.server_api = Some(ServerApi::builder().version(ServerApiVersion::V1).build());
    options
}

fn orders(options: ClientOptions) -> Collection<Document> {
    Client::with_options(options).unwrap().database("shop").collection("orders")
}

/// As much of a server as one command needs: it answers with `answer`, or closes.
async fn server(answer: Option<Document>) -> (SocketAddr, Arc<AtomicUsize>) {
    let commands = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&commands);
    let address = serve(move |stream| talk(stream, answer.clone(), Arc::clone(&counted))).await;
    (address, commands)
}

async fn talk(mut stream: TcpStream, answer: Option<Document>, commands: Arc<AtomicUsize>) {
    let hello = doc! {
        "ok": 1, "isWritablePrimary": true, "minWireVersion": 8, "maxWireVersion": 25, "maxBsonObjectSize": 16_777_216,
        "maxMessageSizeBytes": 48_000_000, "maxWriteBatchSize": 100_000, "logicalSessionTimeoutMinutes": 30,
    };
    // Length, request, response to, operation: four little-endian numbers before each message.
    while let Ok(length) = stream.read_i32_le().await {
        let mut message = vec![0; usize::try_from(length).unwrap() - 4];
        if stream.read_exact(&mut message).await.is_err() {
            return;
        }
        let request = i32::from_le_bytes(message[..4].try_into().unwrap());
        // The name of the first element of the document that follows the flags and the section's kind.
        let command = &message[12 + 4 + 1 + 4 + 1..];
        let reply = if command.starts_with(b"find\0") || command.starts_with(b"update\0") {
            commands.fetch_add(1, Ordering::Relaxed);
            let Some(answer) = &answer else { return };
            answer
        } else {
            &hello
        };
        let body = reply.to_vec().unwrap();
        let mut answer = Vec::new();
        for number in [i32::try_from(16 + 4 + 1 + body.len()).unwrap(), 1, request, 2013, 0] {
            answer.extend(number.to_le_bytes());
        }
        answer.push(0);
        answer.extend(body);
        if stream.write_all(&answer).await.is_err() {
            return;
        }
    }
}
