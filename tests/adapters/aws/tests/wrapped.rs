//! Errors of the SDK inside errors of one's own, and errors of all kinds inside the SDK's.

use std::{error::Error, fmt};

use adapters_aws::{IdentityError, account, config};
use aws_sdk_sts::{Client, error::SdkError};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::retry::ErrorKind;
use faults::{Script, Server, h1};
use stormless::{
    Classification, FailedAttempt, Retryable, StopReason, aws::unretried, report, retry,
    testing::isolated,
};

type Tested = Result<(), Box<dyn Error>>;

#[derive(Debug, Retryable)]
#[expect(
    clippy::large_enum_variant,
    reason = "the SDK's errors are large, and forwarded as they come"
)]
enum LoginError {
    #[retryable(forward)]
    Identity(IdentityError),
    #[retryable(permanent)]
    Nobody,
}

#[retry(base = "1ms", max = "5ms", idempotent)]
async fn login(client: &Client) -> Result<String, LoginError> {
    let account = account(client).await.map_err(LoginError::Identity)?;
    if account.is_empty() { Err(LoginError::Nobody) } else { Ok(account) }
}

fn says(status: u16, code: &str) -> Vec<h1::Step> {
    let body = format!("<ErrorResponse><Error><Code>{code}</Code></Error></ErrorResponse>");
    vec![h1::response(status, &[], &body)]
}

fn known() -> Vec<h1::Step> {
    let body = "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>7</Account>\
                </GetCallerIdentityResult></GetCallerIdentityResponse>";
    vec![h1::response(200, &[], body)]
}

#[tokio::test]
async fn a_call_acts_on_an_error_of_the_sdk_that_is_forwarded() -> Tested {
    let answers = [says(400, "Throttling"), says(500, "InternalFailure"), known()];
    let server = Server::start(Script::requests(answers))?;
    let client = Client::new(&unretried(config(server.url("")).build()));
    let (result, calls) = isolated(report(login(&client))).await;
    assert!(result.is_ok_and(|account| account == "7"));
    let labels: Vec<_> = calls[0].failures().iter().map(FailedAttempt::label).collect();
    assert_eq!(labels, ["Throttling", "InternalFailure"]);
    assert_eq!((calls[0].attempts(), server.hits().requests), (3, 3));

    let server = Server::start(Script::requests([says(403, "AccessDenied"), known()]))?;
    let client = Client::new(&unretried(config(server.url("")).build()));
    let (result, calls) = isolated(report(login(&client))).await;
    let error = result.unwrap_err();
    let answered = Classification::permanent().executed();
    assert_eq!((error.classify(), error.label()), (answered, "AccessDenied"));
    let LoginError::Identity(own) = &error else { return Err("another error".into()) };
    assert_eq!((own.classify(), own.label()), (answered, "AccessDenied"));
    assert_eq!((calls[0].reason(), server.hits().requests), (Some(StopReason::Permanent), 1));
    Ok(())
}

/// An error that names itself as its own cause.
#[derive(Debug)]
struct Cyclic;

impl fmt::Display for Cyclic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round and round")
    }
}

impl Error for Cyclic {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

// R126
#[test]
fn a_cause_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    let endless = Classification::permanent().maybe_executed();
    let connectors = [
        ConnectorError::io(Cyclic.into()),
        ConnectorError::timeout(Cyclic.into()),
        ConnectorError::other(Cyclic.into(), Some(ErrorKind::TransientError)),
        ConnectorError::other(Cyclic.into(), Some(ErrorKind::ThrottlingError)),
        ConnectorError::io(std::io::Error::other(Cyclic).into()),
    ];
    let failures = connectors.map(IdentityError::dispatch_failure);
    let late =
        [Box::new(Cyclic) as Box<dyn Error + Send + Sync>, std::io::Error::other(Cyclic).into()];
    for error in failures.into_iter().chain(late.map(SdkError::timeout_error)) {
        assert_eq!((error.classify(), error.label()), (endless, "_OTHER"), "{error:?}");
    }
    let built = IdentityError::construction_failure(Cyclic);
    assert_eq!(built.classify(), Classification::permanent());
}
