//! What becomes of each way in which an operation of the SDK can fail.

use std::{error::Error, time::Duration};

use adapters_aws::{IdentityError, account, config};
use aws_runtime::retries::classifiers::{THROTTLING_ERRORS, TRANSIENT_ERRORS};
use aws_sdk_sts::{
    Client,
    config::timeout::{TimeoutConfig, TimeoutConfigBuilder},
    error::{ErrorMetadata, SdkError},
};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_types::body::SdkBody;
use aws_types::SdkConfig;
use faults::{Script, Server, h1};
use stormless::{
    Classification,
    Execution::{self, Executed, MaybeExecuted, NotExecuted},
    Hint,
    Kind::{self, Permanent, Throttled, Timeout, Transient},
    Retryable,
    aws::{classify, classify_result, unretried},
};

type Tested = Result<(), Box<dyn Error>>;

async fn failure(
    script: Script,
    limits: TimeoutConfigBuilder,
) -> Result<IdentityError, Box<dyn Error>> {
    let server = Server::start(script)?;
    let config = config(server.url("")).timeout_config(limits.build());
    let client = Client::new(&unretried(config.build()));
    account(&client).await.err().ok_or_else(|| "an answer".into())
}

fn config_without_credentials(server: &Server) -> SdkConfig {
    let mut config = config(server.url(""));
    config.set_credentials_provider(None);
    unretried(config.build())
}

fn facts(error: &IdentityError) -> (Kind, Execution, &'static str) {
    let class = error.classify();
    (class.kind(), class.execution(), error.label())
}

#[tokio::test]
async fn a_connection_that_breaks_is_known_by_its_cause() -> Tested {
    for (name, script, expected) in [
        ("refused", Script::refused(), (Transient, NotExecuted, "connection_refused")),
        (
            "closed without an answer",
            Script::connections([h1::read_then_close()]),
            (Transient, MaybeExecuted, "incomplete_message"),
        ),
        (
            "reset without an answer",
            Script::connections([h1::reset()]),
            (Transient, MaybeExecuted, "connection_reset"),
        ),
        ("not HTTP", Script::connections([h1::garbage()]), (Permanent, MaybeExecuted, "parse")),
    ] {
        let error = failure(script, TimeoutConfig::builder()).await?;
        assert!(matches!(error, SdkError::DispatchFailure(_)), "{name}: {error:?}");
        assert_eq!(facts(&error), expected, "{name}: {error:?}");
    }
    Ok(())
}

