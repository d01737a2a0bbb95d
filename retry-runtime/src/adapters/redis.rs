//! `redis::RedisError`.

#[cfg(any(feature = "redis-1-cluster", feature = "redis-1-connection-manager"))]
mod unretried;

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use ::redis::{ErrorKind, RedisError, ServerError, ServerErrorKind};
#[cfg(any(feature = "redis-1-cluster", feature = "redis-1-connection-manager"))]
pub use unretried::{Retrying, unretried};

use super::{Verdict, causes, io::on_a_connection, labelled};
use crate::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Kind, Retryable};

/// What an error of redis means for a retry, for `classify = stormless::redis::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use redis::{RedisError, ServerErrorKind};
/// use stormless::{Execution, Kind, redis::classify};
///
/// let loading: RedisError = (ServerErrorKind::BusyLoading.into(), "loading the dataset").into();
/// assert_eq!(classify(&loading).kind(), Kind::Transient);
/// assert_eq!(classify(&loading).execution(), Execution::NotExecuted);
/// ```
pub fn classify(error: &RedisError) -> Classification {
    labelled(verdict(error))
}

/// The code decides where the server gave one, and the `io::Error` below where the way to it failed. The driver's
/// own [`retry_method`](RedisError::retry_method) is not followed: it would repeat at once what timed out, and
/// connect again after a wrong password.
///
/// A pipeline of which some commands failed may have carried out the others. A transaction that was aborted has
/// carried out nothing, and passes where all that it was aborted for passes.
impl Retryable for RedisError {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
    fn deadline_exceeded() -> Option<Self> {
        Some(DeadlineExceeded::new().into())
    }
}

/// As an error of kind [`Io`](ErrorKind::Io) that wraps it.
impl From<AttemptTimeout> for RedisError {
    fn from(cut: AttemptTimeout) -> Self {
        io::Error::from(cut).into()
    }
}

/// As an error of kind [`Io`](ErrorKind::Io) that wraps it.
impl From<DeadlineExceeded> for RedisError {
    fn from(cut: DeadlineExceeded) -> Self {
        io::Error::from(cut).into()
    }
}

/// As an error of kind [`Io`](ErrorKind::Io) that wraps it.
impl From<BreakerOpen> for RedisError {
    fn from(cut: BreakerOpen) -> Self {
        io::Error::from(cut).into()
    }
}

fn verdict(error: &RedisError) -> Verdict {
    // Found in this process, and before anything is sent.
    let mistake = Classification::permanent().local();
    match error.kind() {
        ErrorKind::Server(ServerErrorKind::ExecAbort) => by_causes_of_abort(error),
        ErrorKind::Server(_) | ErrorKind::Extension => by_answer(error),
        ErrorKind::Io => by_io(error),
        // No connection to a node of the cluster, or none known to a sentinel.
        ErrorKind::ClusterConnectionNotFound => {
            (Classification::transient(), "cluster_connection_not_found")
        }
        ErrorKind::MasterNameNotFoundBySentinel => {
            (Classification::transient(), "master_name_not_found_by_sentinel")
        }
        ErrorKind::NoValidReplicasFoundBySentinel => {
            (Classification::transient(), "no_valid_replicas_found_by_sentinel")
        }
        ErrorKind::AuthenticationFailed => {
            (Classification::permanent().executed(), "authentication_failed")
        }
        // As a rule a value of another type than the one asked for; perhaps no value of redis at all.
        ErrorKind::Parse => (Classification::permanent().maybe_executed(), "parse"),
        ErrorKind::UnexpectedReturnType => {
            (Classification::permanent().executed(), "unexpected_return_type")
        }
        ErrorKind::InvalidClientConfig => (mistake, "invalid_client_config"),
        ErrorKind::Client => (mistake, "client"),
        ErrorKind::EmptySentinelList => (mistake, "empty_sentinel_list"),
        ErrorKind::RESP3NotSupported => (mistake, "resp3_not_supported"),
        // Whether there is a kind for JSON depends on the features of the driver.
        _ => (mistake, "_OTHER"),
    }
}

