//! The way to a server.

use std::{io, time::Duration};

use redis::{AsyncConnectionConfig, Client, ErrorKind, RedisError};
use stormless::Retryable;

use crate::{
    Execution, Kind, MaybeExecuted, NotExecuted, Permanent, Tested, Timeout, Transient,
    fake::{
        Fake,
        Reply::{Lost, Says, Silence},
    },
    real::{Real, run},
    verdict,
};

#[tokio::test]
async fn where_nobody_listens_nothing_was_executed() -> Tested {
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
    let refused = Client::open(format!("redis://{nobody}"))?;
    let refused = refused.get_multiplexed_async_connection().await.map(drop);
    assert_eq!(verdict(refused), (Transient, NotExecuted, "connection_refused"));
    let missing = Client::open("unix:///nowhere/at/all")?;
    let missing = missing.get_multiplexed_async_connection().await.map(drop);
    assert_eq!(verdict(missing), (Transient, NotExecuted, "not_found"));
    Ok(())
}

#[tokio::test]
async fn nobody_can_say_what_a_lost_connection_carried_out() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    // The server cuts the one who asks, too, once it has answered.
    let mut connection = redis.connect().await?;
    let id: String = redis::cmd("CLIENT").arg("ID").query_async(&mut connection).await?;
    redis.run(&["CLIENT", "KILL", "ID", &id]).await?;
    let lost = verdict(run(&mut connection, &["INCR", "a"]).await);
    assert_eq!((lost.0, lost.1), (Transient, MaybeExecuted), "{lost:?}");

    let fake = Fake::start().await?;
    fake.always("INCR", Lost);
    let mut connection = fake.client()?.get_multiplexed_async_connection().await?;
    let lost = verdict(run(&mut connection, &["INCR", "a"]).await);
    assert_eq!((lost.0, lost.1), (Transient, MaybeExecuted), "{lost:?}");
    Ok(())
}

#[tokio::test]
async fn a_late_answer_is_a_timeout_and_is_not_repeated_at_once() -> Tested {
    let fake = Fake::start().await?;
    fake.always("GET", Silence);
    let config = AsyncConnectionConfig::new().set_response_timeout(Some(Duration::from_millis(5)));
    let client = fake.client()?;
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    let late = run(&mut connection, &["GET", "a"]).await;
    let method = late.as_ref().map_err(RedisError::retry_method);
    // What the driver itself would do, and the adapter does not.
    assert!(matches!(method, Err(redis::RetryMethod::RetryImmediately)));
    assert_eq!(verdict(late), (Timeout, MaybeExecuted, "timed_out"));
    Ok(())
}

#[tokio::test]
async fn garbage_is_permanent_whatever_was_carried_out() -> Tested {
    let fake = Fake::start().await?;
    fake.always("GET", Says("?what"));
    let mut connection = fake.client()?.get_multiplexed_async_connection().await?;
    let garbage = verdict(run(&mut connection, &["GET", "a"]).await);
    assert_eq!(garbage, (Permanent, MaybeExecuted, "parse"));
    Ok(())
}

#[test]
fn what_the_driver_itself_finds_is_said_to_be_where_it_was_found() {
    type Row = (ErrorKind, Kind, Execution, bool, &'static str);
    let rows: [Row; 9] = [
        (ErrorKind::Io, Transient, MaybeExecuted, false, "connection_dropped"),
        (
            ErrorKind::ClusterConnectionNotFound,
            Transient,
            NotExecuted,
            false,
            "cluster_connection_not_found",
        ),
        (
            ErrorKind::MasterNameNotFoundBySentinel,
            Transient,
            NotExecuted,
            false,
            "master_name_not_found_by_sentinel",
        ),
        (
            ErrorKind::NoValidReplicasFoundBySentinel,
            Transient,
            NotExecuted,
            false,
            "no_valid_replicas_found_by_sentinel",
        ),
        (ErrorKind::EmptySentinelList, Permanent, NotExecuted, true, "empty_sentinel_list"),
        (ErrorKind::InvalidClientConfig, Permanent, NotExecuted, true, "invalid_client_config"),
        (ErrorKind::Client, Permanent, NotExecuted, true, "client"),
        (ErrorKind::RESP3NotSupported, Permanent, NotExecuted, true, "resp3_not_supported"),
        (
            ErrorKind::UnexpectedReturnType,
            Permanent,
            Execution::Executed,
            false,
            "unexpected_return_type",
        ),
    ];
    for (kind, class, execution, local, label) in rows {
        let error = RedisError::from((kind, "made by hand"));
        let said = error.classify();
        assert_eq!((said.kind(), said.execution(), said.is_local()), (class, execution, local));
        assert_eq!(error.label(), label);
    }
    // The driver keeps what it wraps in an `Arc`.
    for (kind, label) in [
        (io::ErrorKind::ConnectionReset, "connection_reset"),
        (io::ErrorKind::BrokenPipe, "broken_pipe"),
        (io::ErrorKind::UnexpectedEof, "unexpected_eof"),
    ] {
        let lost = Err::<(), _>(RedisError::from(io::Error::from(kind)));
        assert_eq!(verdict(lost), (Transient, MaybeExecuted, label));
    }
    let denied = Err::<(), _>(io::Error::from(io::ErrorKind::PermissionDenied).into());
    assert_eq!(verdict(denied), (Permanent, NotExecuted, "permission_denied"));
}
