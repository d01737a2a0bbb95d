use std::io;

use stormless::{Cut, DeadlineExceeded, Execution, Kind};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error, ProtocolError, UrlError};
use tokio_tungstenite::tungstenite::{self, Message};

use super::{classify, connect, connect_async, cut};
use crate::loopback::{Answer, Http, at_once, facts, refused, serve, wait};

async fn failure(address: std::net::SocketAddr) -> Error {
    connect_async(format!("ws://{address}")).await.unwrap_err()
}

#[test]
fn each_variant_has_its_class() {
    let message = || Box::new(Message::text("late"));
    for (error, kind, execution) in [
        (Error::ConnectionClosed, Kind::Transient, Execution::MaybeExecuted),
        (Error::AlreadyClosed, Kind::Transient, Execution::NotExecuted),
        (Error::WriteBufferFull(message()), Kind::Throttled, Execution::NotExecuted),
        (
            ProtocolError::ResetWithoutClosingHandshake.into(),
            Kind::Transient,
            Execution::MaybeExecuted,
        ),
        (ProtocolError::SendAfterClosing.into(), Kind::Transient, Execution::NotExecuted),
        (ProtocolError::InvalidCloseSequence.into(), Kind::Permanent, Execution::NotExecuted),
        (UrlError::UnableToConnect(String::new()).into(), Kind::Transient, Execution::NotExecuted),
        (UrlError::NoHostName.into(), Kind::Permanent, Execution::NotExecuted),
        (CapacityError::TooManyHeaders.into(), Kind::Permanent, Execution::NotExecuted),
        (Error::Utf8(String::new()), Kind::Permanent, Execution::NotExecuted),
        (Error::AttackAttempt, Kind::Permanent, Execution::NotExecuted),
        (
            io::Error::from(io::ErrorKind::BrokenPipe).into(),
            Kind::Transient,
            Execution::MaybeExecuted,
        ),
        (cut(Cut::from(DeadlineExceeded::default())), Kind::Timeout, Execution::MaybeExecuted),
    ] {
        assert_eq!(facts(classify(&error)), (kind, execution), "{error:?}");
    }
    assert!(classify(&Error::WriteBufferFull(message())).is_local());
}

#[tokio::test]
async fn a_refused_connection_was_not_executed() {
    let error = failure(refused().await).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::NotExecuted), "{error:?}");
    // The blocking client says it in other words.
    let blocking = tungstenite::connect(format!("ws://{}", refused().await)).unwrap_err();
    assert_eq!(
        facts(classify(&blocking)),
        (Kind::Transient, Execution::NotExecuted),
        "{blocking:?}"
    );
}

#[tokio::test]
async fn a_refused_upgrade_is_classed_by_its_status_and_its_wait_is_kept() {
    let busy = Http::new(&[Answer::Text("429 Too Many Requests\r\nretry-after: 7", "")]).await;
    let class = classify(&failure(busy.address).await);
    assert_eq!(facts(class), (Kind::Throttled, Execution::NotExecuted));
    assert_eq!(wait(class), Some(7));

    let closed = Http::new(&[Answer::Text("403 Forbidden", "")]).await;
    assert!(classify(&failure(closed.address).await).is_answer());
}

#[tokio::test]
async fn a_connection_lost_in_the_handshake_may_have_been_seen() {
    let server = Http::new(&[Answer::Close]).await;
    let error = failure(server.address).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::MaybeExecuted), "{error:?}");
}

#[tokio::test]
async fn what_was_sent_on_a_connection_that_was_lost_may_have_been_read() {
    let address = serve(|stream| async {
        let mut socket = accept_async(stream).await.unwrap();
        socket.get_mut().shutdown().await.unwrap();
    })
    .await;
    let (mut socket, _) = connect_async(format!("ws://{address}")).await.unwrap();
    let error = std::future::poll_fn(|task| {
        use futures_core::Stream;
        std::pin::Pin::new(&mut socket).poll_next(task)
    })
    .await
    .unwrap()
    .unwrap_err();
    assert!(
        matches!(error, Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)),
        "{error:?}"
    );
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::MaybeExecuted));
}

#[tokio::test]
async fn connecting_is_tried_three_times() {
    let server = Http::new(&[Answer::Text("503 Service Unavailable", "")]).await;
    at_once(Box::pin(connect(&format!("ws://{}", server.address)))).await.unwrap_err();
    assert_eq!(server.requests(), 3);
}
