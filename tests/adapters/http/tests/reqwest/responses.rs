//! What the head of a response says, fields and all.

use std::time::Duration;

use faults::{Script, h1};
use reqwest::{Client, Response};
use stormless::{
    Classification, Policy, StopReason, report, retry,
    testing::{Jitter, isolated, jitter},
};

use crate::{client, start};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[tokio::test]
async fn fields_refine_the_status() {
    let throttled = Classification::throttled();
    let lost = Classification::transient().maybe_executed();
    let answer = Classification::permanent().executed();
    let rows: [(u16, &[&str], Classification); 12] = [
        (429, &[], throttled),
        (429, &["retry-after: 2"], throttled.retry_after(ms(2000))),
        (429, &["ratelimit: \"default\";r=0;t=5"], throttled.retry_after(ms(5000))),
        (429, &["ratelimit: \"default\";r=1;t=5"], throttled),
        (429, &["x-envoy-ratelimited: true"], throttled.retry_after(ms(1000))),
        (500, &["x-envoy-overloaded: true"], throttled),
        (500, &["x-amz-retry-after: 1500"], lost.retry_after(ms(1500))),
        (503, &["stormless-do-not-retry: ?1", "retry-after: 2"], throttled.do_not_retry()),
        (413, &[], answer),
        (413, &["retry-after: 1"], throttled.retry_after(ms(1000))),
        (409, &[], answer),
        (501, &[], answer),
    ];
    let script = rows.map(|(status, fields, _)| vec![h1::response(status, fields, "")]);
    let (server, client) = (start(Script::requests(script)), client());
    for (status, fields, class) in rows {
        let response = client.get(server.url("/")).send().await.unwrap();
        let judged = stormless::reqwest::classify_response(&response);
        assert_eq!(judged, Some(class), "{status} {fields:?}");
        let result: Result<_, reqwest::Error> = Ok(response);
        assert_eq!(stormless::reqwest::classify_result(&result), Some(class));
    }
}

#[tokio::test]
async fn what_is_no_failure_and_what_is_no_response_speak_for_themselves() {
    let kept = vec![h1::response(304, &["retry-after: 3"], "")];
    let server = start(Script::requests([kept]));
    let ok = client().get(server.url("/")).send().await;
    assert_eq!(stormless::reqwest::classify_result(&ok), None);
    let error = client().get("no address").send().await;
    assert_eq!(stormless::reqwest::classify_result(&error), None);
    assert_eq!(stormless::reqwest::classify_result_with_base(&error), None);
}

const BASES: Policy = Policy::with_status_bases().attempts(7);

#[retry(policy = BASES, classify_result = stormless::reqwest::classify_result_with_base, budget = none)]
async fn get(client: &Client, url: &str) -> reqwest::Result<Response> {
    client.get(url).send().await
}

/// The delays of a call, in milliseconds, and what stopped it.
async fn delays(script: Script, draws: Jitter) -> (Vec<u128>, Option<StopReason>) {
    let (server, client) = (start(script), client());
    let (result, calls) = isolated(report(async {
        jitter(draws);
        get(&client, &server.url("/")).await
    }))
    .await;
    drop(result);
    (calls[0].delays().map(|delay| delay.as_millis()).collect(), calls[0].reason())
}

#[tokio::test(start_paused = true)]
async fn the_status_and_the_network_decide_where_delays_start() {
    let said = |status| vec![h1::response(status, &[], "")];
    let mixed = || {
        let gone = vec![h1::response(404, &[], "")];
        Script::requests([said(429), said(503), said(504), said(429), gone])
    };
    // The 504 may have been executed, and nobody said that a repeat is harmless.
    let stopped = Some(StopReason::MaybeExecuted);
    assert_eq!(delays(mixed(), Jitter::Lowest).await, (vec![100, 1000], stopped));
    assert_eq!(delays(mixed(), Jitter::Highest).await, (vec![200, 1100], stopped));

    let ended = Some(StopReason::AttemptsExhausted);
    let network = delays(Script::refused(), Jitter::Lowest).await;
    assert_eq!(network, (vec![100, 200, 400, 800, 1600, 3200], ended));
    let asked = vec![h1::response(503, &["retry-after: 20"], "")];
    let missing = vec![h1::response(404, &[], "")];
    let script = Script::requests([asked, missing]);
    assert_eq!(delays(script, Jitter::Lowest).await, (vec![20_000], Some(StopReason::Permanent)));
}
