//! Codes that no server here can be made to say, and what is promised of the tables as a whole.

use std::{borrow::Cow, fmt, io};

use sqlx::error::{DatabaseError, ErrorKind};
use stormless::{
    Classification, Execution, Kind, Retryable,
    sql::{
        classify_mysql, classify_sqlite, classify_sqlstate, mysql_label, sqlite_label,
        sqlstate_label,
    },
};

use crate::{
    Conflict, Executed, MaybeExecuted, NotExecuted, Permanent, Throttled, Timeout, Transient,
    verdict,
};

fn said(classification: Classification) -> (Kind, Execution) {
    (classification.kind(), classification.execution())
}

#[test]
fn every_state_of_the_table_means_what_it_should() {
    for (state, kind, execution, label) in [
        ("40000", Conflict, NotExecuted, "transaction_rollback"),
        ("40002", Permanent, Executed, "transaction_rollback"),
        ("40003", Transient, MaybeExecuted, "statement_completion_unknown"),
        ("08007", Transient, MaybeExecuted, "transaction_resolution_unknown"),
        ("08000", Transient, MaybeExecuted, "connection_exception"),
        ("08001", Transient, NotExecuted, "sqlclient_unable_to_establish_sqlconnection"),
        ("08003", Transient, MaybeExecuted, "connection_does_not_exist"),
        ("08004", Throttled, NotExecuted, "sqlserver_rejected_establishment_of_sqlconnection"),
        ("08006", Transient, MaybeExecuted, "connection_failure"),
        ("08P01", Transient, MaybeExecuted, "protocol_violation"),
        ("08S01", Transient, MaybeExecuted, "communication_link_failure"),
        ("25P01", Permanent, Executed, "invalid_transaction_state"),
        ("25P03", Transient, NotExecuted, "idle_in_transaction_session_timeout"),
        ("25P04", Timeout, NotExecuted, "transaction_timeout"),
        ("53000", Throttled, NotExecuted, "insufficient_resources"),
        ("53100", Permanent, NotExecuted, "disk_full"),
        ("53200", Throttled, NotExecuted, "out_of_memory"),
        ("53400", Permanent, NotExecuted, "configuration_limit_exceeded"),
        ("57P02", Transient, MaybeExecuted, "crash_shutdown"),
        ("57P04", Permanent, NotExecuted, "database_dropped"),
        ("57P05", Transient, NotExecuted, "idle_session_timeout"),
        ("58030", Permanent, NotExecuted, "system_error"),
        ("XX001", Permanent, NotExecuted, "internal_error"),
        ("0A000", Permanent, Executed, "feature_not_supported"),
        ("23P01", Permanent, Executed, "exclusion_violation"),
        ("HY000", Permanent, Executed, "general_error"),
    ] {
        assert_eq!(said(classify_sqlstate(state)), (kind, execution), "{state}");
        assert_eq!(sqlstate_label(state), label, "{state}");
    }
}

#[test]
fn what_is_no_state_is_permanent_and_has_no_name() {
    for state in ["", "4", "40", "🦀", "ZZ999", "40001 ", "\0\0\0\0\0", "naïveté"] {
        let (kind, _) = said(classify_sqlstate(state));
        assert_eq!(kind, Permanent, "{state}");
    }
    assert_eq!(sqlstate_label("🦀"), "_OTHER");
}

#[test]
fn numbers_of_mysql_say_more_than_its_states() {
    for (number, kind, execution, label) in [
        (1205, Conflict, NotExecuted, "er_lock_wait_timeout"),
        (1213, Conflict, NotExecuted, "er_lock_deadlock"),
        (3572, Transient, NotExecuted, "er_lock_nowait"),
        (1040, Throttled, NotExecuted, "er_con_count_error"),
        (1203, Throttled, NotExecuted, "er_too_many_user_connections"),
        (1290, Transient, NotExecuted, "er_option_prevents_statement"),
        (1792, Transient, NotExecuted, "er_cant_execute_in_read_only_transaction"),
        (1836, Transient, NotExecuted, "er_read_only_mode"),
        (1053, Transient, MaybeExecuted, "er_server_shutdown"),
        (2006, Transient, MaybeExecuted, "cr_server_gone_error"),
        (2013, Transient, MaybeExecuted, "cr_server_lost"),
        (3024, Timeout, NotExecuted, "er_query_timeout"),
    ] {
        assert_eq!(classify_mysql(number).map(said), Some((kind, execution)), "{number}");
        assert_eq!(mysql_label(number), Some(label), "{number}");
    }
    // A duplicate key, whose state says the same.
    assert_eq!((classify_mysql(1062), mysql_label(1062)), (None, None));
}

