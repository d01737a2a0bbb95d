//! What reaches a server with the SDK's own retries and without, and what `#[retry]` makes of errors.

use std::{error::Error, time::Duration};

use adapters_aws::{IdentityError, account, account_again, config};
use aws_sdk_sts::{Client, error::SdkError};
use faults::{Script, Server, h1};
use stormless::{
    AttemptTimeout, Breaker, BreakerOpen, CallReport, DeadlineExceeded, Retryable, StopReason,
    aws::unretried, breaker, deadline, report, retry, testing::isolated,
};

type Tested = Result<(), Box<dyn Error>>;

const IDENTITY: &str = "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>7</Account>\
     </GetCallerIdentityResult></GetCallerIdentityResponse>";

fn says(status: u16, code: &str, fields: &[&str]) -> Vec<h1::Step> {
    let body = format!("<ErrorResponse><Error><Code>{code}</Code></Error></ErrorResponse>");
    vec![h1::response(status, fields, &body)]
}

fn done() -> Vec<h1::Step> {
    vec![h1::response(200, &[], IDENTITY)]
}

/// A server, and a client without retries of its own.
fn serve<const N: usize>(answers: [Vec<h1::Step>; N]) -> Result<(Server, Client), Box<dyn Error>> {
    let server = Server::start(Script::requests(answers))?;
    let client = Client::new(&unretried(config(server.url("")).build()));
    Ok((server, client))
}

async fn run<T>(call: impl Future<Output = T> + Send) -> (T, CallReport) {
    let (result, mut calls) = isolated(report(call)).await;
    (result, calls.pop().expect("an annotated call"))
}

#[tokio::test]
async fn the_sdk_sends_three_requests_for_one_and_unretried_one() -> Tested {
    let unavailable = || Server::start(Script::requests([says(503, "ServiceUnavailable", &[])]));

    let server = unavailable()?;
    account(&Client::new(&config(server.url("")).build())).await.unwrap_err();
    assert_eq!(server.hits().requests, 3);

    let server = unavailable()?;
    account(&Client::new(&unretried(config(server.url("")).build()))).await.unwrap_err();
    assert_eq!(server.hits().requests, 1);
    Ok(())
}

#[tokio::test]
async fn an_attribute_around_the_sdks_own_retries_multiplies_them() -> Tested {
    let throttled = || Server::start(Script::requests([says(400, "Throttling", &[])]));

    let server = throttled()?;
    let client = Client::new(&config(server.url("")).build());
    run(account_again(&client)).await.0.unwrap_err();
    assert_eq!(server.hits().requests, 9);

    let server = throttled()?;
    let client = Client::new(&unretried(config(server.url("")).build()));
    run(account_again(&client)).await.0.unwrap_err();
    assert_eq!(server.hits().requests, 3);
    Ok(())
}

#[tokio::test]
async fn a_call_comes_back_when_the_service_asks_it_to() -> Tested {
    let busy = says(400, "Throttling", &["x-amz-retry-after: 40"]);
    let (server, client) = serve([busy, done()])?;
    let (result, call) = run(account_again(&client)).await;
    assert_eq!((result?.as_str(), call.attempts(), server.hits().requests), ("7", 2, 2));
    let (asked, most) = (Duration::from_millis(40), Duration::from_millis(40 + 10 + 1));
    assert!((asked..=most).contains(&call.slept()), "{:?}", call.slept());
    Ok(())
}

#[tokio::test]
async fn a_final_answer_is_not_asked_for_again() -> Tested {
    let (server, client) = serve([says(403, "AccessDenied", &[]), done()])?;
    let (result, call) = run(account_again(&client)).await;
    assert_eq!((result.is_err(), call.reason()), (true, Some(StopReason::Permanent)));
    assert_eq!((call.failures()[0].label(), server.hits().requests), ("AccessDenied", 1));
    assert!(call.failures()[0].classification().is_answer());
    Ok(())
}

breaker! { static SHUT: Breaker = Breaker::new("adapters.aws.shut"); }

#[retry(attempt_timeout = "1s", idempotent, attempts = 2, base = "1ms", max = "1ms")]
async fn hurried(client: &Client) -> Result<String, IdentityError> {
    account(client).await
}

#[retry(deadline = "1s", breaker = SHUT, attempts = 1)]
async fn limited(client: &Client) -> Result<String, IdentityError> {
    account(client).await
}

#[tokio::test(start_paused = true)]
async fn limits_of_the_attribute_end_a_call_as_an_error_of_the_sdk() -> Tested {
    let server = Server::start(Script::connections([h1::stall()]))?;
    let client = Client::new(&unretried(config(server.url("")).build()));
    let (result, call) = run(hurried(&client)).await;
    let error = result.unwrap_err();
    assert!(matches!(error, SdkError::TimeoutError(_)), "{error:?}");
    assert_eq!((error.label(), call.attempts()), ("attempt_timeout", 2));

    let (result, call) = run(limited(&client)).await;
    let error = result.unwrap_err();
    assert!(matches!(error, SdkError::TimeoutError(_)), "{error:?}");
    assert_eq!(error.label(), "deadline_exceeded");
    assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));

    let shut = async {
        SHUT.open();
        limited(&client).await
    };
    let (result, call) = run(shut).await;
    let error = result.unwrap_err();
    assert!(matches!(error, SdkError::DispatchFailure(_)), "{error:?}");
    assert_eq!((error.label(), call.attempts()), ("breaker_open", 0));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_deadline_from_outside_ends_a_running_attempt_as_an_error_of_the_sdk() -> Tested {
    let server = Server::start(Script::connections([h1::stall()]))?;
    let client = Client::new(&unretried(config(server.url("")).build()));
    let limit = Duration::from_secs(2);
    let (result, call) = run(deadline::within(limit, account_again(&client))).await;
    assert_eq!(result?.unwrap_err().label(), "deadline_exceeded");
    assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
    Ok(())
}

#[test]
fn every_cut_is_the_class_that_it_is_elsewhere() {
    for (error, cut) in [
        (IdentityError::from(AttemptTimeout::new()), AttemptTimeout::new().classify()),
        (DeadlineExceeded::new().into(), DeadlineExceeded::new().classify()),
        (BreakerOpen::new(None).into(), BreakerOpen::new(None).classify()),
    ] {
        assert_eq!(error.classify(), cut, "{error:?}");
    }
}
