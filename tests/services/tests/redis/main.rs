//! Every function of the cache, against a redis server of the tests' own behind a proxy that breaks
//! connections.

mod lock;
mod proxy;
#[path = "../support/servers.rs"]
mod servers;
#[path = "../support/mod.rs"]
mod support;

use std::{
    error::Error,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use proxy::{
    Fault::{Aborted, Answer, Late, LostAfter, LostBefore, None as Passes},
    Proxy,
};
use redis::Client;
use servers::Server;
use services::redis::{Cache, CacheError, connect};
use stormless::StopReason;
use support::run;

type Tested = Result<(), Box<dyn Error>>;

const LOADING: proxy::Fault = Answer("-LOADING Redis is loading the dataset in memory");
const TRY_AGAIN: proxy::Fault = Answer("-TRYAGAIN Multiple keys request during rehashing of slot");
const FULL: proxy::Fault = Answer("-OOM command not allowed when used memory > 'maxmemory'");
const LEASE: Duration = Duration::from_secs(60);

static SERVER: LazyLock<Option<Server>> =
    LazyLock::new(|| Server::start("redis", "redis-server", include_str!("../support/redis.sh")));

/// A proxy, and a client of a database of the test's own behind it.
async fn client() -> Result<Option<(Proxy, Client)>, Box<dyn Error>> {
    static DATABASES: AtomicU32 = AtomicU32::new(0);
    let Some(server) = &*SERVER else { return Ok(None) };
    let proxy = Proxy::start(server.directory.join("socket")).await?;
    let database = DATABASES.fetch_add(1, Ordering::Relaxed);
    let client = Client::open(format!("redis://{}/{database}", proxy.address))?;
    Ok(Some((proxy, client)))
}

async fn cache() -> Result<Option<(Proxy, Cache)>, Box<dyn Error>> {
    let Some((proxy, client)) = client().await? else { return Ok(None) };
    Ok(Some((proxy, Cache::new(connect(client).await?, LEASE))))
}

#[tokio::test]
async fn a_read_survives_a_server_that_is_loading_and_two_lost_connections() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    cache.set("a", 7).await?;
    proxy.on("GET", [LOADING, LostBefore, LostAfter]);
    let (result, ran) = run(cache.get::<u32>("a")).await;
    assert_eq!((result?, ran.attempts("get")), (Some(7), vec![4]));
    let (result, ran) = run(cache.get::<String>("b")).await;
    assert_eq!((result?, ran.attempts("get")), (None, vec![1]));
    assert_eq!(proxy.seen("GET"), 5);
    Ok(())
}

#[tokio::test]
async fn what_the_server_refuses_is_asked_once() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    cache.set_fields("a", vec![("x", "1".into())]).await?;
    let (result, ran) = run(cache.get::<String>("a")).await;
    assert!(result.is_err());
    assert_eq!((ran.attempts("get"), ran.reason("get")), (vec![1], Some(StopReason::Permanent)));
    assert_eq!(proxy.seen("GET"), 1);
    Ok(())
}

#[tokio::test]
async fn several_values_are_read_again_after_an_answer_that_is_late() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    cache.set("a", "1").await?;
    proxy.on("MGET", [TRY_AGAIN, Late]);
    let (result, ran) = run(cache.get_all(&["a", "b"])).await;
    assert_eq!((result?, ran.attempts("get_all")), (vec![Some("1".into()), None], vec![3]));
    assert_eq!((ran.labels("get_all"), proxy.seen("MGET")), (vec!["Redis", "attempt_timeout"], 3));
    Ok(())
}

#[tokio::test]
async fn a_value_is_written_as_often_as_it_takes() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    proxy.on("SETEX", [LostAfter, FULL, LostBefore]);
    let (result, ran) = run(cache.set("a", String::from("1"))).await;
    result?;
    assert_eq!((ran.attempts("set"), proxy.seen("SETEX")), (vec![4], 4));
    assert_eq!(cache.get::<String>("a").await?.as_deref(), Some("1"));
    Ok(())
}

#[tokio::test]
async fn several_values_are_written_together_or_not_at_all() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    let entries = [("a".into(), "1".into()), ("b".into(), "2".into())];
    // What cannot be queued makes the server refuse the transaction as a whole.
    proxy.on("SETEX", [Passes, Passes, Passes, LOADING]);
    proxy.on("EXEC", [LostBefore, Aborted, LostAfter]);
    let (result, ran) = run(cache.set_all(&entries)).await;
    result?;
    assert_eq!((ran.attempts("set_all"), proxy.seen("EXEC")), (vec![4], 4));
    assert_eq!(cache.get_all(&["a", "b"]).await?, [Some("1".into()), Some("2".into())]);

    proxy.on("SETEX", [Answer("-ERR invalid expire time in 'setex' command")]);
    proxy.on("EXEC", [Aborted]);
    let (result, ran) = run(cache.set_all(&entries)).await;
    assert!(result.is_err());
    assert_eq!(
        (ran.attempts("set_all"), ran.reason("set_all")),
        (vec![1], Some(StopReason::Permanent))
    );
    Ok(())
}

