//! Errors that no server here can be made to say, as the driver reads them.

use redis::pipe;

use crate::{
    Executed, MaybeExecuted, NotExecuted, Permanent, Tested, Throttled, Transient,
    fake::{Fake, Reply::Says},
    real::run,
    verdict,
};

#[tokio::test]
async fn each_word_of_a_server_means_what_it_should() -> Tested {
    let fake = Fake::start().await?;
    let mut connection = fake.client()?.get_multiplexed_async_connection().await?;
    for (words, kind, execution, label) in [
        ("-LOADING Redis is loading the dataset in memory", Transient, NotExecuted, "loading"),
        (
            "-TRYAGAIN Multiple keys request during rehashing of slot",
            Transient,
            NotExecuted,
            "try_again",
        ),
        ("-CLUSTERDOWN The cluster is down", Transient, NotExecuted, "cluster_down"),
        ("-MASTERDOWN Link with MASTER is down", Transient, NotExecuted, "master_down"),
        (
            "-READONLY You can't write against a read only replica.",
            Transient,
            NotExecuted,
            "read_only",
        ),
        ("-MOVED 3999 127.0.0.1:6381", Transient, NotExecuted, "moved"),
        ("-ASK 3999 127.0.0.1:6381", Transient, NotExecuted, "ask"),
        ("-OOM command not allowed", Throttled, NotExecuted, "out_of_memory"),
        ("-BUSY Redis is busy running a script.", Throttled, NotExecuted, "busy"),
        ("-ERR max number of clients reached", Throttled, NotExecuted, "max_clients"),
        (
            "-ERR max number of clients + cluster connections reached",
            Throttled,
            NotExecuted,
            "max_clients",
        ),
        ("-MISCONF Redis is configured to save RDB snapshots", Permanent, NotExecuted, "misconf"),
        (
            "-EXECABORT Transaction discarded because of previous errors.",
            Permanent,
            NotExecuted,
            "exec_abort",
        ),
        (
            "-CROSSSLOT Keys in request don't hash to the same slot",
            Permanent,
            Executed,
            "cross_slot",
        ),
        ("-NOTBUSY No scripts in execution right now.", Permanent, Executed, "_OTHER"),
        ("-SOMEMODULE says no", Permanent, Executed, "_OTHER"),
        ("-", Permanent, Executed, "_OTHER"),
    ] {
        fake.on("GET", [Says(words)]);
        let said = run(&mut connection, &["GET", "a"]).await;
        assert_eq!(verdict(said), (kind, execution, label), "{words}");
    }
    Ok(())
}

#[tokio::test]
async fn a_transaction_passes_only_where_all_that_it_was_aborted_for_passes() -> Tested {
    let fake = Fake::start().await?;
    let mut connection = fake.client()?.get_multiplexed_async_connection().await?;
    let loading = Says("-LOADING Redis is loading the dataset in memory");
    fake.always("EXEC", Says("-EXECABORT Transaction discarded because of previous errors."));
    fake.on("SET", [loading, loading]);
    let both = pipe().atomic().set("a", 1).set("b", 1).exec_async(&mut connection).await;
    assert_eq!(verdict(both), (Transient, NotExecuted, "loading"));
    fake.on("SET", [loading, Says("-ERR syntax error")]);
    let one = pipe().atomic().set("a", 1).set("b", 1).exec_async(&mut connection).await;
    assert_eq!(verdict(one), (Permanent, NotExecuted, "err"));
    Ok(())
}

#[tokio::test]
async fn a_pipeline_is_as_hopeless_as_its_worst_command_and_may_have_been_carried_out() -> Tested {
    let fake = Fake::start().await?;
    let mut connection = fake.client()?.get_multiplexed_async_connection().await?;
    fake.on("SET", [Says("-TRYAGAIN later"), Says("+OK"), Says("-LOADING now")]);
    let passes = pipe().set("a", 1).set("b", 1).set("c", 1).exec_async(&mut connection).await;
    assert_eq!(verdict(passes), (Transient, MaybeExecuted, "try_again"));
    fake.on("SET", [Says("-TRYAGAIN later"), Says("-WRONGTYPE no")]);
    let stays = pipe().set("a", 1).set("b", 1).exec_async(&mut connection).await;
    assert_eq!(verdict(stays), (Permanent, MaybeExecuted, "wrong_type"));
    Ok(())
}
