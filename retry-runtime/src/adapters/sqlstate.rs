//! SQLSTATE: five characters in which databases say what went wrong, whatever the driver.

use super::{Verdict, labelled};
use crate::Classification;

/// What a SQLSTATE means for a retry, for drivers that stormless has no adapter for.
///
/// The names and meanings are those of [PostgreSQL's appendix A][appendix]; the states of MySQL and MariaDB
/// that mean the same fall out of the same table, and their numbers say more: [`classify_mysql`].
///
/// A conflict (`40001`, `40P01`) was rolled back with everything else in its transaction: it is the transaction
/// that must be repeated, not the statement. What nobody lists is permanent, and an answer.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Execution, Kind, sql::classify_sqlstate};
///
/// let serialization_failure = classify_sqlstate("40001");
/// assert_eq!(serialization_failure.kind(), Kind::Conflict);
/// assert_eq!(serialization_failure.execution(), Execution::NotExecuted);
/// assert!(classify_sqlstate("23505").is_answer());
/// ```
///
/// [appendix]: https://www.postgresql.org/docs/current/errcodes-appendix.html
/// [`classify_mysql`]: crate::sql::classify_mysql
pub fn classify_sqlstate(state: &str) -> Classification {
    labelled(verdict(state))
}

/// The name of a SQLSTATE, or of its class where it has no name here, or `_OTHER`: for
/// [`Retryable::label`](crate::Retryable::label), which wants names from a set of bounded size.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::sql::sqlstate_label;
///
/// assert_eq!(sqlstate_label("40001"), "serialization_failure");
/// assert_eq!(sqlstate_label("nothing"), "_OTHER");
/// ```
pub fn sqlstate_label(state: &str) -> &'static str {
    verdict(state).1
}

pub(crate) fn verdict(state: &str) -> Verdict {
    by_state(state)
        .unwrap_or_else(|| by_class(state.as_bytes().first_chunk().copied().unwrap_or_default()))
}

/// States that are about the moment, or about the way to the database, and not about the statement.
fn by_state(state: &str) -> Option<Verdict> {
    let refused = Classification::transient();
    let lost = Classification::transient().maybe_executed();
    let lost_race = Classification::conflict();
    let full = Classification::throttled();
    // By the server's own clock; what was done so far is rolled back.
    let late = Classification::timeout().not_executed();
    // The server's own trouble, which no repeat cures and which proves no health.
    let broken = Classification::permanent();
    let answered = Classification::permanent().executed();
    Some(match state {
        "40000" => (lost_race, "transaction_rollback"),
        "40001" => (lost_race, "serialization_failure"),
        "40P01" => (lost_race, "deadlock_detected"),
        // The server itself does not know.
        "40003" => (lost, "statement_completion_unknown"),
        "08007" => (lost, "transaction_resolution_unknown"),

        "55P03" => (refused, "lock_not_available"),
        "57014" => (late, "query_canceled"),
        "25P04" => (late, "transaction_timeout"),
        // The connection has been closed while nothing ran on it.
        "25P03" => (refused, "idle_in_transaction_session_timeout"),
        "57P05" => (refused, "idle_session_timeout"),
        // A standby, or a primary that is one no longer: another connection may find the new one.
        "25006" => (refused, "read_only_sql_transaction"),

        "08001" => (refused, "sqlclient_unable_to_establish_sqlconnection"),
        // Also MySQL's state for too many connections.
        "08004" => (full, "sqlserver_rejected_establishment_of_sqlconnection"),
        "08003" => (lost, "connection_does_not_exist"),
        "08006" => (lost, "connection_failure"),
        // What PgBouncer says for most of its own troubles, such as a server that went away or did not
        // come free in time.
        "08P01" => (lost, "protocol_violation"),
        "08S01" => (lost, "communication_link_failure"),

        "53000" => (full, "insufficient_resources"),
        "53100" => (broken, "disk_full"),
        "53200" => (full, "out_of_memory"),
        "53300" => (full, "too_many_connections"),
        "53400" => (broken, "configuration_limit_exceeded"),

        // A commit that had been carried out may be answered so too.
        "57P01" => (lost, "admin_shutdown"),
        "57P02" => (lost, "crash_shutdown"),
        "57P03" => (refused, "cannot_connect_now"),
        "57P04" => (broken, "database_dropped"),

        "25P02" => (answered, "in_failed_sql_transaction"),
        "23502" => (answered, "not_null_violation"),
        "23503" => (answered, "foreign_key_violation"),
        "23505" => (answered, "unique_violation"),
        "23514" => (answered, "check_violation"),
        "23P01" => (answered, "exclusion_violation"),
        "28P01" => (answered, "invalid_password"),
        "42501" => (answered, "insufficient_privilege"),
        "42601" => (answered, "syntax_error"),
        "42703" => (answered, "undefined_column"),
        "42P01" => (answered, "undefined_table"),
        _ => return None,
    })
}

/// The first two characters, where the other three say nothing that matters here.
fn by_class(class: [u8; 2]) -> Verdict {
    let broken = Classification::permanent();
    let answered = Classification::permanent().executed();
    match &class {
        b"08" => (Classification::transient().maybe_executed(), "connection_exception"),
        b"53" => (Classification::throttled(), "insufficient_resources"),
        b"58" => (broken, "system_error"),
        b"F0" => (broken, "config_file_error"),
        b"XX" => (broken, "internal_error"),
        b"0A" => (answered, "feature_not_supported"),
        b"21" => (answered, "cardinality_violation"),
        b"22" => (answered, "data_exception"),
        b"23" => (answered, "integrity_constraint_violation"),
        b"25" => (answered, "invalid_transaction_state"),
        b"28" => (answered, "invalid_authorization_specification"),
        b"2B" => (answered, "dependent_privilege_descriptors_still_exist"),
        b"3D" => (answered, "invalid_catalog_name"),
        b"3F" => (answered, "invalid_schema_name"),
        b"40" => (answered, "transaction_rollback"),
        b"42" => (answered, "syntax_error_or_access_rule_violation"),
        b"44" => (answered, "with_check_option_violation"),
        // Raised by the user's own procedures: MySQL's `SIGNAL` and PL/pgSQL's `RAISE`.
        b"45" => (answered, "user_defined_exception"),
        b"P0" => (answered, "plpgsql_error"),
        b"54" => (answered, "program_limit_exceeded"),
        b"55" => (answered, "object_not_in_prerequisite_state"),
        b"57" => (answered, "operator_intervention"),
        b"HV" => (answered, "fdw_error"),
        b"HY" => (answered, "general_error"),
        _ => (answered, "_OTHER"),
    }
}