#[tokio::test]
async fn what_may_have_been_counted_or_told_is_not_repeated() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    proxy.on("INCRBY", [LOADING, Passes, LostAfter]);
    let (result, ran) = run(cache.count("n", 2)).await;
    assert_eq!((result?, ran.attempts("count")), (2, vec![2]));
    let (result, ran) = run(cache.count("n", 2)).await;
    assert!(matches!(result, Err(CacheError::Redis(_))));
    assert_eq!(ran.attempts("count"), [1]);
    assert_eq!(ran.reason("count"), Some(StopReason::MaybeExecuted));
    // It had been counted.
    assert_eq!((cache.get::<i64>("n").await?, proxy.seen("INCRBY")), (Some(4), 3));

    proxy.on("PUBLISH", [TRY_AGAIN, FULL, Passes, LostBefore]);
    let (result, ran) = run(cache.publish("news", "none")).await;
    assert_eq!((result?, ran.attempts("publish")), (0, vec![3]));
    let (result, ran) = run(cache.publish("news", "none")).await;
    assert!(result.is_err());
    assert_eq!((ran.attempts("publish"), proxy.seen("PUBLISH")), (vec![1], 4));
    Ok(())
}

#[tokio::test]
async fn keys_are_touched_listed_and_forgotten_again() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    cache.set("a", "1").await?;
    proxy.on("EXPIRE", [LostAfter, LOADING]);
    let (result, ran) = run(cache.touch("a")).await;
    assert_eq!((result?, ran.attempts("touch"), proxy.seen("EXPIRE")), (true, vec![3], 3));

    proxy.on("SCAN", [LostBefore]);
    let (result, ran) = run(cache.scan(0, "*")).await;
    assert_eq!((result?, ran.attempts("scan")), ((0, vec!["a".into()]), vec![2]));
    assert_eq!(proxy.seen("SCAN"), 2);

    proxy.on("DEL", [LostAfter, LostAfter]);
    let (result, ran) = run(cache.forget(String::from("a"))).await;
    result?;
    assert_eq!((ran.attempts("forget"), proxy.seen("DEL")), (vec![3], 3));
    assert!(!cache.touch("a").await?);
    Ok(())
}

#[tokio::test]
async fn a_connection_that_is_an_argument_is_cloned_for_each_attempt() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    proxy.on("HMSET", [LostAfter, LOADING]);
    let (result, ran) =
        run(cache.set_fields("h", vec![("y", "2".into()), ("x", "1".into())])).await;
    result?;
    assert_eq!((ran.attempts("write_fields"), proxy.seen("HMSET")), (vec![3], 3));
    proxy.on("HGET", [LostBefore]);
    let (result, ran) = run(cache.field("h", "y")).await;
    assert_eq!((result?.as_deref(), ran.attempts("read_field")), (Some("2"), vec![2]));
    assert_eq!(proxy.seen("HGET"), 2);
    Ok(())
}

#[tokio::test]
async fn a_value_is_computed_once_and_loaded_once_per_attempt() -> Tested {
    let Some((proxy, cache)) = cache().await? else { return Ok(()) };
    proxy.on("GET", [LOADING]);
    proxy.on("SETEX", [LostAfter]);
    let computed = AtomicU32::new(0);
    let compute = || async { computed.fetch_add(1, Ordering::Relaxed).to_string() };
    let (result, ran) = run(cache.get_or_compute("a", compute)).await;
    assert_eq!((result?.as_str(), computed.load(Ordering::Relaxed)), ("0", 1));
    assert_eq!((ran.attempts("get"), ran.attempts("set")), (vec![2], vec![2]));

    let load = || async {
        match computed.fetch_add(1, Ordering::Relaxed) {
            1 => Err(CacheError::Held),
            loads => Ok(loads.to_string()),
        }
    };
    proxy.on("GET", [LOADING]);
    proxy.on("SETEX", [LOADING]);
    let (result, ran) = run(cache.get_or_load("b", LEASE, load)).await;
    assert_eq!((result?.as_str(), computed.load(Ordering::Relaxed)), ("3", 4));
    // The first attempt cannot read, the second one cannot load, and the third one cannot write.
    assert_eq!(ran.attempts("get_or_load"), [4]);
    assert_eq!((ran.attempts("get"), ran.attempts("set")), (vec![1; 4], vec![1; 2]));
    assert_eq!((proxy.seen("GET"), proxy.seen("SETEX")), (6, 4));
    Ok(())
}
