//! What a real server refuses, and why.

use redis::{AsyncCommands, Client, cmd, pipe};

use crate::{
    Executed, MaybeExecuted, NotExecuted, Permanent, Tested, Throttled, Transient,
    real::{Real, run},
    verdict,
};

const FULL: crate::Verdict = (Throttled, NotExecuted, "out_of_memory");

#[tokio::test]
async fn a_server_without_memory_asks_for_less() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.run(&["SET", "a", "1"]).await?;
    redis.set("maxmemory", "1").await?;
    assert_eq!(verdict(redis.run(&["SET", "a", "2"]).await), FULL);
    // In a transaction it is what the transaction was aborted for.
    let transaction = pipe().atomic().set("a", 2).set("b", 2).exec_async(&mut redis.admin).await;
    assert_eq!(verdict(transaction), FULL);
    let script = "redis.call('set', KEYS[1], '2')";
    let scripted = redis::Script::new(script).key("a").invoke_async::<()>(&mut redis.admin).await;
    assert_eq!(verdict(scripted), FULL);
    // Of a pipeline the read was carried out.
    let pipeline = pipe().get("a").set("b", 2).exec_async(&mut redis.admin).await;
    assert_eq!(verdict(pipeline), (Throttled, MaybeExecuted, "out_of_memory"));
    let value: i32 = redis.admin.get("a").await?;
    assert_eq!(value, 1);
    Ok(())
}

#[tokio::test]
async fn a_replica_refuses_writes_and_without_its_primary_everything() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    let mut blocked = redis.connect().await?;
    let waits = async move {
        cmd("BLPOP").arg("queue").arg(0).query_async::<Option<(String, String)>>(&mut blocked).await
    };
    let mut other = redis.connect().await?;
    let demotes = async {
        let waiting = || cmd("INFO").arg("clients").to_owned();
        while !waiting().query_async::<String>(&mut other).await?.contains("blocked_clients:1") {}
        // Nobody is there, which makes it a replica all the same.
        run(&mut other, &["REPLICAOF", "127.0.0.1", "1"]).await
    };
    let (unblocked, done) = tokio::join!(waits, demotes);
    done?;
    assert_eq!(verdict(unblocked), (Transient, NotExecuted, "unblocked"));
    let read_only = (Transient, NotExecuted, "read_only");
    assert_eq!(verdict(redis.run(&["SET", "a", "1"]).await), read_only);

    redis.set("replica-serve-stale-data", "no").await?;
    let alone = (Transient, NotExecuted, "master_down");
    assert_eq!(verdict(redis.run(&["GET", "a"]).await), alone);
    Ok(())
}

#[tokio::test]
async fn a_server_that_reads_its_data_may_be_asked_again() -> Tested {
    let (Some(mut primary), Some(mut replica)) = (Real::start().await?, Real::start().await?)
    else {
        return Ok(());
    };
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
    primary.set("port", &port).await?;
    primary.set("repl-diskless-sync-delay", "0").await?;
    let fill = "for key = 1, 500 do redis.call('set', key, string.rep('x', 1000)) end";
    primary.run(&["EVAL", fill, "0"]).await?;
    // A hundredth of a second for each key, and a look at its clients after each kilobyte.
    replica.set("key-load-delay", "10000").await?;
    replica.set("loading-process-events-interval-bytes", "1024").await?;
    replica.run(&["REPLICAOF", "127.0.0.1", &port]).await?;
    let mut refused = Ok(());
    while refused.is_ok() {
        refused = replica.run(&["GET", "1"]).await;
    }
    assert_eq!(verdict(refused), (Transient, NotExecuted, "loading"));
    Ok(())
}

#[tokio::test]
async fn a_primary_without_replicas_asks_for_less() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.set("min-replicas-to-write", "1").await?;
    let alone = (Throttled, NotExecuted, "no_replicas");
    assert_eq!(verdict(redis.run(&["SET", "a", "1"]).await), alone);
    Ok(())
}

