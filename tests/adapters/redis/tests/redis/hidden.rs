//! What the clients send by themselves, and what they send when they are told not to: counted at the server.

use std::time::Duration;

use redis::{
    aio::{ConnectionManager, ConnectionManagerConfig},
    cluster::ClusterClientBuilder,
};
use stormless::{Retryable, StopReason, redis::unretried, report, retry, testing::isolated};

use crate::{
    Tested,
    fake::{
        Fake,
        Reply::{self, Lost, Says},
    },
};

const REFUSALS: [Reply; 4] = [
    Says("-TRYAGAIN Multiple keys request during rehashing of slot"),
    Says("-CLUSTERDOWN The cluster is down"),
    Says("-LOADING Redis is loading the dataset in memory"),
    Lost,
];

/// As it is by default, except that it does not wait for seconds between its retries.
fn cluster(fake: &Fake) -> ClusterClientBuilder {
    ClusterClientBuilder::new([fake.url()])
        .min_retry_wait(0)
        .max_retry_wait(1)
        .response_timeout(Duration::from_secs(60))
}

/// How many commands reach the server when one is sent that always fails so.
async fn sent(builder: fn(&Fake) -> ClusterClientBuilder, reply: Reply) -> redis::RedisResult<u32> {
    let fake = Fake::start().await?;
    let mut connection = builder(&fake).build()?.get_async_connection().await?;
    fake.always("INCR", reply);
    let failed = redis::cmd("INCR").arg("a").exec_async(&mut connection).await;
    assert!(failed.is_err());
    Ok(fake.seen("INCR"))
}

#[tokio::test]
async fn a_cluster_client_sends_what_failed_seventeen_times_unless_it_is_told_not_to() -> Tested {
    for reply in REFUSALS {
        let sent_by_default = sent(cluster, reply).await?;
        match reply {
            // To connect again may take the place of a retry; how often depends on the driver's version.
            Lost => assert!((2..=17).contains(&sent_by_default), "{sent_by_default}"),
            _ => assert_eq!(sent_by_default, 17, "{reply:?}"),
        }
        assert_eq!(sent(|fake| unretried(cluster(fake)), reply).await?, 1, "{reply:?}");
    }
    Ok(())
}

#[retry(base = "1ms", max = "2ms", attempts = 3, budget = none)]
async fn count(
    connection: &mut redis::cluster_async::ClusterConnection,
) -> redis::RedisResult<i64> {
    redis::cmd("INCR").arg("a").query_async(connection).await
}

#[tokio::test]
async fn attempts_multiply_what_the_cluster_client_sends_unless_it_is_told_not_to() -> Tested {
    for (retried, expected) in [(true, 51), (false, 3)] {
        let fake = Fake::start().await?;
        let builder = if retried { cluster(&fake) } else { unretried(cluster(&fake)) };
        let mut connection = builder.build()?.get_async_connection().await?;
        fake.always("INCR", REFUSALS[0]);
        let (result, calls) = isolated(report(count(&mut connection))).await;
        assert_eq!(result.map_err(|error| error.label()), Err("try_again"));
        assert_eq!((calls[0].attempts(), fake.seen("INCR")), (3, expected));
    }
    Ok(())
}

/// Lost with the connection it was sent on, after it may have been counted.
#[tokio::test]
async fn a_cluster_client_without_retries_leaves_it_to_the_call_to_know_better() -> Tested {
    let fake = Fake::start().await?;
    let mut connection = unretried(cluster(&fake)).build()?.get_async_connection().await?;
    fake.always("INCR", Lost);
    let (result, calls) = isolated(report(count(&mut connection))).await;
    assert!(result.is_err());
    assert_eq!((fake.seen("INCR"), calls[0].reason()), (1, Some(StopReason::MaybeExecuted)));
    Ok(())
}

/// A slot that is on the second node, as the first one says too, but only after `move_slots`.
struct Moving {
    old: Fake,
    new: Fake,
}

