//! The error codes of AWS that are known by name.

use crate::Classification;

/// `THROTTLING_ERRORS` of `aws_runtime::retries::classifiers`.
const THROTTLING: &[&str] = &[
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottledException",
    "TooManyRequestsException",
    "ProvisionedThroughputExceededException",
    "TransactionInProgressException",
    "RequestLimitExceeded",
    "BandwidthLimitExceeded",
    "LimitExceededException",
    "RequestThrottled",
    "SlowDown",
    "PriorRequestNotComplete",
    "EC2ThrottledException",
];

/// `TRANSIENT_ERRORS` of the same module: the service waited for the rest of the request, as with a 408.
const TRANSIENT: &[&str] = &["RequestTimeout", "RequestTimeoutException"];

/// What services say of themselves, S3 in answers whose status is 200 too.
const INTERNAL: &[&str] = &["InternalError", "InternalFailure", "InternalServerError"];

/// The same, where the status beside it says no more.
const UNAVAILABLE: &str = "ServiceUnavailable";

/// Codes that are labels, and are classified by model and status. Source: the errors that all services
/// have in common, and the most common ones of S3, SQS and the databases.
const NAMED: &[&str] = &[
    "AccessDenied",
    "AccessDeniedException",
    "ConditionalCheckFailedException",
    "ExpiredToken",
    "ExpiredTokenException",
    "IDPCommunicationError",
    "IncompleteSignature",
    "InvalidClientTokenId",
    "InvalidParameterValue",
    "MissingAuthenticationToken",
    "NoSuchBucket",
    "NoSuchKey",
    "OptInRequired",
    "QueueDoesNotExist",
    "RequestExpired",
    "ResourceNotFoundException",
    "SignatureDoesNotMatch",
    "TransactionCanceledException",
    "TransactionConflictException",
    "UnrecognizedClientException",
    "ValidationError",
    "ValidationException",
];

/// The code as a label, and what it says about a retry beside this status, if anything.
pub(super) fn known(code: &str, status: u16) -> Option<(&'static str, Option<Classification>)> {
    let find = |codes: &[&'static str]| codes.iter().copied().find(|&known| known == code);
    let throttled = find(THROTTLING).map(|code| (code, Some(Classification::throttled())));
    throttled
        .or_else(|| find(TRANSIENT).map(|code| (code, Some(Classification::transient()))))
        .or_else(|| {
            let broken = Classification::transient().maybe_executed();
            let unavailable =
                find(&[UNAVAILABLE]).map(|code| (code, (status < 400).then_some(broken)));
            find(INTERNAL).map(|code| (code, Some(broken))).or(unavailable)
        })
        .or_else(|| find(NAMED).map(|code| (code, None)))
}
