use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::lapin::protocol::AMQPError;
use ::lapin::{ChannelState, ConnectionState};
use stormless::{DeadlineExceeded, Execution, Kind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::loopback::{at_once, facts, refused, serve};

async fn failure(address: std::net::SocketAddr) -> Error {
    Connection::connect(&format!("amqp://{address}"), ConnectionProperties::default())
        .await
        .unwrap_err()
}

fn protocol(code: u16) -> Error {
    ErrorKind::ProtocolError(AMQPError::from_id(code, "".into()).unwrap()).into()
}

#[test]
fn the_brokers_answers_are_classed_by_their_code() {
    for (code, kind, execution) in [
        (320, Kind::Transient, Execution::MaybeExecuted),
        (541, Kind::Transient, Execution::MaybeExecuted),
        (506, Kind::Throttled, Execution::MaybeExecuted),
        (405, Kind::Transient, Execution::NotExecuted),
        (313, Kind::Transient, Execution::NotExecuted),
        (311, Kind::Permanent, Execution::Executed),
        (403, Kind::Permanent, Execution::Executed),
        (404, Kind::Permanent, Execution::Executed),
        (406, Kind::Permanent, Execution::Executed),
        (530, Kind::Permanent, Execution::Executed),
        (504, Kind::Permanent, Execution::Executed),
    ] {
        assert!(protocol(code).can_be_recovered(), "lapin is as optimistic as it is said to be");
        assert_eq!(facts(classify(&protocol(code))), (kind, execution), "{code}");
    }
}

#[test]
fn each_other_kind_has_its_class() {
    let io = |kind| Arc::new(io::Error::from(kind));
    for (kind, class, execution) in [
        (
            ErrorKind::IOError(io(io::ErrorKind::ConnectionReset)),
            Kind::Transient,
            Execution::MaybeExecuted,
        ),
        (ErrorKind::MissingHeartbeatError, Kind::Transient, Execution::MaybeExecuted),
        (ErrorKind::InvalidChannel(7), Kind::Transient, Execution::NotExecuted),
        (
            ErrorKind::InvalidChannelState(ChannelState::Closed, "publish"),
            Kind::Transient,
            Execution::NotExecuted,
        ),
        (
            ErrorKind::InvalidConnectionState(ConnectionState::Closed),
            Kind::Transient,
            Execution::NotExecuted,
        ),
        (ErrorKind::ChannelsLimitReached, Kind::Throttled, Execution::NotExecuted),
        (
            ErrorKind::RuntimeShutdownError(io(io::ErrorKind::Other)),
            Kind::Cancelled,
            Execution::NotExecuted,
        ),
        (ErrorKind::AuthProviderError(String::new()), Kind::Permanent, Execution::NotExecuted),
        (ErrorKind::FutureCompleted, Kind::Permanent, Execution::NotExecuted),
        (ErrorKind::NoDefaultRuntime, Kind::Permanent, Execution::NotExecuted),
    ] {
        assert_eq!(facts(classify(&kind.clone().into())), (class, execution), "{kind:?}");
    }
    assert!(classify(&ErrorKind::ChannelsLimitReached.into()).is_local());
    assert_eq!(classify(&cut(DeadlineExceeded::default().into())).kind(), Kind::Timeout);
}

#[test]
fn a_nack_may_have_been_executed_and_an_ack_speaks_for_itself() {
    let nack = classify_confirmation(&Ok(Confirmation::Nack(None))).unwrap();
    assert_eq!(facts(nack), (Kind::Transient, Execution::MaybeExecuted));
    assert!(classify_confirmation(&Ok(Confirmation::Ack(None))).is_none());
    assert!(classify_confirmation(&Err(protocol(404))).is_none());
}

#[tokio::test]
async fn a_refused_connection_was_not_executed() {
    let error = failure(refused().await).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::NotExecuted), "{error:?}");
}

#[tokio::test]
async fn a_connection_lost_in_the_handshake_may_have_been_seen() {
    let error = failure(serve(|_| async {}).await).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::MaybeExecuted), "{error:?}");
}

#[tokio::test]
async fn a_broker_of_another_version_stays_one() {
    let address = serve(|mut stream| async move {
        let mut header = [0; 8];
        stream.read_exact(&mut header).await.unwrap();
        stream.write_all(b"AMQP\0\x01\0\0").await.unwrap();
        // Until the client has read it and closes.
        let _ = stream.read(&mut header).await;
    })
    .await;
    let error = failure(address).await;
    assert!(matches!(error.kind(), ErrorKind::InvalidProtocolVersion(_)), "{error:?}");
    assert_eq!(facts(classify(&error)), (Kind::Permanent, Execution::NotExecuted));
}

#[tokio::test]
async fn publishing_connects_anew_for_each_attempt() {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let address = serve(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        async {}
    })
    .await;
    let broker = Broker::new(format!("amqp://{address}"));
    at_once(broker.publish("mail", "7", b"hello")).await.unwrap_err();
    assert_eq!(connections.load(Ordering::Relaxed), 3);
}