fn by_answer(error: &RedisError) -> Verdict {
    if let Ok(error) = ServerError::try_from(error.clone()) {
        return by_code(error.code(), error.details());
    }
    let (kind, label) = match error.clone().into_server_errors() {
        Some(failed) => worst(&failed),
        // Made by hand, as the driver's own mocks do.
        None => return by_code(error.code().unwrap_or_default(), error.detail()),
    };
    // What it does not name has been carried out.
    (kind.maybe_executed(), label)
}

fn by_causes_of_abort(error: &RedisError) -> Verdict {
    let causes = error.clone().into_server_errors();
    match causes.as_deref().filter(|causes| is_aborted_for(causes)) {
        Some(causes) => {
            let (classification, label) = worst(causes);
            (classification.not_executed(), label)
        }
        // The server said no more than that.
        None => (Classification::permanent(), "exec_abort"),
    }
}

fn is_aborted_for(causes: &[(usize, ServerError)]) -> bool {
    causes.iter().any(|(_, cause)| cause.kind() != Some(ServerErrorKind::ExecAbort))
}

/// One that a repeat cannot help, if there is one; else the first.
fn worst(failed: &[(usize, ServerError)]) -> Verdict {
    let verdict = |(_, error): &(usize, ServerError)| by_code(error.code(), error.details());
    let permanent = failed.iter().map(verdict).find(|(class, _)| class.kind() == Kind::Permanent);
    permanent
        .or_else(|| failed.first().map(verdict))
        .unwrap_or((Classification::permanent(), "_OTHER"))
}

/// The first word of an error, as redis documents it with each command and in its configuration file.
fn by_code(code: &str, details: Option<&str>) -> Verdict {
    let passing = Classification::transient();
    let full = Classification::throttled();
    // The server's own trouble, which no repeat cures and which proves no health.
    let broken = Classification::permanent();
    let answered = Classification::permanent().executed();
    match code {
        "LOADING" => (passing, "loading"),
        "TRYAGAIN" => (passing, "try_again"),
        "CLUSTERDOWN" => (passing, "cluster_down"),
        "MASTERDOWN" => (passing, "master_down"),
        // A replica, or a primary that is one no longer: another connection may find the new one.
        "READONLY" => (passing, "read_only"),
        // A blocked client that was let go because its server became a replica.
        "UNBLOCKED" => (passing, "unblocked"),
        // Without redirections of its own the cluster client has learnt the new place by now.
        "MOVED" => (passing, "moved"),
        "ASK" => (passing, "ask"),

        "OOM" => (full, "out_of_memory"),
        // A script has been running for too long.
        "BUSY" => (full, "busy"),
        "NOREPLICAS" => (full, "no_replicas"),
        // The only refusal of this kind that has no word of its own.
        "ERR" if details.is_some_and(|text| text.starts_with("max number of clients")) => {
            (full, "max_clients")
        }

        // Snapshots cannot be written.
        "MISCONF" => (broken, "misconf"),
        "EXECABORT" => (broken, "exec_abort"),

        "WRONGTYPE" => (answered, "wrong_type"),
        "NOAUTH" => (answered, "no_auth"),
        "WRONGPASS" => (answered, "wrong_pass"),
        "NOPERM" => (answered, "no_perm"),
        "NOSCRIPT" => (answered, "no_script"),
        "CROSSSLOT" => (answered, "cross_slot"),
        "ERR" => (answered, "err"),
        _ => (answered, "_OTHER"),
    }
}

fn by_io(error: &RedisError) -> Verdict {
    match io_below(error) {
        // A missing file is the server's socket: it is not up.
        Some(io) if io.kind() == io::ErrorKind::NotFound => {
            (Classification::transient(), "not_found")
        }
        Some(io) => on_a_connection((io.classify(), io.label())),
        // The driver's own words for a connection that has gone.
        None if error.is_connection_dropped() => {
            (Classification::transient().maybe_executed(), "connection_dropped")
        }
        None => (Classification::permanent(), "_OTHER"),
    }
}

/// The driver keeps errors that it wraps in an `Arc`, and it is the `Arc` that its chain shows: whoever asks that
/// one for its source gets what is below the error.
fn io_below(error: &RedisError) -> Option<&io::Error> {
    causes(error.source()?).find_map(|cause| {
        let shared = cause.downcast_ref::<Arc<dyn StdError + Send + Sync>>();
        shared.map_or_else(|| cause.downcast_ref(), |shared| shared.downcast_ref())
    })
}
