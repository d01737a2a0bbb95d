//! Hosts that cannot be reached any more, on connections that stood.

use std::io::{Error, ErrorKind};

use super::io::{known, on_a_connection};
#[cfg(any(
    feature = "h2-0-4",
    feature = "redis-1",
    feature = "sqlx-0-9",
    feature = "tokio-postgres-0-7"
))]
use crate::Retryable;
use crate::{Classification, Execution, Kind};

const AWAY: [ErrorKind; 3] =
    [ErrorKind::HostUnreachable, ErrorKind::NetworkUnreachable, ErrorKind::NetworkDown];

/// It must not be sent twice.
#[track_caller]
fn may_have_executed(class: Classification) {
    assert_eq!((class.kind(), class.execution()), (Kind::Transient, Execution::MaybeExecuted));
}

#[test]
fn only_a_bare_error_is_one_of_connecting() {
    for kind in AWAY {
        let (bare, label) = known(&Error::from(kind)).unwrap();
        assert_eq!(bare, Classification::transient());
        let (class, same) = on_a_connection((bare, label));
        may_have_executed(class);
        assert_eq!(same, label);
    }
    let refused = known(&Error::from(ErrorKind::ConnectionRefused)).unwrap();
    assert_eq!(on_a_connection(refused), refused);
}

#[cfg(feature = "hyper-1")]
mod hyper {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use ::hyper::rt::{Read, ReadBufCursor, Write};
    use ::hyper::{Request, client::conn::http1::handshake};

    use super::super::transport;
    use super::{AWAY, Error, ErrorKind, Execution, Retryable, may_have_executed};

    /// Takes whatever is written; the next hop dies before the answer.
    struct Dying {
        kind: ErrorKind,
        written: usize,
    }

    impl Read for Dying {
        fn poll_read(
            self: Pin<&mut Self>,
            context: &mut Context<'_>,
            _: ReadBufCursor<'_>,
        ) -> Poll<Result<(), Error>> {
            if self.written > 0 {
                return Poll::Ready(Err(self.kind.into()));
            }
            context.waker().wake_by_ref();
            Poll::Pending
        }
    }

    impl Write for Dying {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<Result<usize, Error>> {
            self.written += bytes.len();
            Poll::Ready(Ok(bytes.len()))
        }
        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
            Poll::Ready(Ok(()))
        }
        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
            Poll::Ready(Ok(()))
        }
    }

    fn failed(kind: ErrorKind) -> ::hyper::Error {
        let mut context = Context::from_waker(Waker::noop());
        let mut shaken = Box::pin(handshake(Dying { kind, written: 0 }));
        let Poll::Ready(Ok((mut sender, connection))) = shaken.as_mut().poll(&mut context) else {
            panic!("a handshake of HTTP/1 waits for nobody")
        };
        let mut connection = Box::pin(connection);
        let request = Request::post("/orders").body(String::from("one")).unwrap();
        let mut answer = Box::pin(sender.send_request(request));
        for _ in 0..16 {
            let _ended = connection.as_mut().poll(&mut context);
            if let Poll::Ready(answer) = answer.as_mut().poll(&mut context) {
                return answer.unwrap_err();
            }
        }
        panic!("no end")
    }

    #[test]
    fn a_request_that_hyper_has_written_may_have_executed() {
        for kind in AWAY {
            may_have_executed(failed(kind).classify());
        }
    }

    #[test]
    fn what_is_known_to_be_connecting_is_not_executed() {
        for kind in AWAY {
            let (class, _) = transport::connecting(transport::verdict(&Error::from(kind)));
            assert_eq!(class.execution(), Execution::NotExecuted);
        }
    }
}

#[cfg(feature = "tonic-0-14")]
#[test]
fn a_call_of_grpc_stands_on_a_connection() {
    use ::tonic::{ConnectError, Status};

    for kind in AWAY {
        may_have_executed(Status::from_error(Error::from(kind).into()).classify());
        let connecting = Status::from_error(Box::new(ConnectError(Error::from(kind).into())));
        assert_eq!(connecting.classify(), Classification::transient());
    }
}

