//! What a code says that came from the server.

use ::tonic::Code;

use super::{super::Verdict, hint::Beside};
use crate::Classification;

/// `said` is false for a status that was made here of an unknown failure.
///
/// Sources: gRPC's list of status codes, AIP-194 (`UNAVAILABLE` alone is repeated by itself), the
/// specification of OTLP (`RESOURCE_EXHAUSTED` only with `RetryInfo`).
pub(super) fn verdict(code: Code, said: bool, beside: &Beside) -> Verdict {
    let final_answer =
        if said { Classification::permanent().executed() } else { Classification::permanent() };
    // A server that fails has not shown that it works.
    let broken = Classification::permanent().maybe_executed();
    let class = match code {
        // The two codes that Envoy refuses calls with.
        Code::Unavailable | Code::ResourceExhausted if beside.refused => {
            Classification::throttled()
        }
        // Servers say it in the middle of the work too, and proxies in place of a server that did it.
        Code::Unavailable => Classification::transient().maybe_executed(),
        // Who says when to come back, or not to, speaks of load and not of a quota.
        Code::ResourceExhausted if beside.asked.is_said() => Classification::throttled(),
        // A quota, which no wait of ours outlasts; and a failure that says that there was none.
        Code::ResourceExhausted | Code::Ok => Classification::permanent(),
        Code::Aborted => Classification::conflict(),
        Code::DeadlineExceeded => Classification::timeout(),
        // Not by us. A server of tonic's says so when its own timeout has passed.
        Code::Cancelled => Classification::cancelled().maybe_executed(),
        Code::Unknown | Code::Internal | Code::DataLoss => broken,
        Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::Unauthenticated => final_answer,
    };
    (class, label(code))
}

fn label(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
