//! Error numbers of MySQL and MariaDB, which say more than their SQLSTATEs do.

use super::{Verdict, labelled};
use crate::Classification;

/// What an error number of MySQL or MariaDB means for a retry; `None` where its SQLSTATE says as much, or where
/// it is not about the moment: ask [`classify_sqlstate`](crate::sql::classify_sqlstate) then.
///
/// The numbers are those of the [server error reference][reference] and of
/// [MariaDB's list][mariadb]; from 2000 they are the C client library's.
///
/// After 1205 (`ER_LOCK_WAIT_TIMEOUT`) only the statement has been rolled back, unless the server runs with
/// `innodb_rollback_on_timeout`: a function that opens the transaction drops it before it is repeated, and that
/// rolls back the rest.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, sql::{classify_mysql, classify_sqlstate}};
///
/// let lock_wait_timeout = classify_mysql(1205).unwrap_or_else(|| classify_sqlstate("HY000"));
/// assert_eq!(lock_wait_timeout.kind(), Kind::Conflict);
/// assert!(classify_mysql(1062).is_none()); // a duplicate key, 23000
/// ```
///
/// [reference]: https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
/// [mariadb]: https://mariadb.com/kb/en/mariadb-error-code-reference/
pub fn classify_mysql(number: u16) -> Option<Classification> {
    verdict(number).map(labelled)
}

/// The name of such a number, in lower case; `None` for those that are not listed. See
/// [`sqlstate_label`](crate::sql::sqlstate_label).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::sql::mysql_label;
///
/// assert!(mysql_label(1205).is_some());
/// assert_eq!(mysql_label(1), None);
/// ```
pub fn mysql_label(number: u16) -> Option<&'static str> {
    Some(verdict(number)?.1)
}

pub(crate) fn verdict(number: u16) -> Option<Verdict> {
    let refused = Classification::transient();
    let lost = Classification::transient().maybe_executed();
    let lost_race = Classification::conflict();
    let full = Classification::throttled();
    let late = Classification::timeout().not_executed();
    Some(match number {
        1205 => (lost_race, "er_lock_wait_timeout"),
        1213 => (lost_race, "er_lock_deadlock"),
        1614 => (lost_race, "er_xa_rbdeadlock"),
        3101 => (lost_race, "er_transaction_rollback_during_commit"),
        // MariaDB under `innodb_snapshot_isolation`: the row has changed since the snapshot.
        1020 => (lost_race, "er_checkread"),
        3572 => (refused, "er_lock_nowait"),

        1040 => (full, "er_con_count_error"),
        1041 => (full, "er_out_of_resources"),
        1203 => (full, "er_too_many_user_connections"),
        1226 => (full, "er_user_limit_reached"),

        // A replica, or a primary that is one no longer.
        1290 => (refused, "er_option_prevents_statement"),
        1792 => (refused, "er_cant_execute_in_read_only_transaction"),
        1836 => (refused, "er_read_only_mode"),

        1317 => (late, "er_query_interrupted"),
        1969 => (late, "er_statement_timeout"),
        3024 => (late, "er_query_timeout"),
        // The connection has been closed while nothing ran on it. MariaDB has the number for a trigger that
        // does not exist, which is asked for again in vain and does no harm.
        4031 => (refused, "er_client_interaction_timeout"),

        1053 => (lost, "er_server_shutdown"),
        1927 => (lost, "er_connection_killed"),
        3169 => (lost, "er_session_was_killed"),
        2002 => (refused, "cr_connection_error"),
        2003 => (refused, "cr_conn_host_error"),
        2006 => (lost, "cr_server_gone_error"),
        2013 => (lost, "cr_server_lost"),
        _ => return None,
    })
}