#[test]
fn an_extended_code_of_sqlite_means_what_its_primary_code_does() {
    for (code, kind, execution, label) in [
        (5, Transient, NotExecuted, "sqlite_busy"),
        (261, Transient, NotExecuted, "sqlite_busy"),
        (773, Transient, NotExecuted, "sqlite_busy"),
        (517, Conflict, NotExecuted, "sqlite_busy_snapshot"),
        (6, Transient, NotExecuted, "sqlite_locked"),
        (262, Transient, NotExecuted, "sqlite_locked"),
        (10, Permanent, MaybeExecuted, "sqlite_ioerr"),
        (6410, Permanent, MaybeExecuted, "sqlite_ioerr"),
        (9, Kind::Cancelled, NotExecuted, "sqlite_interrupt"),
        (13, Permanent, NotExecuted, "sqlite_full"),
        (-1, Permanent, Executed, "_OTHER"),
        (i32::MIN, Permanent, Executed, "_OTHER"),
    ] {
        assert_eq!(said(classify_sqlite(code)), (kind, execution), "{code}");
        assert_eq!(sqlite_label(code), label, "{code}");
    }
}

/// What a driver of somebody else's would give to sqlx.
#[derive(Debug)]
struct Said(&'static str);

impl fmt::Display for Said {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

impl std::error::Error for Said {}

impl DatabaseError for Said {
    fn message(&self) -> &str {
        self.0
    }
    fn code(&self) -> Option<Cow<'_, str>> {
        (!self.0.is_empty()).then(|| self.0.into())
    }
    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }
    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }
    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

fn of_sqlx(error: impl Into<sqlx::Error>) -> Option<crate::Verdict> {
    verdict(Err::<(), _>(error.into()))
}

#[test]
fn sqlx_tells_states_and_results_apart_by_their_length() {
    assert_eq!(of_sqlx(Said("40001")), Some((Conflict, NotExecuted, "serialization_failure")));
    assert_eq!(of_sqlx(Said("517")), Some((Conflict, NotExecuted, "sqlite_busy_snapshot")));
    // All digits, and a state nevertheless.
    assert_eq!(of_sqlx(Said("00005")), Some((Permanent, Executed, "_OTHER")));
    assert_eq!(of_sqlx(Said("")), Some((Permanent, Executed, "_OTHER")));
    assert_eq!(of_sqlx(Said("-5")), Some((Permanent, Executed, "_OTHER")));
}

#[test]
fn what_sqlx_itself_finds_is_said_to_be_where_it_was_found() {
    let reset = || io::Error::from(io::ErrorKind::ConnectionReset);
    for (error, kind, execution, label) in [
        (sqlx::Error::Io(reset()), Transient, MaybeExecuted, "connection_reset"),
        (sqlx::Error::Io(io::ErrorKind::TimedOut.into()), Timeout, MaybeExecuted, "timed_out"),
        (sqlx::Error::Tls(Box::new(reset())), Transient, NotExecuted, "tls"),
        (sqlx::Error::Tls("no certificate".into()), Permanent, NotExecuted, "tls"),
        (sqlx::Error::WorkerCrashed, Permanent, MaybeExecuted, "worker_crashed"),
        (sqlx::Error::Protocol("garbage".into()), Permanent, MaybeExecuted, "protocol"),
        (sqlx::Error::BeginFailed, Permanent, NotExecuted, "begin_failed"),
        (sqlx::Error::Configuration("no".into()), Permanent, NotExecuted, "configuration"),
        (sqlx::Error::Encode("no".into()), Permanent, NotExecuted, "encode"),
        (sqlx::Error::Decode("no".into()), Permanent, Executed, "decode"),
        // Whatever stands around an error of sqlx's, and has no name here.
        (
            sqlx::Error::AnyDriverError(Box::new(sqlx::Error::Io(reset()))),
            Transient,
            MaybeExecuted,
            "connection_reset",
        ),
        (
            sqlx::Error::AnyDriverError(Box::new(sqlx::Error::from(Said("40P01")))),
            Conflict,
            NotExecuted,
            "deadlock_detected",
        ),
        (sqlx::Error::AnyDriverError("no".into()), Permanent, NotExecuted, "_OTHER"),
    ] {
        assert_eq!(
            (error.classify().kind(), error.classify().execution(), error.label()),
            (kind, execution, label)
        );
    }
    assert!(sqlx::Error::PoolTimedOut.classify().is_local());
    assert!(!sqlx::Error::Io(reset()).classify().is_local());
}