impl Moving {
    async fn start() -> std::io::Result<Self> {
        let (old, new) = (Fake::start().await?, Fake::start().await?);
        new.always("INCR", Says(":1"));
        Ok(Self { old, new })
    }

    fn move_slots(&self) {
        let port = self.new.address.port();
        let slots = format!("*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:{port}");
        // The texts of a script live as long as the test's process.
        self.old.always("CLUSTER", Says(slots.leak()));
        self.old.always("INCR", Says(format!("-MOVED 15495 127.0.0.1:{port}").leak()));
    }

    fn seen(&self) -> (u32, u32) {
        (self.old.seen("INCR"), self.new.seen("INCR"))
    }
}

#[tokio::test]
async fn after_a_slot_has_moved_the_next_attempt_goes_to_where_it_is() -> Tested {
    let nodes = Moving::start().await?;
    let mut connection = unretried(cluster(&nodes.old)).build()?.get_async_connection().await?;
    nodes.move_slots();
    let (result, calls) = isolated(report(count(&mut connection))).await;
    assert_eq!((result?, calls[0].attempts(), nodes.seen()), (1, 2, (1, 1)));
    Ok(())
}

/// How the blocking client fares that may retry so often, when it is asked twice.
async fn blocking(nodes: &Moving, retries: u32) -> Result<[bool; 2], Box<dyn std::error::Error>> {
    let client = cluster(&nodes.old).retries(retries).build()?;
    let connect = tokio::task::spawn_blocking(move || client.get_connection());
    let mut connection = connect.await??;
    nodes.move_slots();
    let mut ask = move || redis::cmd("INCR").arg("a").query::<i64>(&mut connection).is_ok();
    Ok(tokio::task::spawn_blocking(move || [ask(), ask()]).await?)
}

#[tokio::test]
async fn a_blocking_cluster_client_learns_of_moved_slots_only_where_it_retries() -> Tested {
    let nodes = Moving::start().await?;
    assert_eq!(blocking(&nodes, 0).await?, [false, false]);
    assert_eq!(nodes.seen(), (2, 0));
    let nodes = Moving::start().await?;
    assert_eq!(blocking(&nodes, 1).await?, [true, true]);
    assert_eq!(nodes.seen(), (1, 2));
    Ok(())
}

async fn connect(
    fake: &Fake,
    config: ConnectionManagerConfig,
) -> redis::RedisResult<ConnectionManager> {
    let config = config.set_min_delay(Duration::from_millis(1));
    fake.client()?.get_connection_manager_with_config(config).await
}

#[tokio::test]
async fn a_connection_manager_connects_seven_times_unless_it_is_told_not_to() -> Tested {
    for (config, expected) in
        [(ConnectionManagerConfig::new(), 7), (unretried(ConnectionManagerConfig::new()), 1)]
    {
        let fake = Fake::start().await?;
        // The first thing it says on a connection.
        fake.always("CLIENT", Lost);
        assert!(connect(&fake, config).await.is_err());
        assert_eq!(fake.seen("connect"), expected);
    }
    Ok(())
}

#[tokio::test]
async fn a_connection_manager_sends_no_command_twice() -> Tested {
    for config in [ConnectionManagerConfig::new(), unretried(ConnectionManagerConfig::new())] {
        let fake = Fake::start().await?;
        let mut connection = connect(&fake, config).await?;
        for (sent, reply) in (1..).zip(REFUSALS) {
            fake.on("INCR", [reply]);
            let failed = redis::cmd("INCR").arg("a").exec_async(&mut connection).await;
            assert!(failed.is_err());
            assert_eq!(fake.seen("INCR"), sent);
        }
        // It has connected anew by itself.
        redis::cmd("INCR").arg("a").exec_async(&mut connection).await?;
        assert_eq!(fake.seen("connect"), 2);
    }
    Ok(())
}
