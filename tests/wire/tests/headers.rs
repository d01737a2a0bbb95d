//! What is written beside that which a request has already.

use std::{collections::BTreeMap, time::Duration};

use http::HeaderMap;
use reqwest::{Client, RequestBuilder};
use stormless::{deadline, reqwest::inject, retry, wire::Inject};
use wire::CallError;

const ALL: Inject =
    Inject::new().idempotency_key().grpc_timeout().grpc_previous_attempts().envoy().aws();

#[retry(attempts = 2, deadline = "2s", budget = none)]
async fn headers_of(request: RequestBuilder) -> Result<HeaderMap, CallError> {
    let request = request.try_clone().ok_or(CallError::Unavailable)?;
    Ok(inject(request, ALL).build()?.headers().clone())
}

#[tokio::test(start_paused = true)]
async fn a_request_keeps_its_key_and_its_shorter_times() {
    let own = [
        ("idempotency-key", "\"mine\""),
        ("x-envoy-expected-rq-timeout-ms", "10"),
        ("grpc-timeout", "5m"),
    ];
    let request =
        Client::new().post("http://orders/7").header("x-other", "1").header("x-other", "2");
    let with_own = own.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let headers = headers_of(with_own).await.unwrap();
    for (name, value) in own {
        assert_eq!(headers[name], value, "{name}");
        assert_eq!(headers.get_all(name).iter().count(), 1, "{name}");
    }
    assert_eq!(headers["stormless-attempt"], "1;max=2;remaining=2000");
    assert_eq!(headers.get_all("x-other").iter().count(), 2);
    assert!(!headers.contains_key("stormless-probe"), "{headers:?}");

    let longer = Client::new().get("http://orders/7").header("grpc-timeout", "5M");
    assert_eq!(headers_of(longer).await.unwrap()["grpc-timeout"], "2000000u");
}

#[tokio::test(start_paused = true)]
async fn a_builder_that_has_failed_still_fails_and_as_it_did() {
    let broken = || Client::new().get("http://orders/7").header("x-broken", "a\nb");
    let said = broken().build().unwrap_err();
    let error = inject(broken(), ALL).send().await.unwrap_err();
    assert!(error.is_builder() && said.is_builder(), "{error}");
    assert_eq!(format!("{error:?}"), format!("{said:?}"));
    let error = inject(Client::new().get("nowhere"), ALL).send().await.unwrap_err();
    let said = Client::new().get("nowhere").build().unwrap_err();
    assert_eq!(format!("{error:?}"), format!("{said:?}"));
}

/// What is written to these headers.
#[retry(attempts = 2, budget = none)]
async fn written(
    headers: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, CallError> {
    let mut headers = headers.clone();
    ALL.write(&mut headers);
    Ok(headers)
}

#[tokio::test(start_paused = true)]
async fn a_first_attempt_takes_back_the_attempts_that_were_copied_from_another_request() {
    const PREVIOUS: &str = "grpc-previous-rpc-attempts";
    let copied = BTreeMap::from([(PREVIOUS.to_owned(), "2".to_owned())]);
    assert_eq!(written(&copied).await.unwrap()[PREVIOUS], "0");
    assert!(!written(&BTreeMap::new()).await.unwrap().contains_key(PREVIOUS));
}

#[tokio::test(start_paused = true)]
async fn a_timeout_is_written_from_the_exact_time_and_not_from_whole_milliseconds() {
    for (micros, timeout, own) in [
        (1_500_700, "1500700u", "1;max=2;remaining=1500"),
        (900, "900000n", "1;max=2;remaining=0"),
        (200_000_700, "200000m", "1;max=2;remaining=200000"),
    ] {
        let limit = Duration::from_micros(micros);
        let headers = BTreeMap::new();
        let headers = deadline::within(limit, written(&headers)).await.unwrap().unwrap();
        assert_eq!(headers["grpc-timeout"], timeout);
        assert_eq!(headers["stormless-attempt"], own);
    }
}