#[tokio::test]
async fn a_server_whose_script_does_not_end_asks_for_less() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.set("busy-reply-threshold", "1").await?;
    let mut looping = redis.connect().await?;
    let endless = async { run(&mut looping, &["EVAL", "while true do end", "0"]).await };
    let mut other = redis.connect().await?;
    let meanwhile = async {
        loop {
            if let Err(busy) = run(&mut other, &["GET", "a"]).await {
                run(&mut other, &["SCRIPT", "KILL"]).await?;
                return Ok::<_, redis::RedisError>(busy);
            }
        }
    };
    let (killed, busy) = tokio::join!(endless, meanwhile);
    assert_eq!(verdict(Err::<(), _>(busy?)), (Throttled, NotExecuted, "busy"));
    assert_eq!(verdict(killed), (Permanent, Executed, "err"));
    Ok(())
}

#[tokio::test]
async fn a_server_that_cannot_write_its_snapshots_is_not_asked_again() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.set("save", "3600 1").await?;
    // Where it would write to.
    std::fs::remove_dir_all(&redis.server.directory)?;
    // The driver may have to say it several times: one snapshot at a time.
    let mut refused = Ok(());
    while refused.is_ok() {
        let _ = redis.run(&["BGSAVE"]).await;
        refused = redis.run(&["SET", "a", "1"]).await;
    }
    assert_eq!(verdict(refused), (Permanent, NotExecuted, "misconf"));
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_a_command_is_permanent_and_an_answer() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.run(&["SET", "a", "text"]).await?;
    for (command, label) in [
        (&["LPUSH", "a", "1"][..], "wrong_type"),
        (&["EVALSHA", "0000000000000000000000000000000000000000", "0"], "no_script"),
        (&["NOSUCHCOMMAND"], "err"),
        (&["INCR", "a"], "err"),
        (&["XGROUP", "CREATE", "nothing", "group", "$"], "err"),
    ] {
        assert_eq!(verdict(redis.run(command).await), (Permanent, Executed, label), "{command:?}");
    }
    // Found by the driver in what the server had answered.
    let number = redis.admin.get::<_, i64>("a").await;
    assert_eq!(verdict(number).0, Permanent);

    // Queued it could not be, and nothing was carried out.
    let transaction =
        pipe().atomic().set("b", 1).cmd("SET").arg("c").exec_async(&mut redis.admin).await;
    let (kind, execution, _) = verdict(transaction);
    assert_eq!((kind, execution), (Permanent, NotExecuted));
    assert!(!redis.admin.exists::<_, bool>("b").await?);
    // Carried out as far as it went.
    let transaction = pipe().atomic().set("b", 1).lpush("a", 1).exec_async(&mut redis.admin).await;
    assert_eq!(verdict(transaction), (Permanent, MaybeExecuted, "wrong_type"));
    assert!(redis.admin.exists::<_, bool>("b").await?);
    Ok(())
}

#[tokio::test]
async fn whoever_may_not_is_not_asked_to_try_again() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.run(&["ACL", "SETUSER", "reader", "on", "nopass", "~*", "+get"]).await?;
    let mut reader = redis.connect().await?;
    run(&mut reader, &["AUTH", "reader", "any"]).await?;
    let denied = (Permanent, Executed, "no_perm");
    assert_eq!(verdict(run(&mut reader, &["SET", "a", "1"]).await), denied);

    redis.set("requirepass", "right").await?;
    let mut stranger = redis.connect().await?;
    let unknown = (Permanent, Executed, "no_auth");
    assert_eq!(verdict(run(&mut stranger, &["GET", "a"]).await), unknown);
    let socket = redis.server.directory.join("socket");
    let wrong = Client::open(format!("unix://{}?pass=wrong", socket.display()))?;
    let rejected = wrong.get_multiplexed_async_connection().await.map(drop);
    assert_eq!(verdict(rejected), (Permanent, Executed, "authentication_failed"));
    Ok(())
}

#[tokio::test]
async fn a_server_with_too_many_clients_asks_for_less() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.set("maxclients", "1").await?;
    let full = async { run(&mut redis.connect().await?, &["GET", "a"]).await }.await;
    let verdict = verdict(full);
    // Whether the driver has read the server's last words or only found the connection closed.
    let read = (Throttled, NotExecuted, "max_clients");
    assert!(verdict == read || (verdict.0, verdict.1) == (Transient, MaybeExecuted), "{verdict:?}");
    Ok(())
}
