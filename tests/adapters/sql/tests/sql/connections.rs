//! Connections that are refused, cut, or closed by the server.

use crate::{
    Executed, MaybeExecuted, NotExecuted, Permanent, Tested, Throttled, Transient,
    driver::{Session, Sqlx, Target, TokioPostgres},
    fine,
    proxy::{AFTER, BEFORE, Proxy},
    server::{Database, private},
    verdict,
};

async fn nobody<S: Session>() -> Tested {
    let port = tokio::net::TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
    let mut target = Target::socket("/nowhere".as_ref());
    let missing = S::open(&target).await;
    assert_eq!(verdict(missing), Some((Transient, NotExecuted, "not_found")));
    target = target.through(port);
    let refused = S::open(&target).await;
    assert_eq!(verdict(refused), Some((Transient, NotExecuted, "connection_refused")));
    Ok(())
}

#[tokio::test]
async fn where_nobody_listens_nothing_was_executed() -> Tested {
    nobody::<Sqlx>().await?;
    nobody::<TokioPostgres>().await
}

async fn rejected<S: Session>() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let few = database.role("CONNECTION LIMIT 1").await?;
    let _only = fine(S::open(&few).await);
    let full = Some((Throttled, NotExecuted, "too_many_connections"));
    assert_eq!(verdict(S::open(&few).await), full);

    let stranger = Target { user: "nobody_of_that_name".into(), ..database.target.clone() };
    let unknown = Some((Permanent, Executed, "invalid_authorization_specification"));
    assert_eq!(verdict(S::open(&stranger).await), unknown);
    let elsewhere = Target { database: "no_such_database".into(), ..database.target.clone() };
    let missing = Some((Permanent, Executed, "invalid_catalog_name"));
    assert_eq!(verdict(S::open(&elsewhere).await), missing);
    Ok(())
}

#[tokio::test]
async fn too_many_connections_are_less_traffic_and_a_stranger_is_permanent() -> Tested {
    rejected::<Sqlx>().await?;
    rejected::<TokioPostgres>().await
}

async fn terminated<S: Session>() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let mut session = fine(database.open::<S>().await);
    let kill = "INSERT INTO accounts VALUES (3, 1); SELECT pg_terminate_backend(pg_backend_pid())";
    let killed = Some((Transient, MaybeExecuted, "admin_shutdown"));
    assert_eq!(verdict(session.run(kill).await), killed);
    let closed = verdict(session.run("SELECT 1").await).expect("there is no connection");
    assert_eq!((closed.0, closed.1), (Transient, MaybeExecuted), "{closed:?}");

    let mut session = fine(database.open::<S>().await);
    fine(session.run("SET idle_in_transaction_session_timeout = '1ms'; BEGIN").await);
    let idle = "SELECT count(*) FROM pg_stat_activity \
                WHERE datname = current_database() AND state = 'idle in transaction'";
    while database.number(idle).await? > 0 {}
    let gone = verdict(session.run("SELECT 1").await).expect("there is no connection");
    // Whether the driver has read the server's last words or only found the connection closed.
    let known = ["idle_in_transaction_session_timeout", "closed", "unexpected_eof", "broken_pipe"];
    assert!(gone.0 == Transient && known.contains(&gone.2), "{gone:?}");
    Ok(())
}

#[tokio::test]
async fn a_session_that_the_server_ended_may_have_been_committed() -> Tested {
    terminated::<Sqlx>().await?;
    terminated::<TokioPostgres>().await
}

async fn cut<S: Session>() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let proxy = Proxy::start(&database.target).await?;
    let proxied = database.target.through(proxy.address);
    let mut verdicts = Vec::new();
    for (id, lost) in [(3, BEFORE), (4, AFTER)] {
        let mut session = fine(S::open(&proxied).await);
        let insert = format!("INSERT INTO accounts VALUES ({id}, 1) {lost}");
        verdicts.extend(verdict(session.run(&insert).await));
        let mut session = fine(S::open(&proxied).await);
        fine(session.run("BEGIN").await);
        fine(session.run(&format!("INSERT INTO accounts VALUES (1{id}, 1)")).await);
        verdicts.extend(verdict(session.run(&format!("COMMIT {lost}")).await));
    }
    // The driver sees the same, whether the statement or the commit was carried out or not.
    assert_eq!(verdicts.len(), 4);
    assert!(verdicts.iter().all(|lost| (lost.0, lost.1) == (Transient, MaybeExecuted)));
    let first = verdicts[0];
    assert!(verdicts.iter().all(|lost| *lost == first), "{verdicts:?}");
    assert_eq!(database.number("SELECT count(*) FROM accounts WHERE id IN (3, 13)").await?, 0);
    assert_eq!(database.number("SELECT count(*) FROM accounts WHERE id IN (4, 14)").await?, 2);
    Ok(())
}

#[tokio::test]
async fn nobody_can_say_what_a_lost_connection_carried_out() -> Tested {
    cut::<Sqlx>().await?;
    cut::<TokioPostgres>().await
}

async fn wrong_password<S: Session>(locked: &Target) {
    let denied = Some((Permanent, Executed, "invalid_password"));
    assert_eq!(verdict(S::open(locked).await), denied);
}

async fn shutting_down<S: Session>(target: &Target) {
    let soon = (Transient, NotExecuted, "cannot_connect_now");
    // The server has the signal, and acts on it when it comes to it.
    let mut refused = None;
    while refused.is_none() {
        refused = verdict(S::open(target).await);
    }
    assert_eq!(refused, Some(soon));
}

#[tokio::test]
async fn a_wrong_password_is_permanent_and_a_server_that_shuts_down_refuses_for_now() -> Tested {
    let Some((_server, mut database)) = private().await? else { return Ok(()) };
    let mut locked = database.role("PASSWORD 'right'").await?;
    let rules = format!(
        "COPY (VALUES ('local all {} scram-sha-256'), ('local all all trust')) TO '{}'",
        locked.user,
        sqlx::query_scalar::<_, String>("SHOW hba_file").fetch_one(&mut database.admin.0).await?,
    );
    database.admin.run(&rules).await?;
    database.admin.run("SELECT pg_reload_conf()").await?;
    locked.password = Some("wrong");
    while Sqlx::open(&locked).await.is_ok() {}
    wrong_password::<Sqlx>(&locked).await;
    wrong_password::<TokioPostgres>(&locked).await;

    // A smart shutdown, which waits for the sessions there are.
    let stop = "COPY (SELECT 1) TO PROGRAM 'kill -TERM $(head -n 1 postmaster.pid)'";
    database.admin.run(stop).await?;
    shutting_down::<Sqlx>(&database.target).await;
    shutting_down::<TokioPostgres>(&database.target).await;
    Ok(())
}