#[tokio::test]
async fn half_an_answer_may_have_been_a_whole_one() -> Tested {
    for script in [h1::half_body(), h1::reset_body()] {
        let error = failure(Script::connections([script]), TimeoutConfig::builder()).await?;
        assert!(matches!(error, SdkError::ResponseError(_)), "{error:?}");
        assert_eq!(facts(&error), (Transient, MaybeExecuted, "response"), "{error:?}");
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn limits_are_told_apart_by_what_they_limit() -> Tested {
    let limit = Duration::from_secs(3);
    let none = TimeoutConfig::builder;
    let connecting = none().connect_timeout(limit);
    let error = failure(Script::deaf(), connecting).await?;
    assert_eq!(facts(&error), (Timeout, NotExecuted, "connect_timeout"), "{error:?}");

    let stall = || Script::connections([h1::stall()]);
    let error = failure(stall(), none().read_timeout(limit)).await?;
    assert_eq!(facts(&error), (Timeout, MaybeExecuted, "dispatch_timeout"), "{error:?}");

    for limits in [none().operation_timeout(limit), none().operation_attempt_timeout(limit)] {
        let error = failure(stall(), limits).await?;
        assert!(matches!(error, SdkError::TimeoutError(_)), "{error:?}");
        assert_eq!(facts(&error), (Timeout, MaybeExecuted, "timeout"), "{error:?}");
    }
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_sent_is_not_sent_again() -> Tested {
    let server = Server::start(Script::refused())?;
    let config = config(server.url("")).endpoint_url("no url").build();
    let error = account(&Client::new(&unretried(config))).await.unwrap_err();
    assert_eq!(facts(&error).0, Permanent, "{error:?}");

    let nobody = config_without_credentials(&server);
    let error = account(&Client::new(&nobody)).await.unwrap_err();
    assert_eq!(facts(&error).0, Permanent, "{error:?}");

    let built = IdentityError::construction_failure("no such shape");
    assert_eq!(facts(&built), (Permanent, NotExecuted, "construction"));
    Ok(())
}

#[tokio::test]
async fn an_error_of_the_service_counts_by_its_code_and_then_by_its_status() -> Tested {
    for (status, code, expected) in [
        (400, "Throttling", (Throttled, NotExecuted, "Throttling")),
        (503, "SlowDown", (Throttled, NotExecuted, "SlowDown")),
        (400, "RequestTimeout", (Transient, NotExecuted, "RequestTimeout")),
        (500, "InternalFailure", (Transient, MaybeExecuted, "InternalFailure")),
        (502, "Anything", (Transient, MaybeExecuted, "_OTHER")),
        (503, "ServiceUnavailable", (Throttled, NotExecuted, "ServiceUnavailable")),
        (504, "Anything", (Timeout, MaybeExecuted, "_OTHER")),
        (403, "AccessDenied", (Permanent, Executed, "AccessDenied")),
        (418, "user-data-4711", (Permanent, Executed, "_OTHER")),
    ] {
        let body = format!("<ErrorResponse><Error><Code>{code}</Code></Error></ErrorResponse>");
        let script = Script::requests([vec![h1::response(status, &[], &body)]]);
        let error = failure(script, TimeoutConfig::builder()).await?;
        assert!(matches!(error, SdkError::ServiceError(_)), "{error:?}");
        assert_eq!(facts(&error), expected, "{status} {code}: {error:?}");
    }
    // A proxy's page instead of an error of the service.
    let script = Script::requests([vec![h1::response(503, &[], "<html>away</html>")]]);
    let error = failure(script, TimeoutConfig::builder()).await?;
    assert_eq!(facts(&error).0, Throttled, "{error:?}");
    Ok(())
}

#[tokio::test]
async fn a_model_says_of_an_error_that_it_may_be_repeated() -> Tested {
    let body = "<ErrorResponse><Error><Code>IDPCommunicationError</Code></Error></ErrorResponse>";
    let server = Server::start(Script::requests([vec![h1::response(400, &[], body)]]))?;
    let client = Client::new(&unretried(config(server.url("")).build()));
    let call = client.assume_role_with_web_identity().role_arn("a").role_session_name("b");
    let error = call.web_identity_token("c").send().await.unwrap_err();
    let class = error.classify();
    assert_eq!((class.kind(), class.execution()), (Transient, NotExecuted), "{error:?}");
    assert_eq!(error.label(), "IDPCommunicationError");
    Ok(())
}

type AnyError = SdkError<ErrorMetadata>;

/// An error of a service, with a code of no service in particular.
fn coded(status: u16, code: &str, fields: &[(&str, &str)]) -> AnyError {
    let mut response = http::Response::builder().status(status);
    for (name, value) in fields {
        response = response.header(*name, *value);
    }
    let response = response.body(SdkBody::empty()).expect("fields");
    let raw = HttpResponse::try_from(response).expect("a response");
    SdkError::service_error(ErrorMetadata::builder().code(code).build(), raw)
}

#[test]
fn the_codes_are_those_of_the_sdk() {
    for code in THROTTLING_ERRORS {
        let error = coded(400, code, &[]);
        assert_eq!((error.classify(), error.label()), (Classification::throttled(), *code));
    }
    for code in TRANSIENT_ERRORS {
        let error = coded(400, code, &[]);
        assert_eq!((error.classify(), error.label()), (Classification::transient(), *code));
    }
    // S3 fails with a status of 200 when it finds out too late.
    let late = coded(200, "InternalError", &[]).classify();
    assert_eq!((late.kind(), late.execution()), (Transient, MaybeExecuted));
}

#[test]
fn an_error_inside_of_a_success_is_no_answer() {
    for code in ["InternalError", "InternalFailure", "InternalServerError", "ServiceUnavailable"] {
        let class = coded(200, code, &[]).classify();
        assert_eq!((class.kind(), class.execution()), (Transient, MaybeExecuted), "{code}");
    }
    for code in ["MalformedXML", "AccessDenied", ""] {
        let class = coded(200, code, &[]).classify();
        assert_eq!((class.kind(), class.execution()), (Permanent, MaybeExecuted), "{code}");
    }
}

#[test]
fn the_service_says_when_in_milliseconds() {
    let hint =
        |status, value| coded(status, "any", &[("x-amz-retry-after", value)]).classify().hint();
    assert_eq!(hint(503, "1500"), Some(Hint::RetryAfter(Duration::from_millis(1500))));
    assert_eq!(
        hint(503, "99999999999999999999999"),
        Some(Hint::RetryAfter(Duration::from_millis(u64::MAX)))
    );
    for nothing in ["0", "-5", "+5", "soon", "1.5", ""] {
        assert_eq!(hint(503, nothing), None, "{nothing}");
    }
    assert_eq!(hint(404, "1500"), None);
}

#[test]
fn of_several_waits_the_longest_counts() {
    let hint = |fields: &[(&str, &str)]| coded(503, "any", fields).classify().hint();
    let after = |millis| Some(Hint::RetryAfter(Duration::from_millis(millis)));
    assert_eq!(hint(&[("x-amz-retry-after", "5"), ("x-amz-retry-after", "70")]), after(70));
    assert_eq!(hint(&[("retry-after", "2")]), after(2000));
    assert_eq!(hint(&[("retry-after", "2"), ("x-amz-retry-after", "2500")]), after(2500));
    let then = ("retry-after", "Sun, 06 Nov 1994 08:49:39 GMT");
    assert_eq!(hint(&[("date", "Sun, 06 Nov 1994 08:49:37 GMT"), then]), after(2000));
}

#[test]
fn functions_say_what_the_trait_says() {
    let error = coded(503, "any", &[]);
    assert_eq!(classify(&error), error.classify());
    assert_eq!(classify_result(&Ok::<(), AnyError>(())), None);
    let class = error.classify();
    assert_eq!(classify_result::<(), _>(&Err(error)), Some(class));
}