#[cfg(feature = "aws-smithy-1")]
#[test]
fn a_request_to_aws_stands_on_a_connection() {
    use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
    use aws_smithy_runtime_api::client::result::{ConnectorError, SdkError};
    use aws_smithy_types::error::ErrorMetadata;

    for kind in AWAY {
        let failed = ConnectorError::io(Error::from(kind).into());
        may_have_executed(
            SdkError::<ErrorMetadata, HttpResponse>::dispatch_failure(failed).classify(),
        );
    }
}

#[cfg(feature = "sqlx-0-9")]
#[test]
fn a_statement_of_sqlx_stands_on_a_connection() {
    for kind in AWAY {
        may_have_executed(::sqlx::Error::Io(kind.into()).classify());
    }
    let refused = ::sqlx::Error::Io(ErrorKind::ConnectionRefused.into());
    assert_eq!(refused.classify(), Classification::transient());
}

#[cfg(feature = "redis-1")]
#[test]
fn a_command_of_redis_stands_on_a_connection() {
    for kind in AWAY {
        may_have_executed(::redis::RedisError::from(Error::from(kind)).classify());
    }
    let refused = ::redis::RedisError::from(Error::from(ErrorKind::ConnectionRefused));
    assert_eq!(refused.classify(), Classification::transient());
}

#[cfg(feature = "tower-0-5")]
#[test]
fn a_boxed_error_may_come_from_a_connection() {
    for kind in AWAY {
        may_have_executed(super::tower::classify(&Error::from(kind).into()));
    }
}

#[cfg(all(feature = "tower-0-5", feature = "h2-0-4"))]
#[test]
fn a_boxed_error_of_h2_is_known_without_hyper() {
    let refused = ::h2::Error::from(::h2::Reason::ENHANCE_YOUR_CALM);
    assert_eq!(super::tower::classify(&refused.into()).kind(), Kind::Throttled);
}

#[cfg(feature = "reqwest-middleware-0-5")]
#[test]
fn an_error_of_a_middleware_may_come_from_a_connection() {
    for kind in AWAY {
        may_have_executed(::reqwest_middleware::Error::middleware(Error::from(kind)).classify());
    }
}

/// Sockets as tokio has them.
#[cfg(any(feature = "h2-0-4", feature = "tokio-postgres-0-7"))]
mod sockets {
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use ::tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

    use super::{AWAY, Error, ErrorKind, Retryable, may_have_executed};

    /// Takes whatever is written, and can read nothing.
    struct Dying(ErrorKind);

    impl AsyncRead for Dying {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &mut ReadBuf<'_>,
        ) -> Poll<Result<(), Error>> {
            Poll::Ready(Err(self.0.into()))
        }
    }

    impl AsyncWrite for Dying {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<Result<usize, Error>> {
            Poll::Ready(Ok(bytes.len()))
        }
        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
            Poll::Ready(Ok(()))
        }
        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
            Poll::Ready(Ok(()))
        }
    }

    fn ready<F: Future>(future: F) -> F::Output {
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(output) = pin!(future).poll(&mut context) else { panic!("no end") };
        output
    }

    #[cfg(feature = "h2-0-4")]
    #[test]
    fn h2_stands_on_a_connection() {
        for kind in AWAY {
            let (requests, connection) = ready(::h2::client::handshake(Dying(kind))).unwrap();
            let failed = ready(connection).unwrap_err();
            drop(requests);
            assert_eq!(failed.get_io().map(Error::kind), Some(kind));
            may_have_executed(failed.classify());
        }
    }

    #[cfg(feature = "tokio-postgres-0-7")]
    #[test]
    fn a_message_to_postgres_stands_on_a_connection() {
        use ::tokio_postgres::{Config, NoTls};

        for kind in AWAY {
            let config = Config::new().user("nobody").to_owned();
            let Err(failed) = ready(config.connect_raw(Dying(kind), NoTls)) else {
                panic!("connected")
            };
            may_have_executed(failed.classify());
        }
    }
}
