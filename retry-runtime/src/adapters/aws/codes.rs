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

/// What S3 says of itself in answers whose status is 200.
const INTERNAL: &[&str] = &["InternalError"];

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
    "InternalFailure",
    "InternalServerError",
    "InvalidClientTokenId",
    "InvalidParameterValue",
    "MissingAuthenticationToken",
    "NoSuchBucket",
    "NoSuchKey",
    "OptInRequired",
    "QueueDoesNotExist",
    "RequestExpired",
    "ResourceNotFoundException",
    "ServiceUnavailable",
    "SignatureDoesNotMatch",
    "TransactionCanceledException",
    "TransactionConflictException",
    "UnrecognizedClientException",
    "ValidationError",
    "ValidationException",
];

/// The code as a label, and what it says about a retry, if anything.
pub(super) fn known(code: &str) -> Option<(&'static str, Option<Classification>)> {
    let find = |codes: &[&'static str]| codes.iter().copied().find(|&known| known == code);
    let throttled = find(THROTTLING).map(|code| (code, Some(Classification::throttled())));
    throttled
        .or_else(|| find(TRANSIENT).map(|code| (code, Some(Classification::transient()))))
        .or_else(|| {
            let broken = Classification::transient().maybe_executed();
            find(INTERNAL).map(|code| (code, Some(broken)))
        })
        .or_else(|| find(NAMED).map(|code| (code, None)))
}
